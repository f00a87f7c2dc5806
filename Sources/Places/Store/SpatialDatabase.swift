import CSpatiaLite
import GRDB

/// A read-write connection with SpatiaLite attached, for making, importing, and checking.
final class SpatialDatabase {
  /// What ``prepare`` attached, to free after the connection.
  @safe
  private final class Attachment: @unchecked Sendable {
    // Written once, by GRDB's set-up of the one connection, before anybody reads it.
    var cache: UnsafeMutableRawPointer?
  }

  let path: String
  private let isScratch: Bool
  private let queue: DatabaseQueue
  private let attachment: Attachment

  /// Opens or makes a database.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - isScratch: Whether the file may be lost when the machine stops, since it is still to be
  ///     renamed; it is written faster then.
  /// - Throws: ``PlaceStoreError``.
  init(path: String, isScratch: Bool = false) throws(PlaceStoreError) {
    // A C string in a static buffer, written once before it is readable.
    guard unsafe cspatialite_failure()[0] == 0 else {
      throw PlaceStoreError(
        code: .spatiaLiteMissing, path: path, detail: unsafe String(cString: cspatialite_failure()))
    }
    let attachment = Attachment()
    self.attachment = attachment
    self.path = path
    self.isScratch = isScratch
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      // GRDB has just opened the connection.
      unsafe attachment.cache = cspatialite_attach(database.sqliteConnection)
      if isScratch {
        try database.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      }
    }
    SQLiteLibrary.prepare()
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw PlaceStoreError(error, path: path)
    }
  }

  deinit {
    // A connection that does not close at once closes when its last statement goes; nothing of
    // ours runs on it then.
    try? queue.close()
    unsafe cspatialite_detach(attachment.cache)
  }

  /// Runs work in one transaction, which a thrown error rolls back.
  func write<Result>(
    _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    do {
      return try writeOrFail(body)
    } catch {
      // Where the disk is full SQLite may let go of the file before it has undone what it began, and
      // does so from the journal when it is next asked. So that this is now, it is asked; where it
      // fails again, the next opening does it.
      if !isScratch, [.diskFull, .inputOutput].contains(PlaceStoreError(error, path: path).code) {
        _ = try? read { try $0.integer("SELECT count(*) FROM sqlite_schema") }
      }
      throw error
    }
  }

  private func writeOrFail<Result>(
    _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    try queue.writeWithoutTransaction { database in
      var result: Result?
      try database.inTransaction(.immediate) {
        let connection = try connection(of: database)
        result = try body(connection)
        try connection.requireTransaction()
        return .commit
      }
      guard let result else { throw PlaceStoreError(code: .statement, path: path) }
      return result
    }
  }

  /// Runs work that changes nothing.
  func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try queue.writeWithoutTransaction { database in try body(try connection(of: database)) }
  }

  private func connection(of database: Database) throws -> SQLiteConnection {
    // GRDB keeps it open while the body runs that uses it.
    guard let handle = unsafe database.sqliteConnection else {
      throw PlaceStoreError(code: .inputOutput, path: path)
    }
    return unsafe SQLiteConnection(borrowing: handle, path: path)
  }
}

extension PlaceStoreError {
  /// Makes the error that one of GRDB's stands for.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as PlaceStoreError: self = error
    case let error as DatabaseError:
      self.init(
        sqliteCode: error.resultCode.rawValue, message: error.message ?? "", path: path)
    default: self.init(code: .statement, path: path, detail: String(describing: error))
    }
  }
}
