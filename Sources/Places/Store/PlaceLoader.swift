import FencepostGeodesy
import GRDB

/// Writes staged places into the tables of a store, within the caller's transaction.
struct PlaceLoader {
  /// From this many rows on, rebuild the indexes rather than update them row by row.
  private static let bulkRows = 2000
  /// But not if the store already holds more than this many times as many rows.
  private static let bulkShare = 20

  private static let columns = StagedPlaces.columns.joined(separator: ", ")
  private static let insert = """
    INSERT INTO places (\(columns)) SELECT \(columns) FROM temp.staged WHERE number = ?1
    """
  private static let upsert =
    insert + " ON CONFLICT (id) DO UPDATE SET "
    + StagedPlaces.columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

  let database: Database

  /// Writes all rows; each replaces a stored place with the same id.
  func load(_ rows: [StagedPlaces.Row], into report: inout ImportReport) throws {
    let present = try database.integer("SELECT count(*) FROM places")
    let isBulk =
      present == 0
      || rows.count >= max(PlaceLoader.bulkRows, present / PlaceLoader.bulkShare)
    let triggers = isBulk ? try dropTriggers() : []
    if present == 0 {
      try database.execute(sql: "DROP INDEX IF EXISTS places_id")
      // In tree order, neighbors get neighboring keys.
      try write(order(rows), by: PlaceLoader.insert)
      try database.execute(sql: PlaceSchema.uniqueID)
    } else {
      try write(Array(rows.indices), by: PlaceLoader.upsert)
    }
    if isBulk {
      try rebuildTrees()
      try restore(triggers)
    }
    let inserted = try database.integer("SELECT count(*) FROM places") - present
    report.imported += inserted
    report.updated += rows.count - inserted
  }

  private func write(_ rows: [Int], by sql: String) throws {
    let statement = try RawStatement(sql, on: database)
    for row in rows {
      statement.bind(Int64(row), at: 1)
      try statement.run()
      try database.requireTransaction()
    }
  }

  private func order(_ rows: [StagedPlaces.Row]) throws -> [Int] {
    let tree = try PackedTree(PlaceSchema.reachTree, dimensions: 3, on: database)
    let (order, _) = TreeOrder.order(
      rows.map { ($0.coordinate, $0.radiusMeters) }, capacity: tree.capacity)
    return order
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
    // SpatiaLite's own trigger would have recorded this for each row.
    guard !triggers.isEmpty else { return }
    try database.execute(
      sql: """
        UPDATE geometry_columns_time SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
        WHERE f_table_name = 'places'
        """)
  }

  // MARK: Trees

  private func rebuildTrees() throws {
    var keys: [Int64] = []
    var circles: [(center: Coordinate, radiusMeters: Double)] = []
    let rows = try RawStatement(
      "SELECT key, geometry, radius FROM places ORDER BY key", on: database)
    while try rows.step() {
      guard let center = rows.withBlob(1, PointBlob.decode) else { continue }
      keys.append(rows.integer(0))
      circles.append((center, rows.double(2)))
    }
    for (name, dimensions) in [(PlaceSchema.reachTree, 3), (PlaceSchema.spatialIndex, 2)]
    where try database.hasObject(name) {
      let tree = try PackedTree(name, dimensions: dimensions, on: database)
      let (order, groups) = TreeOrder.order(circles, capacity: tree.capacity)
      try tree.write(
        order.map {
          PackedTree.Cell(
            row: keys[$0], center: circles[$0].center, radiusMeters: circles[$0].radiusMeters)
        }, groups: groups)
    }
  }
}
