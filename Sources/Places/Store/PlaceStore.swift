import FencepostFiles
import FencepostFormats
import FencepostSQLite
import Glibc
import Synchronization

/// A store of places: a SpatiaLite database file, or one in memory.
///
/// QGIS, ogr2ogr and the `spatialite` shell open the file as a database with one layer, `places`.
/// Reading it needs only SQLite.
public struct PlaceStore: Sendable {
  /// The path of the store or, in memory, the files its places came from.
  public let path: String
  let memory: MemoryDatabase?
  /// The connection that checked the store on opening, for the first reader.
  private let spare: Spare

  private final class Spare: Sendable {
    let file: Mutex<OpenFile?>

    init(_ file: OpenFile?) { self.file = Mutex(file) }
  }

  /// A connection, with the stamp of the file before opening, to notice a later replacement.
  private struct OpenFile {
    var connection: StoreConnection
    var stamp: StoreFileStamp?
  }

  /// Opens an existing store.
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
    case .directory:
      throw PlaceStoreError(code: .inputOutput, path: path, detail: "it is a directory")
    case .filled: break
    }
    let file = try PlaceStore.open(path, lockWaitMilliseconds: lockWaitMilliseconds)
    try file.connection.run { try PlaceSchema.verify($0) }
    self.path = path
    memory = nil
    spare = Spare(file)
  }

  init(memory: MemoryDatabase, path: String) {
    self.memory = memory
    self.path = path
    spare = Spare(nil)
  }

  /// Opens a reader with its own connection, one per thread.
  ///
  /// - Parameter lockWaitMilliseconds: How long a query waits for a program that is writing before
  ///   it fails as `.locked`.
  /// - Returns: The reader.
  /// - Throws: ``PlaceStoreError``.
  public func makeReader(lockWaitMilliseconds: Int = 5000) throws(PlaceStoreError) -> PlaceReader {
    let file = try open(lockWaitMilliseconds: lockWaitMilliseconds)
    try file.connection.setLockWait(milliseconds: lockWaitMilliseconds)
    return try PlaceReader(
      file.connection,
      origin: file.stamp.map {
        PlaceReader.Origin(store: self, stamp: $0, lockWaitMilliseconds: lockWaitMilliseconds)
      })
  }

  private func open(lockWaitMilliseconds: Int) throws(PlaceStoreError) -> OpenFile {
    if let memory { return OpenFile(connection: try memory.connect()) }
    if let file = spare.file.withLock({ $0.take() }) { return file }
    return try PlaceStore.open(path, lockWaitMilliseconds: lockWaitMilliseconds)
  }

  private static func open(
    _ path: String, lockWaitMilliseconds: Int
  ) throws(PlaceStoreError) -> OpenFile {
    let stamp = StoreFileStamp(path: path)
    let connection = try StoreConnection(reading: path, lockWaitMilliseconds: lockWaitMilliseconds)
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

/// A database in memory that several connections share, freed with the last of them.
struct MemoryDatabase: Sendable {
  private static let count = Atomic<Int>(0)

  private let number: Int
  /// The first connection, which fills the database and keeps it alive.
  let anchor: StoreConnection

  init(path: String) throws(PlaceStoreError) {
    number = MemoryDatabase.count.add(1, ordering: .relaxed).newValue
    anchor = try StoreConnection(memory: number, path: path)
  }

  func connect() throws(PlaceStoreError) -> StoreConnection {
    try StoreConnection(memory: number, path: anchor.path)
  }

  func load(_ places: StagedPlaces, into report: inout ImportReport) throws(PlaceStoreError) {
    try anchor.write { database in
      try PlaceSchema.createBare(on: database)
      try PlaceLoader(database: database).load(places.rows, into: &report)
      try database.execute("DROP TABLE temp.staged")
    }
  }
}
