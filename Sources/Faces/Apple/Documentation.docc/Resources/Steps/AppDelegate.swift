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
    do {
      let file = Bundle.main.bundleURL.appendingPathComponent("stories.json")
      let alerts = Alerts(try loadStories(file), folder: .applicationSupportDirectory)
      self.alerts = alerts
      refresh = startRefresh(of: alerts)
    } catch {
      // The app works without alerts. Show this where your app shows what went wrong.
      print("there are no alerts: \(error.localizedDescription)")
    }
    application.registerForRemoteNotifications()
    return true
  }

  /// Called by a button, once users have seen what alerts are good for.
  func allowAlerts() async throws { try await alerts?.askForPermission() }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification payload: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    do {
      return try await refresh?.receive(payload) == true ? .newData : .noData
    } catch {
      return .failed
    }
  }
}
