#if os(iOS)
  import Foundation
  import UIKit
#endif

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
