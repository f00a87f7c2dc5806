import FencepostFiles
import FencepostFormats
package import FencepostMonitoring
import FencepostPlaceList
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
  /// The connection that filled the database in memory and keeps it alive; nil for a file.
  let memory: StoreConnection?
  /// The connection that checked the store on opening, for the first reader.
  private let spare: Spare

  /// A connection that the first reader takes, whatever thread asks.
  private final class Spare: Sendable {
    let file: Mutex<OpenFile?>

    init(_ file: OpenFile?) { self.file = Mutex(file) }
  }

  /// A connection, with the stamp of the file before opening, to notice a later replacement.
  private typealias OpenFile = (connection: StoreConnection, stamp: StoreFileStamp?)

  /// Opens an existing store.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - lockWaitMilliseconds: How long to wait for a program that is writing.
  /// - Throws: ``PlaceStoreError`` `.missing`, `.empty`, `.notSQLite`, `.notAStore`,
  ///   `.newerVersion`, `.computed`, `.damaged`, `.locked` or `.inputOutput`.
  public init(path: String, lockWaitMilliseconds: Int = 5000) throws(PlaceStoreError) {
    try PlaceStore.requireFile(path)
    self.path = path
    memory = nil
    spare = Spare(try PlaceStore.open(path, lockWaitMilliseconds: lockWaitMilliseconds))
  }

  /// Completes a database in memory whose table is filled.
  init(memory: StoreConnection) throws(PlaceStoreError) {
    self.memory = memory
    path = memory.path
    spare = Spare(nil)
    try memory.write { try $0.execute(PlaceSchema.uniqueID) }
  }

  /// Opens a reader with its own connection, one per thread.
  ///
  /// - Parameter lockWaitMilliseconds: How long a query waits for a program that is writing before
  ///   it fails as `.locked`.
  /// - Returns: The reader.
  /// - Throws: ``PlaceStoreError``.
  public func makeReader(lockWaitMilliseconds: Int = 5000) throws(PlaceStoreError) -> PlaceReader {
    let (connection, stamp): OpenFile =
      if let memory {
        (try memory.another(), nil)
      } else if let file = spare.file.withLock({ $0.take() }) {
        file
      } else {
        try PlaceStore.open(path, lockWaitMilliseconds: lockWaitMilliseconds)
      }
    try connection.run { try $0.execute("PRAGMA busy_timeout = \(lockWaitMilliseconds)") }
    return try PlaceReader(
      connection,
      origin: stamp.map {
        PlaceReader.Origin(store: self, stamp: $0, lockWaitMilliseconds: lockWaitMilliseconds)
      })
  }

  /// Opens a file, and stamps it before, so that a replacement meanwhile shows.
  private static func open(
    _ path: String, lockWaitMilliseconds: Int
  ) throws(PlaceStoreError) -> OpenFile {
    let stamp = StoreFileStamp(path: path)
    return (
      try StoreConnection(reading: path, lockWaitMilliseconds: lockWaitMilliseconds), stamp
    )
  }

  /// Throws if a path has no file with contents.
  static func requireFile(_ path: String) throws(PlaceStoreError) {
    switch PlaceStore.fileState(path) {
    case .absent: throw PlaceStoreError(code: .missing, path: path)
    case .empty: throw PlaceStoreError(code: .empty, path: path)
    case .directory:
      throw PlaceStoreError(code: .inputOutput, path: path, detail: "it is a directory")
    case .filled: break
    }
  }

  /// What is at a path.
  enum FileState { case absent, empty, directory, filled }

  /// Looks at a path, following symbolic links.
  static func fileState(_ path: String) -> FileState {
    var status = stat()
    // `status` is ours and of the size the system expects.
    guard unsafe stat(path.fileNameBytes, &status) == 0 else { return .absent }
    if status.st_mode & S_IFMT == S_IFDIR { return .directory }
    return status.st_size == 0 ? .empty : .filled
  }

  /// Creates a store in memory from places.
  ///
  /// Positions and radii must be valid. If ids repeat, the first place is kept. Keys are ignored
  /// and assigned anew. Messages call the store `path`.
  package static func inMemory(
    of places: [Place], path: String
  ) throws(PlaceStoreError) -> PlaceStore {
    let memory = try StoreConnection(inMemory: path)
    try memory.write { database in
      try PlaceSchema.createBare(on: database)
      let rows = try PlaceRows(.new, on: memory)
      var staged = StagedPlaces(rows)
      var draft = PlaceDraft()
      for place in places {
        draft.set(to: place)
        staged.add(draft, coordinate: place.coordinate, radiusMeters: place.radiusMeters)
      }
      try rows.check()
    }
    return try PlaceStore(memory: memory)
  }
}

/// The identity and state of the file at a path, to notice changes.
///
/// Two stamps are equal if the path leads to the same file, which was not changed in between as far
/// as its size and times show.
package struct StoreFileStamp: Equatable, Sendable {
  fileprivate var device: UInt64
  fileprivate var inode: UInt64
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
}

extension PlaceReader {
  /// Where a reader's file comes from, and how it looked when it was opened.
  struct Origin {
    var store: PlaceStore
    var stamp: StoreFileStamp
    var lockWaitMilliseconds: Int
  }

  /// The path of the store, or what messages call a store in memory.
  package var path: String { connection.path }

  /// The file now at the path; nil if the file is gone or the store is in memory.
  package var fileStamp: StoreFileStamp? { origin.flatMap { StoreFileStamp(path: $0.store.path) } }

  /// Whether the path now leads to another file than the one being read, or to none.
  ///
  /// Do not query then: SQLite could mistake the other file's journal for its own.
  package var isDisplaced: Bool {
    guard let origin else { return false }
    return fileStamp.map { ($0.device, $0.inode) != (origin.stamp.device, origin.stamp.inode) }
      ?? true
  }

  /// Opens the file now at the path, without waiting for a lock; this reader stays usable.
  package func reopened() throws(PlaceStoreError) -> PlaceReader {
    guard let origin else { throw PlaceStoreError(code: .missing, path: connection.path) }
    return try PlaceStore(path: origin.store.path, lockWaitMilliseconds: 0)
      .makeReader(lockWaitMilliseconds: origin.lockWaitMilliseconds)
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
