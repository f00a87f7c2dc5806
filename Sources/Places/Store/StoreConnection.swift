import FencepostFiles
import FencepostCSpatiaLite
import FencepostFormats
import GRDB

/// A GRDB connection to a store, whose errors are the store's.
struct StoreConnection: Sendable {
  /// The store's name in messages.
  let path: String
  private let queue: DatabaseQueue
  /// Whether the file is given up when anything fails.
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

  /// Opens an existing file to read it.
  init(reading path: String, lockWaitMilliseconds: Int) throws(PlaceStoreError) {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(lockWaitMilliseconds) / 1000)
    configuration.foreignKeysEnabled = false
    // A reader's snapshot is a transaction that stays open between queries.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      // A file of unknown origin may bring views and triggers: only functions that SQLite knows to be
      // harmless run in them.
      try database.execute(sql: "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
    }
    // Not read-only: SQLite could not roll back what a killed import left. Where the file cannot be
    // written it falls back to reading only.
    try self.init(
      StoreConnection.uri(path, "mode=rw"), path: path, configuration: configuration)
  }

  /// Opens or makes a file with SpatiaLite attached, to create, import and check.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - name: What messages call it; nil for the path.
  ///   - isScratch: Whether the file is discarded when anything fails; it is written faster then.
  /// - Throws: ``PlaceStoreError``.
  init(
    writing path: String, named name: String? = nil, isScratch: Bool = false
  ) throws(PlaceStoreError) {
    let name = name ?? path
    // The message is a static buffer that is complete once the function returns.
    let failure = unsafe String(cString: cspatialite_failure())
    guard failure.isEmpty else {
      throw PlaceStoreError(code: .spatiaLiteMissing, path: name, detail: failure)
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      // GRDB has just opened the connection, which frees what is attached when it closes.
      let code = unsafe cspatialite_attach(database.sqliteConnection)
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      if isScratch {
        try database.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      }
    }
    try self.init(StoreConnection.uri(path, "mode=rwc"), path: name, configuration: configuration)
    self.isScratch = isScratch
  }

  /// Opens or makes a database in memory, which all connections to this number share.
  init(memory number: Int, path: String) throws(PlaceStoreError) {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.allowsUnsafeTransactions = true
    // SQLite shares a database of this file system among connections if its name begins with /.
    try self.init(
      "file:/fencepost-places-\(number)?vfs=memdb", path: path, configuration: configuration)
  }

  /// A path as SQLite's URI, in which it may have any bytes.
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

  /// Sets how long a statement waits for another connection's lock.
  func setLockWait(milliseconds: Int) throws(PlaceStoreError) {
    try run { try $0.execute(sql: "PRAGMA busy_timeout = \(milliseconds)") }
  }

  /// Runs work without a transaction of its own.
  func run<Result>(_ body: (Database) throws -> Result) throws(PlaceStoreError) -> Result {
    do {
      return try queue.unsafeReentrantWrite(body)
    } catch {
      throw PlaceStoreError(error, path: path)
    }
  }

  /// Runs work in one transaction, which a thrown error rolls back.
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
      // On a full disk SQLite may let go of the file before it has rolled back, which it then does
      // from the journal at the next query. Make one now; if it fails, the next opening rolls back.
      if !isScratch, [.diskFull, .inputOutput].contains(error.code) {
        _ = try? run { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
      }
      throw error
    }
  }
}

extension Database {
  /// The store's name in messages.
  var storePath: String { configuration.label ?? "" }

  /// The first column of the first row, 0 if there is none.
  func integer(_ sql: String) throws -> Int { try Int.fetchOne(self, sql: sql) ?? 0 }

  /// Whether the schema has a table or another object of a name.
  func hasObject(_ name: String) throws -> Bool {
    try Bool.fetchOne(
      self, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?)", arguments: [name])
      ?? false
  }

  /// Makes sure that SQLite has not rolled the transaction back, as it may when the disk fails.
  ///
  /// A statement reports that by its error, but an error within a function of SpatiaLite, as its
  /// triggers call it, is lost. What followed it would be committed alone.
  func requireTransaction() throws(PlaceStoreError) {
    guard !isInsideTransaction else { return }
    // GRDB keeps the connection open. errno is set on I/O failure, not disk full.
    let code = unsafe sqlite3_system_errno(sqliteConnection)
    throw PlaceStoreError(code: code == 0 ? .diskFull : .inputOutput, path: storePath)
  }
}
