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
    guard let file = Bundle.main.url(forResource: "stories", withExtension: "json"),
      let stories = try? loadStories(file)
    else { return true }
    let alerts = Alerts(stories, folder: .applicationSupportDirectory)
    self.alerts = alerts
    refresh = startRefresh(of: alerts)
    application.registerForRemoteNotifications()
    return true
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification payload: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    await refresh?.receive(payload).fetchResult ?? .noData
  }
}
