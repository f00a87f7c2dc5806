import FencepostApple
import StoryCore
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  private var alerts: Alerts?
  private var refresh: BackgroundRefresh?

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    guard let file = Bundle.main.url(forResource: "stories", withExtension: "json") else {
      fatalError("the app has no stories.json")
    }
    do {
      let alerts = Alerts(try loadStories(file), folder: .applicationSupportDirectory)
      self.alerts = alerts
      refresh = startRefresh(of: alerts)
    } catch {
      fatalError("stories.json: \(error)")
    }
    application.registerForRemoteNotifications()
    return true
  }

  /// Called by a button, once users have seen what alerts are good for.
  func allowAlerts() async throws { try await alerts?.askForPermission() }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification payload: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    await refresh?.receive(payload).fetchResult ?? .noData
  }
}
