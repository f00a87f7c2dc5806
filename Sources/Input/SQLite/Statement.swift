import FencepostCSpatiaLite

/// A statement of SQLite, which can be run again with other parameters.
///
/// Parameters count from 1 and columns from 0, as in SQLite. It may outlive its connection.
@safe
package final class Statement {
  // Every `unsafe` of this type calls SQLite with a handle that lives until `deinit`. The bytes are
  // copied before the call returns, kept by the caller, or read before the row goes.
  private let handle: OpaquePointer
  /// The name of the database in messages.
  package let databaseName: String

  /// Compiles one statement.
  ///
  /// - Throws: ``SQLiteError``, for example if a table does not exist.
  package init(_ sql: String, on database: Database) throws(SQLiteError) {
    guard let handle = unsafe try Self.compile(sql, on: database).handle else {
      throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "no statement")
    }
    unsafe self.handle = handle
    databaseName = database.name
  }

  /// Compiles the first of several statements and drops it from the text; nil if none is left.
  init?(next sql: inout String, on database: Database) throws(SQLiteError) {
    let (compiled, length) = unsafe try Self.compile(sql, on: database)
    guard let compiled = unsafe compiled else { return nil }
    sql = String(decoding: sql.utf8.dropFirst(length), as: UTF8.self)
    unsafe handle = compiled
    databaseName = database.name
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Compiles the first statement of a text; the handle is nil for a text without one.
  private static func compile(
    _ sql: String, on database: Database
  ) throws(SQLiteError) -> (handle: OpaquePointer?, length: Int) {
    guard let connection = unsafe database.handle else { throw database.error(SQLITE_MISUSE) }
    var handle: OpaquePointer?
    var length = 0
    // `tail` points into the text, which lives while the closure runs.
    let code = unsafe sql.withCString { text in
      var tail: UnsafePointer<CChar>?
      let code = unsafe sqlite3_prepare_v2(connection, text, -1, &handle, &tail)
      length = unsafe tail.map { unsafe $0 - text } ?? 0
      return code
    }
    guard code == SQLITE_OK else { throw database.error(code) }
    return unsafe (handle, length)
  }

  /// Moves to the next row, or returns false at the end and resets the statement.
  package func step() throws(SQLiteError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    unsafe sqlite3_reset(handle)
    guard code == SQLITE_DONE else {
      let message = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
      throw SQLiteError(extendedCode: code, message: message)
    }
    return false
  }

  /// Makes the statement ready to run again; its parameters stay bound.
  package func reset() {
    // The result repeats that of the last step, which was already thrown.
    unsafe sqlite3_reset(handle)
  }

  /// Runs a statement that returns no rows, and resets it.
  package func run() throws(SQLiteError) {
    while try step() {}
  }

  // MARK: Parameters

  /// The greatest number of a parameter.
  var parameterCount: Int { Int(unsafe sqlite3_bind_parameter_count(handle)) }

  func bind(_ values: ArraySlice<SQLiteValue>) {
    for (value, index) in zip(values, Int32(1)...) {
      switch value {
      case .null: bindNull(at: index)
      case .integer(let number): bind(number, at: index)
      case .real(let number): bind(number, at: index)
      case .text(let text): bind(text, at: index)
      case .blob(let bytes):
        unsafe bytes.withUnsafeBufferPointer { unsafe bind(blob: $0.span, at: index) }
      }
    }
  }

  /// Binds a whole number to a parameter, counted from 1.
  package func bind(_ value: Int64, at index: Int32) {
    unsafe sqlite3_bind_int64(handle, index, value)
  }

  /// Binds a number to a parameter; NaN becomes NULL.
  package func bind(_ value: Double, at index: Int32) {
    unsafe sqlite3_bind_double(handle, index, value)
  }

  /// Binds text, which is copied.
  package func bind(_ text: String, at index: Int32) {
    var text = text
    text.withUTF8 { bind(text: unsafe $0.span, at: index) }
  }

  /// Binds text in UTF-8, which is copied.
  package func bind(text: Span<UInt8>, at index: Int32) {
    unsafe text.withUnsafeBufferPointer { bytes in
      unsafe _ = cspatialite_bind_text(handle, index, bytes.baseAddress, Int32(bytes.count))
    }
  }

  /// Binds bytes, which are copied.
  package func bind(blob: Span<UInt8>, at index: Int32) {
    unsafe blob.withUnsafeBufferPointer { bytes in
      unsafe _ = cspatialite_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count))
    }
  }

  /// Binds NULL to a parameter.
  package func bindNull(at index: Int32) { unsafe sqlite3_bind_null(handle, index) }

  // MARK: Columns

  /// A column as an integer; 0 if it is null.
  package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// A column as a number; 0 if it is null.
  package func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// Whether a column of the current row is NULL.
  package func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// A column as text; empty if it is null.
  package func string(_ column: Int32) -> String {
    guard let text = unsafe sqlite3_column_text(handle, column) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// The bytes of a BLOB column; none if null.
  package func blob(_ column: Int32) -> [UInt8] {
    withBlob(column) { bytes in unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) } }
  }

  /// Passes the bytes of a BLOB column to a closure, or no bytes if null.
  package func withBlob<Result>(_ column: Int32, _ body: (Span<UInt8>) -> Result) -> Result {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
  }
}

/// A parameter of a statement.
///
/// It is converted to one of SQLite's own types; a moment in time is text.
package enum SQLiteValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}
