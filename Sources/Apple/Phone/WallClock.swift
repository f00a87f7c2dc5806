import Foundation

#if os(iOS)
  import UIKit
#endif

/// The system's clock.
public enum WallClock {
  /// The current time in milliseconds since 1970-01-01T00:00:00Z.
  public static var nowMilliseconds: Int64 { Date().millisecondsSince1970 }
}

extension Date {
  var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}

/// Files that are encrypted until the phone is first unlocked.
public enum ProtectedData {
  /// Waits until the files can be read.
  @MainActor
  public static func available() async {
    #if os(iOS)
      let name = UIApplication.protectedDataDidBecomeAvailableNotification
      // Listen before asking, so that no notification is lost in between.
      let notifications = NotificationCenter.default.notifications(named: name)
      if UIApplication.shared.isProtectedDataAvailable { return }
      for await _ in notifications { return }
    #endif
  }
}
