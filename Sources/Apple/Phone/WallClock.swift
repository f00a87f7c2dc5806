import Foundation

#if os(iOS)
  import UIKit
#endif

/// The system's clock.
public enum WallClock {
  /// The present, in milliseconds since 1970-01-01T00:00:00Z.
  public static var nowMilliseconds: Int64 { Date().millisecondsSince1970 }
}

extension Date {
  var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}

/// Files that are encrypted while the phone is locked.
public enum ProtectedData {
  /// Returns once they can be read: at once, or when the user unlocks the phone for the first time.
  @MainActor
  public static func available() async {
    #if os(iOS)
      let name = UIApplication.protectedDataDidBecomeAvailableNotification
      // Listening begins before the question, so that no notification is lost between the two.
      let notifications = NotificationCenter.default.notifications(named: name)
      if UIApplication.shared.isProtectedDataAvailable { return }
      for await _ in notifications { return }
    #endif
  }
}
