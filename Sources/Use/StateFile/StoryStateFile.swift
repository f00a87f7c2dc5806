public import FencepostNotifications

/// Saves the state of `StoryAlerts` in a file that survives crashes.
///
/// Every save replaces the whole file at once, so it holds either the old or the new state.
public struct StoryStateFile: StoryStateStore {
  private let file: StateFile

  /// Creates a store for a file that may not exist yet.
  ///
  /// - Parameter path: The file's path; its directory is created if it does not exist. On iOS the
  ///   file must be usable while the phone is locked, which the default protection allows.
  public init(path: String) { file = StateFile(path: path) }

  /// Returns the state in the file; nil without a file.
  ///
  /// - Throws: ``StateFileError``, with `.damaged` for a file that is not a state and `.newerVersion`
  ///   for one from a newer version.
  public func load() throws -> StoryState? {
    try file.load(StoryState.self, orSay: "it holds no state of story alerts")
  }

  /// Renames the file to `NAME-unreadable`, replacing an earlier one.
  public func moveAside() throws { try file.moveAside(to: file.path + "-unreadable") }

  /// Writes the state to the file.
  public func save(_ state: StoryState) throws { try file.save(state) }
}
