import FencepostGeodesy
import FencepostMonitoring

/// The state of ``StoryAlerts`` that must survive the app.
///
/// A ``StoryStateStore`` saves it after each event that matters, and reads it at the next launch.
public struct StoryState: Codable, Equatable, Sendable {
  /// The state of the watch.
  public var watch: StoryWatch.Snapshot
  /// Alerts that may not have reached the scheduler yet, in order.
  public internal(set) var waiting: [WaitingAlert]
  /// The stories that were fetched last, and where; nil if the app has all of them.
  var fetched: Fetched?

  struct Fetched: Codable, Equatable {
    var stories: [Place]
    var here: Coordinate

    private enum CodingKeys: String, CodingKey {
      case stories, here
    }

    init(_ stories: [Place], around here: Coordinate) {
      (self.stories, self.here) = (stories, here)
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      stories = try values.decode([Place].self, forKey: .stories)
      // Earlier versions wrote the position beside the stories.
      here =
        try values.decodeIfPresent(Coordinate.self, forKey: .here) ?? Coordinate(from: decoder)
    }
  }

  /// An alert on its way to the scheduler.
  ///
  /// It is saved before it is handed over, so that it survives if the app ends in between.
  public struct WaitingAlert: Codable, Equatable, Sendable {
    /// The request's identifier, unique to each visit.
    public var identifier: String
    /// What the notification shows.
    public var content: NotificationContent
  }
}

/// Saves the state of ``StoryAlerts``.
///
/// Calls are synchronous, because the system may end the app right after a callback.
public protocol StoryStateStore: Sendable {
  /// Returns the last saved state; nil before the first is saved.
  func load() throws -> StoryState?
  /// Saves the state durably before returning.
  func save(_ state: StoryState) throws
  /// Moves an unreadable state aside without deleting it, so that a new one can be saved.
  func moveAside() throws
}
