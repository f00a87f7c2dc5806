import FencepostFiles
import FencepostCSpatiaLite
import FencepostFormats
import GRDB

/// A GRDB connection to a store that throws ``PlaceStoreError``.
struct StoreConnection: Sendable {
  /// The name of the store in messages.
  let path: String
  private let queue: DatabaseQueue
  /// Whether the file is discarded if anything fails.
  private var isScratch = false

  private init(
    _ location: String, path: String, configuration: Configuration
  ) throws(PlaceStoreError) {
    var configuration = configuration
    configuration.label = path
    do {
      queue = try DatabaseQueue(path: location, configuration: configuration)
    } catch {
      throw PlaceStoreError(error, path: path)
    }
    self.path = path
  }

  init(reading path: String, lockWaitMilliseconds: Int) throws(PlaceStoreError) {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(lockWaitMilliseconds) / 1000)
    configuration.foreignKeysEnabled = false
    // A reader's snapshot is a transaction that stays open between queries.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      // A file of unknown origin may contain views and triggers. These may call only functions that
      // SQLite considers harmless.
      try database.execute(sql: "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
    }
    // Not read-only, because SQLite must be able to roll back a killed import. If the file is not
    // writable, SQLite falls back to reading.
    try self.init(
      StoreConnection.uri(path, "mode=rw"), path: path, configuration: configuration)
  }

  /// Opens or creates a file with SpatiaLite attached.
  ///
  /// Messages call it `name`, or else the path. A scratch file is written faster, but lost if
  /// anything fails.
  init(
    writing path: String, named name: String? = nil, isScratch: Bool = false
  ) throws(PlaceStoreError) {
    let name = name ?? path
    // The message is a static buffer, complete when the function returns.
    let failure = unsafe String(cString: cspatialite_failure())
    guard failure.isEmpty else {
      throw PlaceStoreError(code: .spatiaLiteMissing, path: name, detail: failure)
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      // GRDB has just opened the connection, which frees attachments when it closes.
      let code = unsafe cspatialite_attach(database.sqliteConnection)
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      if isScratch {
        try database.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      }
    }
    try self.init(StoreConnection.uri(path, "mode=rwc"), path: name, configuration: configuration)
    self.isScratch = isScratch
  }

  /// Opens or creates the database in memory with this number.
  init(memory number: Int, path: String) throws(PlaceStoreError) {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.allowsUnsafeTransactions = true
    // This file system shares a database among connections if its name begins with /.
    try self.init(
      "file:/fencepost-places-\(number)?vfs=memdb", path: path, configuration: configuration)
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

  func setLockWait(milliseconds: Int) throws(PlaceStoreError) {
    try run { try $0.execute(sql: "PRAGMA busy_timeout = \(milliseconds)") }
  }

  /// Runs work without opening a transaction.
  func run<Result>(_ body: (Database) throws -> Result) throws(PlaceStoreError) -> Result {
    do {
      return try queue.unsafeReentrantWrite(body)
    } catch {
      throw PlaceStoreError(error, path: path)
    }
  }

  /// Runs work in one transaction, rolled back if it throws.
  func write<Result>(_ body: (Database) throws -> Result) throws(PlaceStoreError) -> Result {
    do {
      return try run { database in
        var result: Result?
        try database.inTransaction(.immediate) {
          result = try body(database)
          try database.requireTransaction()
          return .commit
        }
        guard let result else { throw PlaceStoreError(code: .statement, path: path) }
        return result
      }
    } catch {
      // On a full disk, SQLite may close the file before rolling back, and then rolls back from the
      // journal at the next query. Run one now; if it fails, the next opening rolls back.
      if !isScratch, [.diskFull, .inputOutput].contains(error.code) {
        _ = try? run { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
      }
      throw error
    }
  }
}

extension Database {
  var storePath: String { configuration.label ?? "" }

  func integer(_ sql: String) throws -> Int { try Int.fetchOne(self, sql: sql) ?? 0 }

  func hasObject(_ name: String) throws -> Bool {
    try Bool.fetchOne(
      self, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?)", arguments: [name])
      ?? false
  }

  /// Throws if SQLite has rolled back the transaction, as it may when the disk fails.
  ///
  /// SpatiaLite's functions, which its triggers call, lose that error. Later statements would then
  /// be committed alone.
  func requireTransaction() throws(PlaceStoreError) {
    guard !isInsideTransaction else { return }
    // GRDB keeps the connection open. errno is set on I/O failure, not on a full disk.
    let code = unsafe sqlite3_system_errno(sqliteConnection)
    throw PlaceStoreError(code: code == 0 ? .diskFull : .inputOutput, path: storePath)
  }
}
