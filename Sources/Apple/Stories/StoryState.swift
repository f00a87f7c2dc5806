import FencepostMonitoring
public import FencepostNotifications
import FencepostStateFile
import Foundation

/// The state of ``StoryAlerts`` that must survive the app.
public struct StoryState: Codable, Equatable, Sendable {
  /// The state of the watch.
  public var watch: StoryWatch.Snapshot
  /// Alerts that may not have reached the scheduler yet, in order.
  public internal(set) var waiting: [WaitingAlert]
  /// The stories that were fetched last, and where; nil if the app has all of them.
  var fetched: Fetched?

  struct Fetched: Codable, Equatable {
    var stories: [Place]
    var latitudeDegrees: Double
    var longitudeDegrees: Double
  }

  /// An alert on its way to the scheduler.
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

/// Saves the state in a file that survives crashes.
public struct StoryStateFile: StoryStateStore {
  private let file: StateFile

  /// Creates a store for a file that may not exist yet.
  ///
  /// - Parameter path: The file's path; its directory is created if it does not exist. On iOS the
  ///   file must be usable while the phone is locked, which the default protection allows.
  public init(path: String) { file = StateFile(path: path) }

  /// Returns the state in the file; nil without a file.
  ///
  /// - Throws: `StateFileError`, with `.damaged` for a file that is not a state and `.newerVersion`
  ///   for one from a newer version.
  public func load() throws -> StoryState? {
    guard let document = try file.read() else { return nil }
    do {
      return try JSONDecoder().decode(StoryState.self, from: Data(document))
    } catch {
      throw StateFileError(
        decoding: error, path: file.path, detail: "it holds no state of story alerts")
    }
  }

  /// Renames the file to `NAME-unreadable`, replacing an earlier one.
  public func moveAside() throws { try file.moveAside(to: file.path + "-unreadable") }

  /// Writes the state to the file.
  public func save(_ state: StoryState) throws {
    try file.write(Array(JSONEncoder().encode(state)))
  }
}
