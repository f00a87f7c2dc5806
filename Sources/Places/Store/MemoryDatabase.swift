import Synchronization

/// A database in memory that several connections of this process share; gone with the last of them.
final class MemoryDatabase: Sendable {
  private static let count = Atomic<Int>(0)

  private let uri: String
  private let path: String
  /// Keeps the database alive while nobody else has it open.
  private let anchor: Mutex<SQLiteConnection>

  /// Makes an empty database.
  ///
  /// - Parameter path: What messages call it.
  /// - Throws: ``PlaceStoreError``.
  init(path: String) throws(PlaceStoreError) {
    let number = MemoryDatabase.count.add(1, ordering: .relaxed).newValue
    // SQLite shares a database of this file system among connections when its name begins with /.
    uri = "file:/fencepost-places-\(number)?vfs=memdb"
    self.path = path
    anchor = Mutex(
      try SQLiteConnection(opening: uri, path: path, mode: .readWriteCreate, isURI: true))
  }

  func connect() throws(PlaceStoreError) -> SQLiteConnection {
    try SQLiteConnection(opening: uri, path: path, mode: .readWrite, isURI: true)
  }
}
