import FencepostFiles
import FencepostFormats
package import FencepostMonitoring
import FencepostSQLite
import FencepostTime
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

/// The identity and state of the file at a path, to notice changes.
package struct StoreFileStamp: Equatable, Sendable {
  private var device: UInt64
  private var inode: UInt64
  private(set) var byteCount: Int
  private var changeSeconds: Int
  private var changeNanoseconds: Int

  /// Follows symbolic links; nil if there is no file.
  package init?(path: String) {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe stat(path.fileNameBytes, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int(status.st_size)
    changeSeconds = Int(status.st_mtim.tv_sec)
    changeNanoseconds = Int(status.st_mtim.tv_nsec)
  }

  /// Whether both are the same file, whatever its contents.
  func isSameFile(as other: StoreFileStamp) -> Bool {
    device == other.device && inode == other.inode
  }
}

extension PlaceReader {
  struct Origin {
    var store: PlaceStore
    var stamp: StoreFileStamp
    var lockWaitMilliseconds: Int
  }

  package var path: String { connection.path }

  /// The file now at the path; nil if the file is gone or the store is in memory.
  package var fileStamp: StoreFileStamp? { origin.flatMap { StoreFileStamp(path: $0.store.path) } }

  /// Whether the path now leads to another file than the one being read, or to none.
  ///
  /// Do not query then: SQLite could mistake the other file's journal for its own.
  package var isDisplaced: Bool {
    guard let origin else { return false }
    return fileStamp?.isSameFile(as: origin.stamp) != true
  }

  /// Opens the file now at the path, without waiting for a lock; this reader stays usable.
  package func reopened() throws(PlaceStoreError) -> PlaceReader {
    guard let origin else { throw PlaceStoreError(code: .missing, path: connection.path) }
    return try PlaceStore(path: origin.store.path, lockWaitMilliseconds: 0)
      .makeReader(lockWaitMilliseconds: origin.lockWaitMilliseconds)
  }
}

extension PlaceStore {
  /// Creates a store in memory from places.
  ///
  /// Positions and radii must be valid. If ids repeat, the first place is kept. Keys are ignored
  /// and assigned anew. Messages call the store `path`.
  package static func inMemory(
    of places: [Place], path: String
  ) throws(PlaceStoreError) -> PlaceStore {
    let memory = try MemoryDatabase(path: path)
    var staged = try StagedPlaces(on: memory.anchor)
    var draft = PlaceDraft()
    try memory.anchor.run { _ in
      for place in places {
        draft.set(to: place)
        _ = try staged.add(draft, coordinate: place.coordinate, radiusMeters: place.radiusMeters)
      }
    }
    var report = ImportReport()
    try memory.load(staged, into: &report)
    return PlaceStore(memory: memory, path: path)
  }
}

extension PlaceDraft {
  /// Sets the texts of a place, but not its position and radius.
  fileprivate mutating func set(to place: Place) {
    clear()
    set(.id, place.id)
    set(.title, place.title)
    set(.blurb, place.blurb)
    set(.url, place.url)
    set(.category, place.category)
    if place.priority != 0 { set(.priority, String(place.priority)) }
    if let published = place.publishedMilliseconds { set(.published, milliseconds: published) }
    if let expires = place.expiresMilliseconds { set(.expires, milliseconds: expires) }
  }
}
