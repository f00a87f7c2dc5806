package import Foundation

#if os(iOS)
import UIKit
#endif

/// The first time that a user unlocks the phone after it was switched on.
///
/// Until then, files with the default protection cannot be read. Afterwards they can, also while
/// the phone is locked, which `isProtectedDataAvailable` does not tell.
@available(iOSApplicationExtension, unavailable)
package enum FirstUnlock {
  /// Waits until the phone was unlocked once.
  @MainActor
  static func passed() async {
    #if os(iOS)
    let name = UIApplication.protectedDataDidBecomeAvailableNotification
    // Listen before asking, so that no notification is lost in between.
    let notifications = NotificationCenter.default.notifications(named: name)
    if hasPassed(mark: .cachesDirectory.appendingPathComponent("fencepost.unlocked")) { return }
    for await _ in notifications { return }
    #endif
  }

  /// Whether a file with the default protection can be read, or else written.
  package static func hasPassed(mark: URL) -> Bool {
    if (try? Data(contentsOf: mark)) != nil { return true }
    #if os(iOS)
    let options = Data.WritingOptions.completeFileProtectionUntilFirstUserAuthentication
    #else
    let options: Data.WritingOptions = []
    #endif
    return (try? Data("unlocked".utf8).write(to: mark, options: options)) != nil
  }
}
