import FencepostCSpatiaLite
import GRDB

/// The number of a store's places, noted beside them.
///
/// Counting a million rows takes longer than starting the program and replaying a short track. The
/// note is valid for exactly one state of the file: it holds what SQLite's header said then, above
/// all the counter that every transaction of every program changes. After another program's edit the
/// rows are counted again, until the next import.
enum PlaceCount {
  private static let table = "places_count"

  /// The fields of a file's header that differ between its states.
  private struct State {
    var changeCounter: Int64
    var pageCount: Int64
    var freePageCount: Int64
    var schemaCookie: Int64

    /// The file's state in the open transaction; nil if the header does not show it, as in
    /// write-ahead mode.
    init?(of database: Database) {
      var header = [UInt8](repeating: 0, count: Int(CSPATIALITE_HEADER_BYTES))
      // The header has room for as many bytes as the call writes; GRDB keeps the connection open.
      guard unsafe cspatialite_read_header(database.sqliteConnection, &header) == SQLITE_OK,
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
  }

  static func create(on database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(table) (
          places INTEGER NOT NULL, change_counter INTEGER NOT NULL, page_count INTEGER NOT NULL,
          free_page_count INTEGER NOT NULL, schema_cookie INTEGER NOT NULL);
        DELETE FROM \(table);
        INSERT INTO \(table) VALUES (0, 0, 0, 0, 0);
        """)
  }

  /// How many places there are.
  ///
  /// - Parameter database: The database, within a transaction.
  /// - Returns: The number, from the note if it is valid.
  /// - Complexity: O(1) if the note is valid, else O(n).
  /// - Throws: A `DatabaseError`.
  static func read(on database: Database) throws -> Int {
    try noted(on: database) ?? database.integer("SELECT count(*) FROM places")
  }

  private static func noted(on database: Database) throws -> Int? {
    // Older stores and those in memory have no note.
    guard try database.hasObject(table), let state = State(of: database) else { return nil }
    return try Int.fetchOne(
      database,
      sql: """
        SELECT places FROM (SELECT * FROM \(table) LIMIT 1)
        WHERE (change_counter, page_count, free_page_count, schema_cookie) = (?, ?, ?, ?)
        """,
      arguments: [
        state.changeCounter, state.pageCount, state.freePageCount, state.schemaCookie,
      ])
  }

  /// Notes how many places there are as ``note(on:)`` does, unless an earlier version made the
  /// store, which then has no table for the note.
  static func noteIfCreated(on database: Database) throws {
    if try database.hasObject(table) { try note(on: database) }
  }

  /// Notes how many places there are.
  ///
  /// Must be the only change of its transaction: the file's state afterwards then differs from the
  /// present one by the counter alone.
  static func note(on database: Database) throws {
    guard let state = State(of: database) else { return }
    let count = try database.integer("SELECT count(*) FROM places")
    // The counter has 32 bits and wraps.
    let next = (state.changeCounter + 1) & 0xFFFF_FFFF
    try database.execute(
      sql: """
        UPDATE \(table) SET places = \(count), change_counter = \(next),
        page_count = \(state.pageCount), free_page_count = \(state.freePageCount),
        schema_cookie = \(state.schemaCookie)
        """)
  }
}
