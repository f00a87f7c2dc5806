#if canImport(CoreLocation)
import FencepostApple
import Foundation

/// The app's alerts: make one whenever the app is launched, for whatever reason.
@MainActor
public final class Alerts {
  private let phone: CoreLocationPhone
  private let center = UserNotificationCenter()
  private let scheduler: NotificationScheduler
  private let stories: StoryAlerts

  /// Goes on where the last launch ended.
  ///
  /// - Parameters:
  ///   - index: The stories.
  ///   - folder: Where the state is kept, such as Application Support.
  ///   - now: The clock, another one in tests.
  public init(
    _ index: PlaceIndex, folder: URL,
    now: @escaping @Sendable () -> Int64 = { WallClock.nowMilliseconds }
  ) {
    scheduler = NotificationScheduler(
      statePath: folder.appendingPathComponent("notifications.state").path, center: center,
      budget: NotificationBudget(totalLimit: 64)
    ) {
      NotificationScheduler.Situation(nowMilliseconds: now(), zone: ClockZone(.current))
    }
    phone = CoreLocationPhone(now: now)
    stories = StoryAlerts(
      stories: index, phone: phone, center: center, scheduler: scheduler,
      store: StoryStateFile(path: folder.appendingPathComponent("stories.state").path),
      options: storyRules())
    stories.onProblem = { problem in print(problem) }
    stories.start()
  }

  /// Asks the user, once they have seen what alerts are good for.
  public func askForPermission() async throws {
    phone.requestPermission()
    _ = try await center.requestPermission()
  }

  /// Hands over what waits, and fills the slots that have become free.
  public func plan() async throws {
    await stories.finishHandover()
    _ = try await scheduler.refresh()
  }

  /// Returns when all alerts are with the system; end a background task after this.
  public func finish() async { await stories.finishHandover() }
}
#endif
