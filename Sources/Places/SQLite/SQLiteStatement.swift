import CSpatiaLite

/// A prepared statement, to run as often as needed.
///
/// It keeps its connection open. Parameters count from 1 and columns from 0, as SQLite counts them.
@safe
final class SQLiteStatement {
  private let handle: OpaquePointer
  private let connection: SQLiteConnection

  init(_ sql: String, on connection: SQLiteConnection) throws(PlaceStoreError) {
    var prepared: OpaquePointer?
    // Every `unsafe` of this type is a call of SQLite with a handle that lives as long as this
    // object, and text or bytes of which SQLite makes its own copy before the call returns, or of which
    // the caller promises that they stay, or which are read before the row goes.
    let code = unsafe sqlite3_prepare_v3(
      connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let handle = unsafe prepared else { throw connection.error(code) }
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Goes to the next row; false when there is none, and then the statement is ready to run again.
  func step() throws(PlaceStoreError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    unsafe sqlite3_reset(handle)
    guard code == SQLITE_DONE else { throw connection.error(code) }
    return false
  }

  /// Ends the run, so that the statement can run again.
  func reset() {
    // The code is that of the last step, which was thrown then.
    unsafe sqlite3_reset(handle)
  }

  /// Runs a statement that returns no rows.
  func run() throws(PlaceStoreError) {
    while try step() {}
  }

  // MARK: Parameters

  func bind(_ value: Int64, at index: Int32) { unsafe sqlite3_bind_int64(handle, index, value) }

  func bind(_ value: Double, at index: Int32) { unsafe sqlite3_bind_double(handle, index, value) }

  func bind(_ text: String, at index: Int32) {
    var text = text
    text.withUTF8 { bytes in
      // SQLite copies the text before the call returns.
      unsafe _ = cspatialite_bind_text(handle, index, bytes.baseAddress, Int32(bytes.count))
    }
  }

  func bind(text: Span<UInt8>, at index: Int32) {
    unsafe text.withUnsafeBufferPointer { bytes in
      unsafe _ = cspatialite_bind_text(handle, index, bytes.baseAddress, Int32(bytes.count))
    }
  }

  /// Binds a part of some bytes as text without copying it.
  ///
  /// The bytes must stay where they are until the statement has run; no run must follow that does
  /// not bind this parameter anew.
  func bind(keptText text: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, at index: Int32) {
    let start = unsafe bytes.baseAddress.map { unsafe $0 + text.lowerBound }
    unsafe _ = cspatialite_bind_kept_text(handle, index, start, Int32(text.count))
  }

  /// Binds bytes as a BLOB without copying them, as ``bind(keptText:of:at:)`` does a text.
  func bind(keptBlob bytes: UnsafeBufferPointer<UInt8>, at index: Int32) {
    unsafe _ = cspatialite_bind_kept_blob(handle, index, bytes.baseAddress, Int32(bytes.count))
  }

  func bind(blob: Span<UInt8>, at index: Int32) {
    unsafe blob.withUnsafeBufferPointer { bytes in
      unsafe _ = cspatialite_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count))
    }
  }

  func bindNull(at index: Int32) { unsafe sqlite3_bind_null(handle, index) }

  // MARK: Columns

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// The column as text; empty where it is null.
  func string(_ column: Int32) -> String {
    guard let text = unsafe sqlite3_column_text(handle, column) else { return "" }
    // SQLite says how many bytes there are and keeps them until the next step.
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// Gives the bytes of a BLOB column to a closure; none where it is null.
  func withBlob<Result>(_ column: Int32, _ body: (Span<UInt8>) -> Result) -> Result {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
  }
}
