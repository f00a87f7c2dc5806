import Geodesy

/// Writes staged places into a store's tables, within the caller's transaction.
struct PlaceLoader {
  /// From this many rows on, the indexes are written anew rather than kept row by row.
  static let fewRows = 2000
  /// And only when the store does not hold this many times as many.
  static let fewShare = 20

  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Writes all rows; those whose id is in the store replace the place of that id.
  func load(_ places: inout StagedPlaces, into report: inout ImportReport) throws(PlaceStoreError) {
    let present = Int(try connection.integer("SELECT count(*) FROM places"))
    if present == 0 {
      try fill(&places)
      report.imported += places.rows.count
      return
    }
    let isBulk = places.rows.count >= max(PlaceLoader.fewRows, present / PlaceLoader.fewShare)
    let triggers = isBulk ? try dropTriggers() : []
    let (inserted, updated) = try merge(places)
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
    let groups = try arrange(&places)
    let rows = places.rows
    let insert = try RowWriter(
      connection,
      """
      INSERT INTO places
      (id, title, blurb, url, category, priority, published, expires, geometry, radius, key)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """)
    for position in rows.indices {
      try insert.write(places, row: position, key: Int64(position + 1))
    }
    try writeTrees(groups, keysAscend: true) { position in
      let row = rows[position]
      return TreeEntry(
        key: Int64(position + 1), longitude: row.longitude, latitude: row.latitude,
        radiusMeters: row.radiusMeters)
    }
    try connection.execute(PlaceSchema.uniqueID)
    try restore(triggers)
  }

  private func arrange(_ places: inout StagedPlaces) throws(PlaceStoreError) -> [Range<Int>] {
    places.endAdding()
    let (order, groups) = TreeOrder.order(
      count: places.rows.count,
      capacity: try PackedTree.capacity(of: PlaceSchema.reachTree, dimensions: 3, on: connection)
    ) { index in
      let row = places.rows[index]
      return (row.longitude, row.latitude, row.radiusMeters)
    }
    places.arrange(order)
    return groups
  }

  private func merge(
    _ places: StagedPlaces
  ) throws(PlaceStoreError) -> (inserted: Int, updated: Int) {
    let find = try connection.prepare("SELECT key FROM places WHERE id = ?1")
    let insert = try RowWriter(
      connection,
      """
      INSERT INTO places
      (id, title, blurb, url, category, priority, published, expires, geometry, radius)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """)
    let update = try RowWriter(
      connection,
      """
      UPDATE places SET title = ?2, blurb = ?3, url = ?4, category = ?5, priority = ?6,
      published = ?7, expires = ?8, geometry = ?9, radius = ?10 WHERE id = ?1 AND key = ?11
      """)
    var counts = (inserted: 0, updated: 0)
    for row in places.rows.indices {
      let id = places.id(ofRow: row)
      find.bind(text: id.span, at: 1)
      let key = try find.step() ? find.integer(0) : nil
      find.reset()
      try (key == nil ? insert : update).write(places, row: row, key: key)
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

  private struct TreeEntry {
    var key: Int64
    var longitude: Double
    var latitude: Double
    var radiusMeters: Double

    var cell: PackedTree.Cell {
      let reach = radiusMeters / ReachBox.metersPerUnit
      return PackedTree.Cell(
        row: key,
        box: (
          PackedTree.down(longitude), PackedTree.up(longitude), PackedTree.down(latitude),
          PackedTree.up(latitude), PackedTree.down(reach),
          PackedTree.up(reach + ReachBox.thickness)
        ))
    }
  }

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
    let (order, groups) = TreeOrder.order(
      count: entries.count,
      capacity: try PackedTree.capacity(of: PlaceSchema.reachTree, dimensions: 3, on: connection)
    ) { index in
      (entries[index].longitude, entries[index].latitude, entries[index].radiusMeters)
    }
    try writeTrees(groups) { entries[Int(order[$0].index)] }
  }

  /// Packs both trees; where SQLite then does not read back what was written, lets it build them.
  ///
  /// - Parameters:
  ///   - groups: The classes of radii, as ranges of entries.
  ///   - keysAscend: Whether each entry's key is one more than that of the entry before.
  ///   - entry: The entry at an index.
  /// - Throws: ``PlaceStoreError``.
  private func writeTrees(
    _ groups: [Range<Int>], keysAscend: Bool = false, _ entry: (Int) -> TreeEntry
  ) throws(PlaceStoreError) {
    let count = groups.last?.upperBound ?? 0
    var twin: PackedTree?
    for (tree, dimensions) in [(PlaceSchema.reachTree, 3), (PlaceSchema.spatialIndex, 2)] {
      guard
        try connection.integer(
          "SELECT count(*) FROM sqlite_master WHERE name = '\(tree)'") == 1
      else { continue }
      let packed = try PackedTree(
        replacing: tree, dimensions: dimensions, rowsAscend: keysAscend, twin: twin, on: connection)
      try packed.write(groups: groups) { entry($0).cell }
      guard try connection.integer("SELECT count(*) FROM \(tree)") != count else {
        twin = packed
        continue
      }
      try connection.execute("DELETE FROM \(tree)")
      let columns = (0...(2 * dimensions)).map { "?\($0 + 1)" }.joined(separator: ", ")
      let insert = try connection.prepare("INSERT INTO \(tree) VALUES (\(columns))")
      for index in 0..<count {
        let box = entry(index).cell.box
        insert.bind(entry(index).key, at: 1)
        let values = [box.0, box.1, box.2, box.3, box.4, box.5]
        for (column, value) in values.prefix(2 * dimensions).enumerated() {
          insert.bind(Double(value), at: Int32(column + 2))
        }
        try insert.run()
      }
    }
  }
}

/// Binds a staged row to a statement's parameters 1 … 10, its key to 11, and runs it.
private final class RowWriter {
  private let connection: SQLiteConnection
  private let statement: SQLiteStatement
  private var blob: [UInt8] = []

  init(_ connection: SQLiteConnection, _ sql: String) throws(PlaceStoreError) {
    self.connection = connection
    statement = try connection.prepare(sql)
  }

  func write(_ places: StagedPlaces, row: Int, key: Int64?) throws(PlaceStoreError) {
    let place = places.rows[row]
    PointBlob.encode(
      Coordinate(latitudeDegrees: place.latitude, longitudeDegrees: place.longitude), into: &blob)
    statement.bind(place.radiusMeters, at: 10)
    if let key { statement.bind(key, at: 11) }
    // SQLite reads the texts where they are: to have them copied costs more than to store them.
    try unsafe places.withTexts(ofRow: row) { (bytes, texts) throws(PlaceStoreError) in
      for field in StagedPlaces.textFields.indices {
        let text = unsafe texts.next(in: bytes)
        let parameter = Int32(field + 1)
        // The last three are a number and dates, null where there are none.
        if field < 5 || !text.isEmpty {
          unsafe statement.bind(keptText: text, of: bytes, at: parameter)
        } else if field == 5 {
          statement.bind(Int64(0), at: parameter)
        } else {
          statement.bindNull(at: parameter)
        }
      }
      try unsafe blob.withUnsafeBufferPointer { (blob) throws(PlaceStoreError) in
        unsafe statement.bind(keptBlob: blob, at: 9)
        try statement.run()
      }
    }
    try connection.requireTransaction()
  }
}
