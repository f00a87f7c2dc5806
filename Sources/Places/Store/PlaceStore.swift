import Formats
import Glibc
import Synchronization

/// A store of places: a SpatiaLite database file, or the same in memory.
///
/// QGIS, ogr2ogr and the `spatialite` shell open the file as a SpatiaLite database with one layer,
/// `places`. Reading it needs SQLite alone.
public struct PlaceStore: Sendable {
  /// Where the store is; in memory, the files its places came from.
  public let path: String
  let memory: MemoryDatabase?
  /// The connection by which the store was looked at when it was opened, for the first reader.
  private let spare: Spare

  private final class Spare: Sendable {
    let file: Mutex<OpenFile?>

    init(_ file: sending OpenFile?) {
      self.file = Mutex(file)
    }
  }

  /// A connection, and which file stood at the path just before it was made: a later look tells
  /// whether another was moved over it.
  private struct OpenFile {
    var connection: SQLiteConnection
    var stamp: StoreFileStamp?
  }

  /// Opens a store that exists.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - lockWaitMilliseconds: How long to wait for a program that is writing.
  /// - Throws: ``PlaceStoreError`` `.missing`, `.empty`, `.notSQLite`, `.notAStore`,
  ///   `.newerVersion`, `.damaged`, `.locked` or `.inputOutput`.
  public init(path: String, lockWaitMilliseconds: Int = 5000) throws(PlaceStoreError) {
    switch PlaceStore.fileState(path) {
    case .absent: throw PlaceStoreError(code: .missing, path: path)
    case .empty: throw PlaceStoreError(code: .empty, path: path)
    case .directory: throw PlaceStoreError(code: .inputOutput, path: path, detail: "a directory")
    case .filled: break
    }
    self.path = path
    memory = nil
    let file = try PlaceStore.open(path)
    file.connection.setLockWait(milliseconds: lockWaitMilliseconds)
    try PlaceSchema.verify(file.connection)
    spare = Spare(file)
  }

  init(memory: MemoryDatabase, path: String) {
    self.memory = memory
    self.path = path
    spare = Spare(nil)
  }

  /// Opens a reader with a connection of its own, one for each thread.
  ///
  /// - Parameter lockWaitMilliseconds: How long a question waits for a program that is writing
  ///   before it fails as `.locked`.
  /// - Returns: The reader.
  /// - Throws: ``PlaceStoreError``.
  public func makeReader(lockWaitMilliseconds: Int = 5000) throws(PlaceStoreError) -> PlaceReader {
    let file = try open()
    file.connection.setLockWait(milliseconds: lockWaitMilliseconds)
    let reader = try PlaceReader(file.connection)
    reader.origin = file.stamp.map {
      PlaceReader.Origin(store: self, stamp: $0, lockWaitMilliseconds: lockWaitMilliseconds)
    }
    return reader
  }

  func openConnection() throws(PlaceStoreError) -> SQLiteConnection { try open().connection }

  private func open() throws(PlaceStoreError) -> OpenFile {
    if let memory { return OpenFile(connection: try memory.connect()) }
    if let file = spare.file.withLock({ $0.take() }) { return file }
    return try PlaceStore.open(path)
  }

  private static func open(_ path: String) throws(PlaceStoreError) -> OpenFile {
    let stamp = StoreFileStamp(path: path)
    // Not opened read-only, because what an import that was killed left behind could not be
    // rolled back then; SQLite itself falls back to that where the file cannot be written.
    let connection = try SQLiteConnection(opening: path, path: path, mode: .readWrite)
    // And nothing that a file of unknown origin brings along in views or triggers is run but what
    // SQLite itself knows to be harmless.
    try connection.execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
    return OpenFile(connection: connection, stamp: stamp)
  }

  enum FileState { case absent, empty, directory, filled }

  static func fileState(_ path: String) -> FileState {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe stat(path.fileNameBytes, &status) == 0 else { return .absent }
    if status.st_mode & S_IFMT == S_IFDIR { return .directory }
    return status.st_size == 0 ? .empty : .filled
  }
}
