import CSpatiaLite

/// How many places a store has, noted beside them.
///
/// To count a million rows takes longer than to start the program and replay a short track. The
/// note is good for exactly one state of the file: with it stands what SQLite's header says then,
/// above all the counter that every transaction of every program changes. Once somebody else has
/// edited the store the rows are counted again, until the next import.
enum PlaceCount {
  private static let table = "places_count"

  /// What of a file's header tells a state from others of the same file.
  private struct State: Equatable {
    var changeCounter: Int64
    var pageCount: Int64
    var freePageCount: Int64
    var schemaCookie: Int64

    /// The state of the file in the open transaction; nil where the header does not tell it, as in
    /// write-ahead mode.
    init?(of connection: SQLiteConnection) {
      var header = [UInt8](repeating: 0, count: Int(CSPATIALITE_HEADER_BYTES))
      // The header has room for as many bytes as the call writes.
      guard unsafe cspatialite_read_header(connection.handle, &header) == SQLITE_OK,
        header[18] == 1, header[19] == 1
      else { return nil }
      func number(at offset: Int) -> Int64 {
        header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int64($1) }
      }
      changeCounter = number(at: 24)
      pageCount = number(at: 28)
      freePageCount = number(at: 36)
      schemaCookie = number(at: 40)
    }

    init(in row: SQLiteStatement) {
      changeCounter = row.integer(1)
      pageCount = row.integer(2)
      freePageCount = row.integer(3)
      schemaCookie = row.integer(4)
    }
  }

  static func create(on connection: SQLiteConnection) throws(PlaceStoreError) {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(table) (
        places INTEGER NOT NULL, change_counter INTEGER NOT NULL, page_count INTEGER NOT NULL,
        free_page_count INTEGER NOT NULL, schema_cookie INTEGER NOT NULL);
      DELETE FROM \(table);
      INSERT INTO \(table) VALUES (0, 0, 0, 0, 0);
      """)
  }

  /// How many places there are.
  ///
  /// - Parameter connection: The connection, within a transaction.
  /// - Returns: The number, from the note where it is good.
  /// - Complexity: O(1) where the note is good, else O(n).
  /// - Throws: ``PlaceStoreError``.
  static func read(on connection: SQLiteConnection) throws(PlaceStoreError) -> Int {
    if let noted = try noted(on: connection) { return noted }
    return Int(try connection.integer("SELECT count(*) FROM places"))
  }

  private static func noted(on connection: SQLiteConnection) throws(PlaceStoreError) -> Int? {
    // Older stores and those in memory have no note.
    guard
      try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'") == 1,
      let state = State(of: connection)
    else { return nil }
    let row = try connection.prepare(
      """
      SELECT places, change_counter, page_count, free_page_count, schema_cookie FROM \(table)
      """)
    guard try row.step(), State(in: row) == state else { return nil }
    return Int(row.integer(0))
  }

  /// Notes how many places there are as ``note(on:)`` does, unless the store is one of an earlier
  /// version, which has no place for the note.
  static func noteIfCreated(on connection: SQLiteConnection) throws(PlaceStoreError) {
    let tables = try connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE name = '\(table)'")
    if tables == 1 { try note(on: connection) }
  }

  /// Notes how many places there are.
  ///
  /// It must be all that its transaction does, as the state that the file will have then is what it
  /// has now but for the counter.
  static func note(on connection: SQLiteConnection) throws(PlaceStoreError) {
    guard let state = State(of: connection) else { return }
    let count = try connection.integer("SELECT count(*) FROM places")
    // The counter has 32 bits and begins anew behind the last.
    let next = (state.changeCounter + 1) & 0xFFFF_FFFF
    try connection.execute(
      """
      UPDATE \(table) SET places = \(count), change_counter = \(next),
      page_count = \(state.pageCount), free_page_count = \(state.freePageCount),
      schema_cookie = \(state.schemaCookie)
      """)
  }
}
