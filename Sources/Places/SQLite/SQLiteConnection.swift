import CSpatiaLite
import Formats

/// A connection to an SQLite database through its C interface, for what runs per query or per row.
///
/// Not for use by two threads at once; make one for each.
@safe
final class SQLiteConnection {
  /// How to open a database.
  enum Mode {
    case readOnly
    case readWrite
    case readWriteCreate

    fileprivate var flags: Int32 {
      switch self {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  /// The store's path, for messages.
  let path: String
  /// SQLite's own handle; valid as long as this object lives.
  let handle: OpaquePointer
  private let isOwned: Bool

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - name: A path or, with `isURI`, SQLite's `file:` URI.
  ///   - path: What messages call it.
  ///   - mode: What it may be used for.
  ///   - isURI: Whether `name` is a URI.
  /// - Throws: ``PlaceStoreError``.
  init(
    opening name: String, path: String, mode: Mode, isURI: Bool = false
  ) throws(PlaceStoreError) {
    SQLiteLibrary.prepare()
    // Every `unsafe` of this type is a call of SQLite with a handle that is open: here until it is
    // closed, elsewhere as long as this object lives.
    var opened: OpaquePointer?
    let flags = mode.flags | SQLITE_OPEN_NOMUTEX | (isURI ? SQLITE_OPEN_URI : 0)
    let code = unsafe sqlite3_open_v2(name.fileNameBytes, &opened, flags, nil)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      let error = unsafe PlaceStoreError(sqliteCode: code, connection: opened, path: path)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe self.handle = handle
    self.path = path
    isOwned = true
    unsafe sqlite3_busy_timeout(handle, 5000)
    unsafe sqlite3_extended_result_codes(handle, 1)
  }

  /// Works on a connection that belongs to somebody else, who must keep it open meanwhile.
  init(borrowing handle: OpaquePointer, path: String) {
    unsafe self.handle = handle
    self.path = path
    isOwned = false
  }

  /// Sets how long a statement waits for another connection's lock.
  func setLockWait(milliseconds: Int) {
    unsafe sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
  }

  deinit {
    // Statements that still live are closed with the connection by sqlite3_close_v2.
    if isOwned { unsafe sqlite3_close_v2(handle) }
  }

  /// The error that the last call's result stands for.
  func error(_ code: Int32) -> PlaceStoreError {
    unsafe PlaceStoreError(sqliteCode: code, connection: handle, path: path)
  }

  /// Runs statements that return nothing of interest.
  func execute(_ sql: String) throws(PlaceStoreError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Makes sure that the transaction that was begun has not been given up meanwhile.
  ///
  /// SQLite gives one up by itself where the disk is full or fails. It tells so by the statement's
  /// error; where that was one within a function of SpatiaLite, as in its triggers, the error is lost.
  /// What came after it would stand alone.
  func requireTransaction() throws(PlaceStoreError) {
    guard unsafe sqlite3_get_autocommit(handle) != 0 else { return }
    // The system's number is kept of failures, not of want of space.
    let code = unsafe sqlite3_system_errno(handle)
    throw PlaceStoreError(code: code == 0 ? .diskFull : .inputOutput, path: path)
  }

  /// Makes a statement ready to run.
  func prepare(_ sql: String) throws(PlaceStoreError) -> SQLiteStatement {
    try SQLiteStatement(sql, on: self)
  }

  /// The first column of the first row as an integer, 0 where there is none.
  func integer(_ sql: String) throws(PlaceStoreError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// The first column of the first row as text, nil where there is none or it is null.
  func text(_ sql: String) throws(PlaceStoreError) -> String? {
    let statement = try prepare(sql)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.string(0)
  }

  /// The first column of all rows as text.
  func texts(_ sql: String) throws(PlaceStoreError) -> [String] {
    let statement = try prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.string(0)) }
    return texts
  }
}

extension PlaceStoreError {
  /// Makes the error that an SQLite result code stands for.
  ///
  /// - Parameters:
  ///   - code: The code.
  ///   - connection: An open connection whose last call failed, or nil.
  ///   - path: What messages call the database.
  init(sqliteCode code: Int32, connection: OpaquePointer?, path: String) {
    // The text belongs to the connection and is copied at once.
    let text = unsafe connection.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? ""
    self.init(sqliteCode: code, message: text, path: path)
  }

  /// Makes the error that an SQLite result code stands for.
  init(sqliteCode code: Int32, message: String, path: String) {
    // All statements are ours, and a store has the columns that they name.
    let lacksColumn = message.hasPrefix("no such column: ")
    let kind: Code =
      switch code & 0xff {
      case SQLITE_ERROR where lacksColumn: .replaced
      case SQLITE_BUSY, SQLITE_LOCKED: .locked
      case SQLITE_NOTADB: .notSQLite
      case SQLITE_CORRUPT: .damaged
      case SQLITE_READONLY, SQLITE_PERM: .readOnly
      case SQLITE_FULL: .diskFull
      case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_SCHEMA: .statement
      default: .inputOutput
      }
    let saysItself = [.locked, .notSQLite, .diskFull, .replaced].contains(kind)
    self.init(code: kind, path: path, detail: saysItself ? "" : message)
  }
}
