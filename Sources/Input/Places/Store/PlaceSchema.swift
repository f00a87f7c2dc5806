import FencepostCSpatiaLite
import FencepostGeodesy
import FencepostMonitoring
import FencepostSQLite

/// The tables of a store, in SQL.
///
/// SpatiaLite's index holds the centers of circles, and a second index the few circles that are so
/// wide that they reach places far from their centers. When QGIS or the `spatialite` shell edit
/// places, SpatiaLite and SQLite keep both up to date by the triggers. Fencepost runs no trigger of a
/// file, since anyone may have written it, and keeps the index itself; see ``SpatialIndex``.
enum PlaceSchema {
  /// "FNCP", the SQLite application id of a store.
  static let applicationID = 0x464E_4350
  /// The version of these tables, stored as SQLite's user version.
  ///
  /// Version 1 had no index of wide circles, but an R*Tree of all of them, `places_reach`.
  static let version = 2
  /// The name that SpatiaLite gives the index of the table's geometry.
  static let spatialIndex = "idx_places_geometry"
  /// An SQL condition for the circles that are found by the index `places_wide`.
  static let isWide = "radius > \(Int(wideMeters))"
  /// The radius above which a circle counts as wide, in meters.
  static let wideMeters = 1000.0

  // Every candidate's position and radius are read, so they precede the long texts.
  static let table = """
    CREATE TABLE places (
      key INTEGER PRIMARY KEY NOT NULL,
      id TEXT NOT NULL CHECK (length(id) > 0),
      geometry POINT NOT NULL,
      radius DOUBLE NOT NULL DEFAULT 100 CHECK (radius > 0 AND radius <= 20000000),
      title TEXT DEFAULT '',
      category TEXT DEFAULT '',
      priority INTEGER DEFAULT 0,
      published DATETIME,
      expires DATETIME,
      url TEXT DEFAULT '',
      blurb TEXT DEFAULT ''
    )
    """

  /// Created for a filled table, which takes less time than inserting into it row by row.
  static let uniqueID = "CREATE UNIQUE INDEX places_id ON places (id)"

  static let wideIndex = "CREATE INDEX places_wide ON places (radius) WHERE \(isWide)"

  static let triggers = [
    """
    CREATE TRIGGER places_position_insert AFTER INSERT ON places BEGIN
      \(refuseOutOfRange)
    END
    """,
    """
    CREATE TRIGGER places_position_update AFTER UPDATE OF geometry ON places BEGIN
      \(refuseOutOfRange)
    END
    """,
    // SpatiaLite's own triggers handle only changes of the geometry.
    """
    CREATE TRIGGER places_key_update AFTER UPDATE OF key ON places WHEN OLD.key <> NEW.key BEGIN
      DELETE FROM \(spatialIndex) WHERE pkid IN (OLD.key, NEW.key);
      SELECT RTreeAlign('\(spatialIndex)', NEW.key, NEW.geometry);
    END
    """,
  ]

  /// Refuses positions that other programs try to write outside the map.
  private static let refuseOutOfRange = """
    SELECT RAISE(ABORT, 'a place needs a longitude of -180 to 180 and a latitude of -90 to 90')
      WHERE coalesce(abs(ST_X(NEW.geometry)) <= 180 AND abs(ST_Y(NEW.geometry)) <= 90, 0) = 0;
    """

  /// Creates the table and its index of wide circles, which need no SpatiaLite.
  static func createBare(on database: Database) throws {
    try database.execute(table)
    try database.execute(wideIndex)
    try database.execute(
      "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
  }

  /// Creates all tables of a store with SpatiaLite, within the caller's transaction.
  static func create(on database: Database) throws {
    // 0 stays within the caller's transaction; WGS84 takes a third of a megabyte instead of seven.
    try succeed("SELECT InitSpatialMetaData(0, 'WGS84')", "metadata", on: database)
    try createBare(on: database)
    try succeed(
      "SELECT RecoverGeometryColumn('places', 'geometry', 4326, 'POINT', 'XY')", "geometry column",
      on: database)
    try succeed("SELECT CreateSpatialIndex('places', 'geometry')", "spatial index", on: database)
    for sql in triggers { try database.execute(sql) }
    database.configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn: false)
    try PlaceCount.create(on: database)
  }

  /// Brings a store of an earlier version up to date, in the transaction that changes it.
  static func upgrade(_ database: Database) throws {
    guard try database.number("PRAGMA user_version") < version else { return }
    try database.execute(
      """
      DROP TRIGGER IF EXISTS places_reach_insert;
      DROP TRIGGER IF EXISTS places_reach_update;
      DROP TRIGGER IF EXISTS places_reach_delete;
      DROP TRIGGER IF EXISTS places_key_update;
      DROP TABLE IF EXISTS places_reach;
      """)
    for sql in triggers { try database.execute(sql) }
    try database.execute(wideIndex)
    try database.execute("PRAGMA user_version = \(version)")
  }

