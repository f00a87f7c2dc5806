public import FencepostNotifications
import FencepostStateFile
import Foundation

/// All that ``StoryAlerts`` must not lose.
public struct StoryState: Codable, Equatable, Sendable {
  /// What the watch knows.
  public var watch: StoryWatch.Snapshot
  /// Alerts that the scheduler may not have yet, in order.
  public internal(set) var waiting: [WaitingAlert]

  /// An alert on its way to the scheduler.
  public struct WaitingAlert: Codable, Equatable, Sendable {
    /// The request's identifier, another for each visit.
    public var identifier: String
    /// What is shown.
    public var content: NotificationContent
  }
}

/// Where ``StoryAlerts`` keeps its state.
///
/// Calls are not asynchronous, so that the state is saved when the phone's callback returns: the system may end
/// the app right after it.
public protocol StoryStateStore: Sendable {
  /// The state that was saved last, nil before the first.
  func load() throws -> StoryState?
  /// Saves durably: once it returns, nothing may be lost.
  func save(_ state: StoryState) throws
  /// Puts a state that cannot be read out of the way, where it is kept, so that a new one can be saved.
  func moveAside() throws
}

/// Keeps the state in a file that survives crashes.
public struct StoryStateFile: StoryStateStore {
  private let file: StateFile

  /// Names the file.
  ///
  /// - Parameter path: Where the file is or will be; its directory must exist. On iOS its protection must allow
  ///   it to be used while the phone is locked, as `completeUntilFirstUserAuthentication`, the default, does.
  public init(path: String) {
    file = StateFile(path: path)
  }

  /// The state in the file, nil before the first.
  ///
  /// - Throws: `StateFileError`; `.damaged` also if the document is not a state, `.newerVersion` too if it has a
  ///   newer form.
  public func load() throws -> StoryState? {
    guard let document = try file.read() else { return nil }
    do {
      return try JSONDecoder().decode(StoryState.self, from: Data(document))
    } catch {
      throw StateFileError(
        decoding: error, path: file.path, detail: "it holds no state of story alerts")
    }
  }

  /// Renames the file to `NAME-unreadable`, in place of an earlier one.
  public func moveAside() throws { try file.moveAside(to: file.path + "-unreadable") }

  /// Writes the state to the file.
  public func save(_ state: StoryState) throws {
    try file.write(Array(JSONEncoder().encode(state)))
  }
}
