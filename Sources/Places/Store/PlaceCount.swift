import FencepostCSpatiaLite
import FencepostSQLite

/// Remembers the number of places.
///
/// Counting a million rows takes longer than replaying a short track. The stored number is valid
/// for exactly one state of the file, identified by fields of SQLite's header such as the counter
/// that every transaction changes. After an edit by another program, rows are counted until the
/// next import.
enum PlaceCount {
  private static let table = "places_count"

  /// The columns that tell a state of the file.
  private static let columns = "change_counter, page_count, free_page_count, schema_cookie"

  /// The state in the open transaction, in the order of the columns; nil if the header does not
  /// show it, as in WAL mode.
  private static func state(of database: Database) -> [Int64]? {
    var header = [UInt8](repeating: 0, count: Int(CSPATIALITE_HEADER_BYTES))
    // The buffer has room for all bytes that the call writes.
    guard unsafe cspatialite_read_header(database.handle, &header) == SQLITE_OK,
      header[18] == 1, header[19] == 1
    else { return nil }
    return [24, 28, 36, 40].map { offset in
      header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int64($1) }
    }
  }

  static func create(on database: Database) throws {
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS \(table) (
        places INTEGER NOT NULL, change_counter INTEGER NOT NULL, page_count INTEGER NOT NULL,
        free_page_count INTEGER NOT NULL, schema_cookie INTEGER NOT NULL);
      DELETE FROM \(table);
      INSERT INTO \(table) VALUES (0, 0, 0, 0, 0);
      """)
  }

  /// The number of places; needs an open transaction.
  ///
  /// - Complexity: O(1) if the stored number is valid, else O(n).
  static func read(on database: Database) throws -> Int {
    try noted(on: database) ?? database.number("SELECT count(*) FROM places")
  }

  private static func noted(on database: Database) throws -> Int? {
    // Older stores and those in memory have no stored number.
    guard try database.hasObject(table), let state = state(of: database) else { return nil }
    return try database.integer(
      """
      SELECT places FROM (SELECT * FROM \(table) LIMIT 1)
      WHERE (\(columns)) = (?, ?, ?, ?)
      """, state.map { .integer($0) })
  }

  /// Stores the number as ``note(on:)`` does, unless an earlier version created the store.
  static func noteIfCreated(on database: Database) throws {
    if try database.hasObject(table) { try note(on: database) }
  }

  /// Stores the number of places.
  ///
  /// Must be the only change of its transaction, so that the file's next state differs only by the
  /// counter.
  static func note(on database: Database) throws {
    guard var state = state(of: database) else { return }
    // The counter has 32 bits and wraps.
    state[0] = (state[0] + 1) & 0xFFFF_FFFF
    let count = try database.number("SELECT count(*) FROM places")
    try database.execute(
      "UPDATE \(table) SET (places, \(columns)) = (\(count), ?, ?, ?, ?)",
      state.map { .integer($0) })
  }
}