  /// Records that places have changed, as SpatiaLite's triggers do, for its statistics.
  static func noteChange(_ database: Database) throws {
    try database.execute(
      """
      UPDATE geometry_columns_time SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      WHERE f_table_name = 'places'
      """)
  }

  /// Runs a function of SpatiaLite, which returns 1 if it did its work.
  private static func succeed(_ sql: String, _ name: String, on database: Database) throws {
    guard try database.number(sql) == 1 else {
      throw PlaceStoreError(
        code: .statement, path: database.name, detail: "SpatiaLite did not create the \(name)")
    }
  }

  // MARK: Checks

  /// Checks that the tables are there that SpatiaLite needs to follow a change.
  static func verifySpatial(_ database: Database) throws {
    for table in ["geometry_columns", "geometry_columns_time", "spatial_ref_sys"]
    where try !database.hasObject(table) {
      throw PlaceStoreError(
        code: .damaged, path: database.name, detail: "its spatial metadata is missing")
    }
  }

  /// Checks that a file is a store of a known version, and that its tables hold stored values.
  ///
  /// - Throws: An error that ``StoreConnection`` reports as ``PlaceStoreError`` `.notAStore`,
  ///   `.newerVersion`, `.damaged`, `.computed` or `.replaced`.
  static func verify(_ database: Database) throws {
    guard try database.number("PRAGMA application_id") == applicationID else {
      throw PlaceStoreError(code: .notAStore, path: database.name)
    }
    let version = try database.number("PRAGMA user_version")
    guard version <= PlaceSchema.version else {
      throw PlaceStoreError(
        code: .newerVersion, path: database.name,
        detail: "store version \(version), supported up to \(PlaceSchema.version)")
    }
    func missing() -> PlaceStoreError {
      PlaceStoreError(code: .damaged, path: database.name, detail: "a table is missing")
    }
    guard try database.hasObject("places") else { throw missing() }
    let plain = try database.plainTables()
    for table in tables where try !plain.contains(table) && database.hasObject(table) {
      throw computed("“\(table)” is not a table of stored values", database)
    }
    // Fails as `.replaced` if a column is missing.
    _ = try Statement(Place.select + " LIMIT 0", on: database)
    guard try database.hasObject(spatialIndex) else { throw missing() }
    try SpatialIndex.verify(database)
  }

  /// All tables that statements about places name, and those behind the spatial index.
  static let tables =
    [
      "places", "places_count", "places_saves", "geometry_columns", "geometry_columns_time",
      "spatial_ref_sys",
    ] + SpatialIndex.tables

  /// Checks that SQLite evaluates nothing of the file's own when a store is changed or searched for
  /// damage: no expression in an index, and none as the default of a column.
  static func verifyWritable(_ database: Database) throws {
    for table in tables {
      let indexes = try database.all(
        """
        SELECT name FROM pragma_index_list(?1, 'main') AS i
        WHERE partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(i.name, 'main') WHERE cid = -2)
        """, [.text(table)]
      ) { $0.string(0) }
      for index in indexes where try !isOwn(index: index, database) {
        throw computed("the index “\(index)” of “\(table)” is computed", database)
      }
      let defaults = try database.all(
        "SELECT name, dflt_value FROM pragma_table_xinfo(?1, 'main') WHERE dflt_value IS NOT NULL",
        [.text(table)]
      ) { (column: $0.string(0), value: $0.string(1)) }
      for (column, value) in defaults where !isLiteral(value) {
        throw computed("the default of “\(column)” in “\(table)” is computed", database)
      }
    }
  }

  /// Whether an index is the one of wide circles, word for word.
  private static func isOwn(index: String, _ database: Database) throws -> Bool {
    // Each definition counts, as a crafted file may have two of one name.
    try database.all("SELECT sql FROM sqlite_schema WHERE name = ?", [.text(index)]) {
      $0.string(0)
    } == [wideIndex]
  }

  /// Whether an SQL expression is a number, a word such as `CURRENT_TIME`, or a quoted text.
  private static func isLiteral(_ expression: String) -> Bool {
    let text = expression.utf8
    if let quote = text.first, [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(quote) {
      return text.count > 1 && text.last == quote && !text.dropFirst().dropLast().contains(quote)
    }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return text.allSatisfy {
      letters.contains($0 | 0x20) || digits.contains($0) || "+-._".utf8.contains($0)
    }
  }

  /// The error for a file that computes what must be stored.
  static func computed(_ detail: String, _ database: Database) -> PlaceStoreError {
    PlaceStoreError(code: .computed, path: database.name, detail: detail)
  }
}

/// Remembers the number of places.
///
/// Counting a million rows takes longer than replaying a short track. The stored number is valid
/// for exactly one state of the file, identified by fields of SQLite's header such as the counter
/// that every transaction changes. After an edit by another program, rows are counted until the
/// next import.
enum PlaceCount {
  private static let table = "places_count"
  /// A row of a place has at least an id, a position and a radius.
  private static let leastRowBytes = 32

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

