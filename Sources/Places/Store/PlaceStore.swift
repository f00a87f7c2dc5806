import Glibc

/// A store of places: a SpatiaLite database file, or the same in memory.
///
/// QGIS, ogr2ogr and the `spatialite` shell open the file as a SpatiaLite database with one layer,
/// `places`. Reading it needs SQLite alone.
public struct PlaceStore: Sendable {
  /// Where the store is; in memory, the files its places came from.
  public let path: String
  let memory: MemoryDatabase?

  /// Opens a store that exists.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: ``PlaceStoreError`` `.missing`, `.empty`, `.notSQLite`, `.notAStore`,
  ///   `.newerVersion`, `.damaged`, `.locked` or `.inputOutput`.
  public init(path: String) throws(PlaceStoreError) {
    switch PlaceStore.fileState(path) {
    case .absent: throw PlaceStoreError(code: .missing, path: path)
    case .empty: throw PlaceStoreError(code: .empty, path: path)
    case .directory: throw PlaceStoreError(code: .inputOutput, path: path, detail: "a directory")
    case .filled: break
    }
    self.path = path
    memory = nil
    try PlaceSchema.verify(try openConnection())
  }

  init(memory: MemoryDatabase, path: String) {
    self.memory = memory
    self.path = path
  }

  /// Opens a reader with a connection of its own, one for each thread.
  ///
  /// - Parameter lockWaitMilliseconds: How long a question waits for a program that is writing
  ///   before it fails as `.locked`.
  /// - Returns: The reader.
  /// - Throws: ``PlaceStoreError``.
  public func makeReader(lockWaitMilliseconds: Int = 5000) throws(PlaceStoreError) -> PlaceReader {
    let connection = try openConnection()
    connection.setLockWait(milliseconds: lockWaitMilliseconds)
    return try PlaceReader(connection)
  }

  func openConnection() throws(PlaceStoreError) -> SQLiteConnection {
    guard let memory else {
      // Not opened read-only, because what an import that was killed left behind could not be
      // rolled back then; SQLite itself falls back to that where the file cannot be written.
      let connection = try SQLiteConnection(opening: path, path: path, mode: .readWrite)
      // And nothing that a file of unknown origin brings along in views or triggers is run but what
      // SQLite itself knows to be harmless.
      try connection.execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
      return connection
    }
    return try memory.connect()
  }

  enum FileState { case absent, empty, directory, filled }

  static func fileState(_ path: String) -> FileState {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe stat(path, &status) == 0 else { return .absent }
    if status.st_mode & S_IFMT == S_IFDIR { return .directory }
    return status.st_size == 0 ? .empty : .filled
  }
}
