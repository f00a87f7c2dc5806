import FencepostCSpatiaLite
import FencepostSQLite

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

  func hasObject(_ name: String) throws(SQLiteError) -> Bool {
    try integer("SELECT count(*) FROM sqlite_master WHERE name = ?", [.text(name)]) != 0
  }

  /// Throws if SQLite has rolled back the transaction, as it may when the disk fails.
  ///
  /// SpatiaLite's functions, which its triggers call, lose that error. Later statements would then
  /// be committed alone.
  func requireTransaction() throws(PlaceStoreError) {
    guard !isInTransaction else { return }
    // errno is set on I/O failure, not on a full disk.
    let code = unsafe sqlite3_system_errno(handle)
    throw PlaceStoreError(code: code == 0 ? .diskFull : .inputOutput, path: name)
  }
}
