import FencepostCSpatiaLite
import FencepostFiles
import FencepostFormats
import FencepostSQLite
import Synchronization

/// A connection to a store that throws ``PlaceStoreError``.
///
/// Readers and imports open stores only through it, so that every store is checked on opening and
/// every error names it.
struct StoreConnection: Sendable {
  private let database: Database
  private let location: String
  /// Whether the file is discarded if anything fails.
  private var isScratch = false

  /// The store's name in messages.
  var path: String { database.name }

  private init(
    _ location: String, path: String, lockWaitMilliseconds: Int = 5000, isForeign: Bool = false,
    prepare: (Database) throws -> Void = { _ in }
  ) throws(PlaceStoreError) {
    self.location = location
    do {
      database = try Database(
        path: location, name: path, mode: .uri, lockWaitMilliseconds: lockWaitMilliseconds,
        isForeign: isForeign)
      try prepare(database)
    } catch {
      throw PlaceStoreError(error, path: path)
    }
  }

  /// Opens a store, and checks that it is one and computes nothing.
  init(reading path: String, lockWaitMilliseconds: Int = 5000) throws(PlaceStoreError) {
    // Not read-only, because SQLite must be able to roll back a killed import. If the file is not
    // writable, SQLite falls back to reading.
    try self.init(
      StoreConnection.uri(path, "mode=rw"), path: path, lockWaitMilliseconds: lockWaitMilliseconds,
      isForeign: true
    ) {
      try $0.execute("PRAGMA query_only = ON")
      // A path comes back to the pages of a small file, but hardly to those of a large one.
      if try $0.number("PRAGMA page_count") * $0.number("PRAGMA page_size") <= Self.keptBytes {
        try $0.execute("PRAGMA cache_size = -\(Self.keptBytes / 1024)")
      }
      try PlaceSchema.verify($0)
    }
  }

  /// The largest file whose pages a connection keeps in memory once they are read.
  private static let keptBytes = 16 << 20

  /// Opens a store to change it, and checks that neither it nor the change computes anything.
  init(editing path: String) throws(PlaceStoreError) {
    try self.init(StoreConnection.uri(path, "mode=rw"), path: path, isForeign: true) {
      try PlaceSchema.verify($0)
      try PlaceSchema.verifyWritable($0)
    }
  }

  /// Creates a scratch file with SpatiaLite attached.
  ///
  /// It is written fast, but lost if anything fails. Messages call it `name`.
  init(creating path: String, named name: String) throws(PlaceStoreError) {
    // The message is a static buffer, complete when the function returns.
    let failure = unsafe String(cString: cspatialite_failure())
    guard failure.isEmpty else {
      throw PlaceStoreError(code: .spatiaLiteMissing, path: name, detail: failure)
    }
    try self.init(StoreConnection.uri(path, "mode=rwc"), path: name) { database in
      // The connection was just opened; it frees attachments when it closes.
      let code = unsafe cspatialite_attach(database.handle)
      guard code == SQLITE_OK else { throw database.error(code) }
      // Rows are checked before they are inserted, and the index is sorted in the cache's memory.
      try database.execute(
        """
        PRAGMA foreign_keys = ON; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
        PRAGMA ignore_check_constraints = ON; PRAGMA cache_size = -16384
        """)
    }
    isScratch = true
  }

  /// How many databases in memory were created, to name each differently.
  private static let memoryCount = Atomic<Int>(0)

  /// Creates a database in memory, freed with its last connection; messages call it `path`.
  init(inMemory path: String) throws(PlaceStoreError) {
    let number = Self.memoryCount.add(1, ordering: .relaxed).newValue
    // This file system shares a database among connections if its name begins with /.
    try self.init("file:/fencepost-places-\(number)?vfs=memdb", path: path)
  }

  /// Opens another connection to the same database in memory.
  func another() throws(PlaceStoreError) -> StoreConnection {
    try StoreConnection(location, path: path)
  }

  /// The path as an SQLite URI, which can hold any bytes.
  private static func uri(_ path: String, _ query: String) -> String {
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    var uri = path.hasPrefix("/") ? "file://" : "file:"
    for byte in path.fileNameBytes.dropLast().map(UInt8.init(bitPattern:)) {
      if unreserved.contains(byte) {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        uri += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return uri + "?" + query
  }

  /// Runs work without opening a transaction.
  func run<Result>(_ body: (Database) throws -> Result) throws(PlaceStoreError) -> Result {
    do {
      return try database.run(body)
    } catch {
      throw PlaceStoreError(error, path: path)
    }
  }

  /// Runs work in one transaction, rolled back if it throws.
  func write<Result>(_ body: (Database) throws -> Result) throws(PlaceStoreError) -> Result {
    do {
      return try run { database in
        try database.inTransaction(.immediate) {
          do {
            let result = try body(database)
            try database.requireTransaction()
            return result
          } catch let error as SQLiteError where error.code == SQLITE_ABORT {
            // A statement within this one, such as an index's, failed and ended the transaction.
            try database.requireTransaction()
            throw error
          }
        }
      }
    } catch {
      // On a full disk, SQLite may close the file before rolling back, and then rolls back from the
      // journal at the next query. Run one now; if it fails, the next opening rolls back.
      if !isScratch, [.diskFull, .inputOutput].contains(error.code) {
        _ = try? run { try $0.integer("SELECT count(*) FROM sqlite_schema") }
      }
      throw error
    }
  }
}

extension Statement {
  /// Steps as `step` does, but throws an error of the store.
  func next() throws(PlaceStoreError) -> Bool {
    do {
      return try step()
    } catch {
      throw PlaceStoreError(error, path: databaseName)
    }
  }
}

extension Database {
  /// The number in the first row of a query; 0 without a row.
  func number(_ sql: String) throws(SQLiteError) -> Int { try integer(sql) ?? 0 }

  /// Whether there is a table, index, trigger or view of this name, in any case.
  func hasObject(_ name: String) throws(SQLiteError) -> Bool {
    try integer(
      "SELECT count(*) FROM sqlite_master WHERE name = ? COLLATE NOCASE", [.text(name)]) != 0
  }

  /// Throws if SQLite has rolled back the transaction, as it may when the disk fails.
  ///
  /// SpatiaLite's functions lose that error. Later statements would then be committed alone.
  func requireTransaction() throws(PlaceStoreError) {
    guard !isInTransaction else { return }
    // errno is set on I/O failure, not on a full disk.
    let code = unsafe sqlite3_system_errno(handle)
    throw PlaceStoreError(code: code == 0 ? .diskFull : .inputOutput, path: name)
  }
}
