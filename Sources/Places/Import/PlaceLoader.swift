import GRDB
import FencepostGeodesy

/// Writes staged places into a store's tables, within the caller's transaction.
struct PlaceLoader {
  /// From this many rows on, the indexes are written anew rather than maintained row by row.
  private static let bulkRows = 2000
  /// But not if the store holds more than this many times as many.
  private static let bulkShare = 20
  /// How many rows one statement inserts where all are new.
  private static let rowsPerStatement = 32

  let database: Database

  /// Writes all rows; a row whose id is in the store replaces that place.
  func load(_ places: inout StagedPlaces, into report: inout ImportReport) throws {
    let present = try database.integer("SELECT count(*) FROM places")
    if present == 0 {
      report.imported += places.rows.count
      try fill(&places)
      return
    }
    let isBulk = places.rows.count >= max(PlaceLoader.bulkRows, present / PlaceLoader.bulkShare)
    let triggers = isBulk ? try dropTriggers() : []
    let (inserted, updated) = try merge(&places)
    if isBulk {
      try rebuildTrees()
      try restore(triggers)
    }
    report.imported += inserted
    report.updated += updated
  }

  // MARK: Rows

  /// Fills an empty table in the order of the trees, so that neighbours have neighbouring keys.
  private func fill(_ places: inout StagedPlaces) throws {
    let triggers = try dropTriggers()
    try database.execute(sql: "DROP INDEX IF EXISTS places_id")
    let reach = try PackedTree.Shape(of: PlaceSchema.reachTree, dimensions: 3, on: database)
    let groups = try places.arrange(capacity: reach.capacity)
    try insertAll(&places)
    try writeTrees(groups, keysCount: true) { places.entry($0) }
    // SQLite sorts the index in the memory that this frees.
    places = StagedPlaces(spoolPath: nil)
    try database.execute(sql: PlaceSchema.uniqueID)
    try restore(triggers)
  }

  /// Inserts all rows into an empty table, which numbers them from 1.
  ///
  /// SQLite appends a row without a key, instead of searching for its place. A statement for each row
  /// would cost more than the row.
  private func insertAll(_ places: inout StagedPlaces) throws {
    let many = try RowWriter(database, .insert, rowCount: PlaceLoader.rowsPerStatement)
    let single = try RowWriter(database, .insert)
    var next = 0
    while next < places.rows.count {
      let inMemory = try places.texts.load(row: next)
      while next < inMemory.upperBound {
        let writer = inMemory.upperBound - next >= many.rowCount ? many : single
        try writer.write(places, firstRow: next)
        next += writer.rowCount
      }
    }
    guard try database.integer("SELECT coalesce(max(key), 0) FROM places") == next else {
      throw PlaceStoreError(
        code: .damaged, path: database.storePath, detail: "it does not number places from 1 on")
    }
  }

  private func merge(
    _ places: inout StagedPlaces
  ) throws -> (inserted: Int, updated: Int) {
    try places.endAdding()
    let find = try RawStatement("SELECT key FROM places WHERE id = ?1", on: database)
    let insert = try RowWriter(database, .insert)
    let update = try RowWriter(database, .update)
    var counts = (inserted: 0, updated: 0)
    for row in places.rows.indices {
      _ = try places.texts.load(row: row)
      var texts = places.texts.texts(ofRow: row)
      let bytes = places.texts.memory.span
      find.bind(text: bytes.extracting(texts.next(in: bytes)), at: 1)
      let key = try find.step() ? find.integer(0) : nil
      find.reset()
      try (key == nil ? insert : update).write(places, firstRow: row, key: key)
      if key == nil { counts.inserted += 1 } else { counts.updated += 1 }
    }
    return counts
  }

  // MARK: Triggers

