import FencepostNotifications
import FencepostStateDatabase
import FencepostStateFile

/// Where a scheduler of a test keeps its state: what holds for one store holds for each.
enum StoreKind: String, CaseIterable, Codable, Sendable {
  /// A plain file.
  case file
  /// An SQLite database.
  case database

  /// The file's path.
  func path(in folder: String) -> String { "\(folder)/scheduler.\(rawValue)" }

  /// The store as an app would make it.
  func store(in folder: String, waitSeconds: Double = 5) throws -> any SchedulerStore {
    let path = path(in: folder)
    return switch self {
    case .file: StateFileStore(path: path, waitSeconds: waitSeconds)
    case .database:
      StateFileStore(database: try StateDatabase(path: path), waitSeconds: waitSeconds)
    }
  }

  /// A store that takes each step of loading and saving apart.
  func store(in folder: String, steps: Steps) throws -> ClosureStore {
    let store = try store(in: folder)
    let write = try writing(in: folder)
    return ClosureStore(
      load: {
        steps.pass()
        return try await store.load()
      },
      save: { state in
        steps.pass()
        try write(state) { steps.pass() }
        steps.pass()
      })
  }

  /// Writes a state as the store does, with something in between: what is written does not count yet.
  private func writing(
    in folder: String
  ) throws -> @Sendable (SchedulerState, () -> Void) throws -> Void {
    let path = path(in: folder)
    switch self {
    case .file:
      return { state, meanwhile in
        let file = StateFile(path: path)
        try file.stage(Array(StateFileStore.document(of: state)))
        meanwhile()
        try file.adopt()
      }
    case .database:
      let file = try StateDatabase(path: path)
      return { state, meanwhile in
        try file.update { transaction in
          try transaction.put(kind: "scheduler", id: "default", value: state)
          meanwhile()
        }
      }
    }
  }
}
