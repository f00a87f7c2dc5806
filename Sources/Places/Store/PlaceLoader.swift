import FencepostGeodesy
import FencepostSQLite

/// Writes staged places into the tables of a store, within the caller's transaction.
struct PlaceLoader {
  /// From this many rows on, rebuild the indexes rather than update them row by row.
  private static let bulkRows = 2000
  /// But not if the store already holds more than this many times as many rows.
  private static let bulkShare = 20

  private static let columns = StagedPlaces.columns.joined(separator: ", ")
  private static let upsert =
    "INSERT INTO places (\(columns)) SELECT \(columns) FROM temp.staged WHERE true"
    + " ORDER BY number ON CONFLICT (id) DO UPDATE SET "
    + StagedPlaces.columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

  let database: Database

  /// Writes all rows; each replaces a stored place with the same id.
  func load(_ rows: [StagedPlaces.Row], into report: inout ImportReport) throws {
    let present = try database.number("SELECT count(*) FROM places")
    let isBulk =
      present == 0 || rows.count >= max(PlaceLoader.bulkRows, present / PlaceLoader.bulkShare)
    let triggers = isBulk ? try dropTriggers() : []
    if present == 0 {
      try database.execute("DROP INDEX IF EXISTS places_id")
      // In tree order, neighbors get neighboring keys.
      let (order, groups) = try order(rows.map { ($0.coordinate, $0.radiusMeters) })
      try insert(inOrder: order)
      try database.execute(PlaceSchema.uniqueID)
      let first = Int64(try database.number("SELECT ifnull(min(key), 0) FROM places"))
      let cells = order.enumerated().map { index, row in
        PackedTree.Cell(
          row: first + Int64(index), center: rows[row].coordinate,
          radiusMeters: rows[row].radiusMeters)
      }
      try writeTrees(cells, groups)
    } else {
      try database.execute(PlaceLoader.upsert)
      if isBulk { try rebuildTrees() }
    }
    if isBulk { try restore(triggers) }
    let inserted = try database.number("SELECT count(*) FROM places") - present
    report.imported += inserted
    report.updated += rows.count - inserted
  }

  /// Copies the staged rows by one statement, since a run for each costs more than the row.
  private func insert(inOrder order: [Int]) throws {
    try database.execute("CREATE TEMP TABLE arranged (place INTEGER PRIMARY KEY, number INTEGER)")
    let numbers = try Statement(
      "INSERT INTO temp.arranged (number) SELECT value FROM json_each(?1)", on: database)
    for start in stride(from: 0, to: order.count, by: 1000) {
      let rows = order[start..<min(order.count, start + 1000)]
      numbers.bind("[\(rows.map(String.init).joined(separator: ","))]", at: 1)
      try numbers.run()
    }
    try database.execute(
      """
      INSERT INTO places (\(Self.columns)) SELECT \(Self.columns)
      FROM temp.arranged AS a CROSS JOIN temp.staged AS s ON s.number = a.number ORDER BY a.place;
      DROP TABLE temp.arranged
      """)
    try database.requireTransaction()
  }

  private func order(
    _ circles: [(center: Coordinate, radiusMeters: Double)]
  ) throws -> (order: [Int], groups: [Range<Int>]) {
    let tree = try PackedTree(PlaceSchema.reachTree, dimensions: 3, on: database)
    return TreeOrder.order(circles, capacity: tree.capacity)
  }

  // MARK: Triggers

  private func dropTriggers() throws -> [String] {
    let filter = "FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'places'"
    let definitions = try database.all("SELECT sql \(filter) ORDER BY rowid") { $0.string(0) }
    for name in try database.all("SELECT name \(filter)", [], { $0.string(0) }) {
      // The name comes from the file, which may be hostile.
      try database.execute("DROP TRIGGER \"\(name.replacing("\"", with: "\"\""))\"")
    }
    return definitions
  }

  private func restore(_ triggers: [String]) throws {
    for sql in triggers { try database.execute(sql) }
    // SpatiaLite's own trigger would have recorded this for each row.
    guard !triggers.isEmpty else { return }
    try database.execute(
      """
      UPDATE geometry_columns_time SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      WHERE f_table_name = 'places'
      """)
  }

  // MARK: Trees

  private func rebuildTrees() throws {
    var keys: [Int64] = []
    var circles: [(center: Coordinate, radiusMeters: Double)] = []
    let rows = try Statement("SELECT key, geometry, radius FROM places ORDER BY key", on: database)
    while try rows.step() {
      guard let center = rows.withBlob(1, PointBlob.decode) else { continue }
      keys.append(rows.integer(0))
      circles.append((center, rows.double(2)))
    }
    let (order, groups) = try order(circles)
    let cells = order.map {
      PackedTree.Cell(
        row: keys[$0], center: circles[$0].center, radiusMeters: circles[$0].radiusMeters)
    }
    try writeTrees(cells, groups)
  }

  /// Writes the trees that the store has; a store in memory has no spatial index.
  private func writeTrees(_ cells: [PackedTree.Cell], _ groups: [Range<Int>]) throws {
    let circles = try PackedTree(PlaceSchema.reachTree, dimensions: 3, on: database)
    try circles.write(cells, groups: groups)
    guard try database.hasObject(PlaceSchema.spatialIndex) else { return }
    try PackedTree(PlaceSchema.spatialIndex, dimensions: 2, on: database)
      .write(cells, groups: groups, twin: circles)
  }
}