  private func dropTriggers() throws -> [String] {
    let filter = "FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'places'"
    let definitions = try String.fetchAll(database, sql: "SELECT sql \(filter) ORDER BY rowid")
    for name in try String.fetchAll(database, sql: "SELECT name \(filter)") {
      // The name comes from the file, which may be hostile.
      try database.execute(sql: "DROP TRIGGER \"\(name.replacing("\"", with: "\"\""))\"")
    }
    return definitions
  }

  private func restore(_ triggers: [String]) throws {
    for sql in triggers { try database.execute(sql: sql) }
    // SpatiaLite's own trigger would have noted it for each row.
    guard !triggers.isEmpty else { return }
    try database.execute(
      sql: """
        UPDATE geometry_columns_time SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
        WHERE f_table_name = 'places'
        """)
  }

  // MARK: Trees

  private func rebuildTrees() throws {
    var entries: [TreeEntry] = []
    let rows = try RawStatement(
      "SELECT key, geometry, radius FROM places ORDER BY key", on: database)
    while try rows.step() {
      guard let coordinate = rows.withBlob(1, PointBlob.decode) else { continue }
      entries.append(
        TreeEntry(
          key: rows.integer(0), longitude: coordinate.longitudeDegrees,
          latitude: coordinate.latitudeDegrees, radiusMeters: rows.double(2)))
    }
    let reach = try PackedTree.Shape(of: PlaceSchema.reachTree, dimensions: 3, on: database)
    let (order, groups) = TreeOrder.order(count: entries.count, capacity: reach.capacity) { index in
      (entries[index].longitude, entries[index].latitude, entries[index].radiusMeters)
    }
    try writeTrees(groups) { entries[Int(order[$0].index)] }
  }

  /// The trees that the store has; one in memory has no spatial index.
  private func shapes() throws -> [PackedTree.Shape] {
    var shapes: [PackedTree.Shape] = []
    for (name, dimensions) in [(PlaceSchema.reachTree, 3), (PlaceSchema.spatialIndex, 2)]
    where try database.hasObject(name) {
      shapes.append(try PackedTree.Shape(of: name, dimensions: dimensions, on: database))
    }
    return shapes
  }

  /// Packs the trees; if SQLite does not read back all rows of one, inserts them row by row.
  ///
  /// - Parameters:
  ///   - groups: The classes of radii, as ranges of entries.
  ///   - keysCount: Whether the entries' keys are 1, 2, 3, … in their order.
  ///   - entry: The entry at an index.
  /// - Throws: ``PlaceStoreError`` or a `DatabaseError`.
  private func writeTrees(
    _ groups: [Range<Int>], keysCount: Bool = false, _ entry: (Int) -> TreeEntry
  ) throws {
    let count = groups.last?.upperBound ?? 0
    var twin: PackedTree.Shape?
    for shape in try shapes() {
      let tree = PackedTree(shape, groups: groups) { entry($0).cell }
      try tree.write(on: database, rowsCount: keysCount, twin: twin) { entry($0).cell }
      if try database.integer("SELECT count(*) FROM \(shape.name)") == count {
        twin = shape
      } else {
        try insertAll(into: shape, count: count, entry)
      }
    }
  }

  private func insertAll(
    into shape: PackedTree.Shape, count: Int, _ entry: (Int) -> TreeEntry
  ) throws {
    try database.execute(sql: "DELETE FROM \(shape.name)")
    let columns = (0...(2 * shape.dimensions)).map { "?\($0 + 1)" }.joined(separator: ", ")
    let insert = try RawStatement(
      "INSERT INTO \(shape.name) VALUES (\(columns))", on: database)
    for index in 0..<count {
      let cell = entry(index).cell
      insert.bind(cell.row, at: 1)
      let values = [cell.box.0, cell.box.1, cell.box.2, cell.box.3, cell.box.4, cell.box.5]
      for (column, value) in values.prefix(2 * shape.dimensions).enumerated() {
        insert.bind(Double(value), at: Int32(column + 2))
      }
      try insert.run()
    }
  }
}
