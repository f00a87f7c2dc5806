import Geodesy

/// Writes staged places into a store's tables, within the caller's transaction.
struct PlaceLoader {
  /// From this many rows on, the indexes are written anew rather than kept row by row.
  static let fewRows = 2000
  /// And only when the store does not hold this many times as many.
  static let fewShare = 20
  /// How many rows one statement inserts where all are new.
  private static let rowsPerStatement = 32

  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Writes all rows; those whose id is in the store replace the place of that id.
  func load(_ places: inout StagedPlaces, into report: inout ImportReport) throws(PlaceStoreError) {
    let present = Int(try connection.integer("SELECT count(*) FROM places"))
    if present == 0 {
      report.imported += places.rows.count
      try fill(&places)
      return
    }
    let isBulk = places.rows.count >= max(PlaceLoader.fewRows, present / PlaceLoader.fewShare)
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

  /// Fills an empty table, in the order of the trees, so that neighbours have neighbouring keys.
  private func fill(_ places: inout StagedPlaces) throws(PlaceStoreError) {
    let triggers = try dropTriggers()
    try connection.execute("DROP INDEX IF EXISTS places_id")
    let reach = try PackedTree.Shape(of: PlaceSchema.reachTree, dimensions: 3, on: connection)
    let groups = try places.arrange(capacity: reach.capacity)
    try insertAll(&places)
    try writeTrees(groups, keysCount: true) { places.entry($0) }
    // Their memory is SQLite's to sort in.
    places.removeAll()
    try connection.execute(PlaceSchema.uniqueID)
    try restore(triggers)
  }

  /// Inserts all rows into an empty table, where their keys become their numbers from 1 on.
  ///
  /// SQLite gives a row that comes without a key the next one, and appends it without looking for its
  /// place. A statement for each row would cost more than the row.
  private func insertAll(_ places: inout StagedPlaces) throws(PlaceStoreError) {
    let many = try RowWriter(connection, .insert, rowCount: PlaceLoader.rowsPerStatement)
    let single = try RowWriter(connection, .insert)
    var next = 0
    while next < places.rows.count {
      let inMemory = try places.loadTexts(ofRow: next)
      while next < inMemory.upperBound {
        let writer = inMemory.upperBound - next >= many.rowCount ? many : single
        try writer.write(places, firstRow: next)
        next += writer.rowCount
      }
    }
    guard try connection.integer("SELECT coalesce(max(key), 0) FROM places") == next else {
      throw PlaceStoreError(
        code: .damaged, path: connection.path, detail: "it does not number places from 1 on")
    }
  }

  private func merge(
    _ places: inout StagedPlaces
  ) throws(PlaceStoreError) -> (inserted: Int, updated: Int) {
    try places.endAdding()
    let find = try connection.prepare("SELECT key FROM places WHERE id = ?1")
    let insert = try RowWriter(connection, .insert)
    let update = try RowWriter(connection, .update)
    var counts = (inserted: 0, updated: 0)
    for row in places.rows.indices {
      _ = try places.loadTexts(ofRow: row)
      places.withID(ofRow: row) { find.bind(text: $0, at: 1) }
      let key = try find.step() ? find.integer(0) : nil
      find.reset()
      try (key == nil ? insert : update).write(places, firstRow: row, key: key)
      if key == nil { counts.inserted += 1 } else { counts.updated += 1 }
    }
    return counts
  }

  // MARK: Triggers

  private func dropTriggers() throws(PlaceStoreError) -> [String] {
    let filter = "FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'places'"
    let definitions = try connection.texts("SELECT sql \(filter) ORDER BY rowid")
    for name in try connection.texts("SELECT name \(filter)") {
      // The name comes from the file, which may be anybody's.
      let quoted = name.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"")
      try connection.execute("DROP TRIGGER \"\(quoted)\"")
    }
    return definitions
  }

  private func restore(_ triggers: [String]) throws(PlaceStoreError) {
    for sql in triggers { try connection.execute(sql) }
    // What SpatiaLite's own trigger would have noted for each row.
    guard !triggers.isEmpty else { return }
    try connection.execute(
      """
      UPDATE geometry_columns_time SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      WHERE f_table_name = 'places'
      """)
  }

  // MARK: Trees

  private func rebuildTrees() throws(PlaceStoreError) {
    var entries: [TreeEntry] = []
    let rows = try connection.prepare("SELECT key, geometry, radius FROM places ORDER BY key")
    while try rows.step() {
      guard let coordinate = rows.withBlob(1, PointBlob.decode) else { continue }
      entries.append(
        TreeEntry(
          key: rows.integer(0), longitude: coordinate.longitudeDegrees,
          latitude: coordinate.latitudeDegrees, radiusMeters: rows.double(2)))
    }
    let reach = try PackedTree.Shape(of: PlaceSchema.reachTree, dimensions: 3, on: connection)
    let (order, groups) = TreeOrder.order(count: entries.count, capacity: reach.capacity) { index in
      (entries[index].longitude, entries[index].latitude, entries[index].radiusMeters)
    }
    try writeTrees(groups) { entries[Int(order[$0].index)] }
  }

  /// The trees that the store has.
  private func shapes() throws(PlaceStoreError) -> [PackedTree.Shape] {
    var shapes: [PackedTree.Shape] = []
    for (name, dimensions) in [(PlaceSchema.reachTree, 3), (PlaceSchema.spatialIndex, 2)] {
      let tables = try connection.integer(
        "SELECT count(*) FROM sqlite_master WHERE name = '\(name)'")
      guard tables == 1 else { continue }
      shapes.append(try PackedTree.Shape(of: name, dimensions: dimensions, on: connection))
    }
    return shapes
  }

  /// Packs the trees; where SQLite then does not read back what was written, lets it build them.
  ///
  /// - Parameters:
  ///   - groups: The classes of radii, as ranges of entries.
  ///   - keysCount: Whether the entries' keys are 1, 2, 3, … in their order.
  ///   - entry: The entry at an index.
  /// - Throws: ``PlaceStoreError``.
  private func writeTrees(
    _ groups: [Range<Int>], keysCount: Bool = false, _ entry: (Int) -> TreeEntry
  ) throws(PlaceStoreError) {
    let count = groups.last?.upperBound ?? 0
    var twin: PackedTree.Shape?
    for shape in try shapes() {
      let tree = PackedTree(shape, groups: groups) { entry($0).cell }
      try tree.write(on: connection, rowsCount: keysCount, twin: twin) { entry($0).cell }
      if try connection.integer("SELECT count(*) FROM \(shape.name)") == count {
        twin = shape
      } else {
        try insertAll(into: shape, count: count, entry)
      }
    }
  }

  private func insertAll(
    into shape: PackedTree.Shape, count: Int, _ entry: (Int) -> TreeEntry
  ) throws(PlaceStoreError) {
    try connection.execute("DELETE FROM \(shape.name)")
    let columns = (0...(2 * shape.dimensions)).map { "?\($0 + 1)" }.joined(separator: ", ")
    let insert = try connection.prepare("INSERT INTO \(shape.name) VALUES (\(columns))")
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
