public import StateFile

extension SchedulerStore {
  /// A store in a state file, where it is one document.
  ///
  /// Several schedulers can share it, also of several processes: an app and its extension, say.
  /// Their updates run one after the other, each from reading the state to its last call of the
  /// centre, and each sees what the others did. A process that ends within an update, or is killed,
  /// holds nobody up.
  /// - Parameters:
  ///   - file: The file.
  ///   - id: What the document is called, where a file serves several schedulers.
  ///   - waitSeconds: How long an update waits for those of other schedulers; after that it throws a
  ///     `StateFileError` with `.locked`, and has changed nothing.
  /// - Returns: A store that is as durable as the file.
  public static func stateFile(
    _ file: StateFile, id: String = "default", waitSeconds: Double = 5
  ) -> SchedulerStore {
    let kind = "scheduler"
    return SchedulerStore(
      load: { try file.update { try $0.value(SchedulerState.self, kind: kind, id: id) } },
      save: { state in try file.update { try $0.put(kind: kind, id: id, value: state) } },
      takeTurn: { try await UpdateTurn(path: file.path, waitSeconds: waitSeconds) })
  }
}
