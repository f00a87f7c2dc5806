import FencepostApple
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The server's answer: an array of objects with `id`, `lat`, `lon`, `title`, `blurb` and `radius`.
struct StoryServer: Sendable {
  var address = "https://example.org/stories"
  var load: @Sendable (URL) async throws -> (Data, URLResponse) = {
    try await URLSession.shared.data(from: $0)
  }

  func nearest(_ count: Int, to here: Coordinate) async throws -> [Place] {
    let query = "?lat=\(here.latitudeDegrees)&lon=\(here.longitudeDegrees)&count=\(count)"
    guard let url = URL(string: address + query) else { throw URLError(.badURL) }
    let (data, response) = try await load(url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else {
      throw URLError(.badServerResponse)
    }
    return try JSONDecoder().decode([Place].self, from: data)
  }
}

/// Alerts when the phone comes past a story: make one at every launch, whatever it is for.
@MainActor
final class StoriesNearMe {
  let alerts: StoryAlerts
  private let phone = CoreLocationPhone()
  private let center = UserNotificationCenter()

  init(folder: URL, server: StoryServer, isMuted: @escaping @Sendable (Place) -> Bool) {
    let scheduler = NotificationScheduler(
      statePath: folder.appendingPathComponent("notifications.state").path, center: center
    ) { .now }
    var options = StoryAlertsOptions()
    options.canAlert = { story in !isMuted(story) }
    alerts = StoryAlerts(
      fetch: { here, count in try await server.nearest(count, to: here) }, phone: phone,
      center: center, scheduler: scheduler,
      store: StoryStateFile(path: folder.appendingPathComponent("stories.state").path),
      options: options)
    alerts.onEntry = { entry in print("entered", entry.story.title) }
    alerts.onProblem = { problem in print(problem) }
    alerts.start()
  }

  /// Called when the user has seen what alerts are good for.
  func askForPermission() async throws {
    phone.requestPermission()
    _ = try await center.requestPermission()
  }
}
