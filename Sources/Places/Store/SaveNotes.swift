import FencepostSQLite

/// Texts about the latest edits, in a table that the first of them creates.
///
/// They are in the file of the store and in the transaction of the edit, so that several programs
/// may edit, and a copied or replaced store brings its own.
enum SaveNotes {
  private static let table = "places_saves"
  /// The most notes, and the most bytes of them together; the oldest ones are dropped.
  private static let (mostNotes, mostBytes) = (1000, 2 << 20)

  static func append(_ note: String, on database: Database) throws {
    try database.execute(
      "CREATE TABLE IF NOT EXISTS \(table) (number INTEGER PRIMARY KEY, note TEXT NOT NULL)")
    try database.execute("INSERT INTO \(table) (note) VALUES (?)", [.text(note)])
    try database.execute(
      """
      DELETE FROM \(table) WHERE number IN (
        SELECT number FROM (
          SELECT number, row_number() OVER latest AS place,
            sum(length(CAST(note AS BLOB))) OVER latest AS bytes
          FROM \(table) WINDOW latest AS (ORDER BY number DESC))
        WHERE place > \(mostNotes) OR bytes > \(mostBytes))
      """)
  }

  static func read(on database: Database) throws -> [String] {
    guard try database.hasObject(table) else { return [] }
    return try database.all("SELECT note FROM \(table) ORDER BY number") { $0.string(0) }
  }
}

extension PlaceStore {
  /// The notes about the latest edits, oldest first: at most 1,000, and 2 MB together.
  ///
  /// - Throws: ``PlaceStoreError``.
  package func saveNotes() throws(PlaceStoreError) -> [String] {
    guard memory == nil else { return [] }
    let connection = try StoreConnection(reading: path, lockWaitMilliseconds: 5000)
    return try connection.run { try SaveNotes.read(on: $0) }
  }
}
