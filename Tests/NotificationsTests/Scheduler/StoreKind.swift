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

  /// How long the tests wait for a file: beside a load a turn takes as long as the machine likes,
  /// and what happens after too long a wait is a test of its own.
  static let patienceSeconds = 3600.0

  /// The store as an app would make it, but for its patience.
  func store(
    in folder: String, waitSeconds: Double = patienceSeconds
  ) throws -> any SchedulerStore {
    let path = path(in: folder)
    return switch self {
    case .file: StateFileStore(path: path, waitSeconds: waitSeconds)
    case .database:
      StateFileStore(
        database: try StateDatabase(path: path, waitSeconds: Self.patienceSeconds),
        waitSeconds: waitSeconds)
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
      let file = try StateDatabase(path: path, waitSeconds: Self.patienceSeconds)
      return { state, meanwhile in
        try file.update { transaction in
          try transaction.put(kind: "scheduler", id: "default", value: state)
          meanwhile()
        }
      }
    }
  }
}