  /// Creates the table of the stored number, without a valid one.
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
  /// A stored number that the file has no room for is not believed.
  ///
  /// - Complexity: O(1) if the stored number is valid, else O(n).
  static func read(on database: Database) throws -> Int {
    // Older stores and those in memory have no stored number.
    if try database.hasObject(table), let state = state(of: database),
      let count = try database.integer(
        "SELECT places FROM (SELECT * FROM \(table) LIMIT 1) WHERE (\(columns)) = (?, ?, ?, ?)",
        state.map { .integer($0) }),
      try (0...database.number("PRAGMA page_size") * Int(state[1]) / leastRowBytes).contains(count)
    {
      return count
    }
    return try database.number("SELECT count(*) FROM places")
  }

  /// Stores the number of places, unless an earlier version created the store.
  ///
  /// Must be the only change of its transaction, so that the file's next state differs only by the
  /// counter.
  static func note(on database: Database) throws {
    guard try database.hasObject(table), var state = state(of: database) else { return }
    // The counter has 32 bits and wraps.
    state[0] = (state[0] + 1) & 0xFFFF_FFFF
    let count = try database.number("SELECT count(*) FROM places")
    try database.execute(
      "UPDATE \(table) SET (places, \(columns)) = (\(count), ?, ?, ?, ?)",
      state.map { .integer($0) })
  }
}

/// Encodes and decodes points as SpatiaLite geometry BLOBs in WGS84 (SRID 4326).
///
/// The layout is from the "BLOB-Geometry" chapter of the SpatiaLite book: start mark 00, byte
/// order, SRID, bounding box, mark 7C, class 1, x, y, end mark FE. The short form for points,
/// "TinyPoint", has byte order 80 or 81, SRID, 01, x, y, FE.
enum PointBlob {
  /// The number of WGS84 among EPSG's reference systems.
  static let spatialReference: UInt32 = 4326
  private static let byteCount = 60

  /// The BLOB of a point, in the long form that all programs read.
  static func bytes(_ coordinate: Coordinate) -> [UInt8] {
    var blob = [UInt8](repeating: 0, count: byteCount)
    var span = blob.mutableSpan
    // Any bytes may be stored here.
    var bytes = unsafe span.mutableBytes
    bytes.storeBytes(of: 1, toByteOffset: 1, as: UInt8.self)
    bytes.storeBytes(of: spatialReference.littleEndian, toByteOffset: 2, as: UInt32.self)
    let x = coordinate.longitudeDegrees.bitPattern.littleEndian
    let y = coordinate.latitudeDegrees.bitPattern.littleEndian
    // The bounding box is the point twice.
    for offset in [6, 22, 43] {
      bytes.storeBytes(of: x, toByteOffset: offset, as: UInt64.self)
      bytes.storeBytes(of: y, toByteOffset: offset + 8, as: UInt64.self)
    }
    bytes.storeBytes(of: 0x7C, toByteOffset: 38, as: UInt8.self)
    bytes.storeBytes(of: UInt32(1).littleEndian, toByteOffset: 39, as: UInt32.self)
    bytes.storeBytes(of: 0xFE, toByteOffset: 59, as: UInt8.self)
    return blob
  }

  /// The point of a BLOB, or nil if it is not a WGS84 point.
  static func decode(_ bytes: Span<UInt8>) -> Coordinate? {
    guard bytes.count >= 24, bytes[0] == 0, bytes[bytes.count - 1] == 0xFE else { return nil }
    let order = bytes[1]
    let isLittle = order & 1 == 1
    guard integer(bytes, at: 2, isLittle: isLittle) == spatialReference else { return nil }
    let offset: Int
    switch (order, bytes.count) {
    case (0x00, byteCount), (0x01, byteCount):
      guard bytes[38] == 0x7C, integer(bytes, at: 39, isLittle: isLittle) == 1 as UInt32 else {
        return nil
      }
      offset = 43
    case (0x80, 24), (0x81, 24):
      guard bytes[6] == 1 else { return nil }
      offset = 7
    default: return nil
    }
    let x = Double(bitPattern: integer(bytes, at: offset, isLittle: isLittle))
    let y = Double(bitPattern: integer(bytes, at: offset + 8, isLittle: isLittle))
    return Coordinate(latitudeDegrees: y, longitudeDegrees: x)
  }

  /// The whole number at an offset, in the byte order of the BLOB.
  @inline(__always)
  private static func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: Span<UInt8>, at offset: Int, isLittle: Bool
  ) -> Integer {
    // Any bytes form a number, and the span checks its bounds.
    let stored = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Integer.self)
    return isLittle ? Integer(littleEndian: stored) : Integer(bigEndian: stored)
  }
}
