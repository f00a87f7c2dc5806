public import StateFile

extension SchedulerStore {
  /// A store in a state file, where it is one document.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - id: What the document is called, where a file serves several schedulers.
  /// - Returns: A store that is as durable as the file.
  public static func stateFile(_ file: StateFile, id: String = "default") -> SchedulerStore {
    let kind = "scheduler"
    return SchedulerStore(
      load: { try file.update { try $0.value(SchedulerState.self, kind: kind, id: id) } },
      save: { state in try file.update { try $0.put(kind: kind, id: id, value: state) } })
  }
}
