import Geodesy

/// What a check of a store found.
public struct StoreCheck: Equatable, Sendable {
  /// One thing that was looked at.
  public struct Finding: Equatable, Sendable {
    /// What was looked at, such as `spatial index`.
    public var subject: String
    /// What is wrong with it as a sentence, nil where all is well.
    public var fault: String?
  }

  /// All that was looked at, in order.
  public var findings: [Finding]

  /// Whether nothing is wrong.
  public var isSound: Bool { findings.allSatisfy { $0.fault == nil } }
}

extension PlaceStore {
  /// Looks through the whole store: SQLite's own structure, both indexes, and the rows themselves.
  ///
  /// - Returns: What was found, sound or not.
  /// - Complexity: O(n log n), about ten seconds for a million places.
  /// - Throws: ``PlaceStoreError`` where the check itself is not possible.
  public func check() throws(PlaceStoreError) -> StoreCheck {
    guard memory == nil else {
      return StoreCheck(findings: try StoreChecks(openConnection()).bare())
    }
    let database = try SpatialDatabase(path: path)
    do {
      return try database.read { connection in
        try PlaceSchema.verifySpatial(connection)
        let checks = StoreChecks(connection)
        return StoreCheck(findings: try checks.bare() + checks.spatial())
      }
    } catch {
      throw PlaceStoreError(error, path: path)
    }
  }
}

/// The single checks, each a finding.
private struct StoreChecks {
  let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// What can be checked with SQLite alone.
  func bare() throws(PlaceStoreError) -> [StoreCheck.Finding] {
    [
      try text("database", "PRAGMA integrity_check(10)", expected: "ok"),
      try text("reach index", "SELECT rtreecheck('\(PlaceSchema.reachTree)')", expected: "ok"),
      try rows(),
      try integer(
        "reach index and table",
        "SELECT (SELECT count(*) FROM places_reach) - (SELECT count(*) FROM places)", expected: 0),
      try integer(
        "unique ids", "SELECT count(*) - count(DISTINCT id) FROM places", expected: 0),
    ]
  }

  /// What needs SpatiaLite.
  func spatial() throws(PlaceStoreError) -> [StoreCheck.Finding] {
    [
      try integer(
        "geometry column",
        """
        SELECT count(*) FROM geometry_columns WHERE f_table_name = 'places'
        AND f_geometry_column = 'geometry' AND geometry_type = 1 AND srid = 4326
        AND spatial_index_enabled = 1
        """, expected: 1),
      try text("spatial index", "SELECT rtreecheck('\(PlaceSchema.spatialIndex)')", expected: "ok"),
      try integer(
        "spatial index and table", "SELECT CheckSpatialIndex('places', 'geometry')", expected: 1),
      try integer(
        "triggers",
        """
        SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'places'
        AND name IN ('places_reach_insert', 'places_reach_update', 'places_reach_delete',
        'places_key_update')
        """, expected: 4),
    ]
  }

  /// Every row has a valid circle, and the reach index has it where it is.
  private func rows() throws(PlaceStoreError) -> StoreCheck.Finding {
    let statement = try connection.prepare(
      """
      SELECT p.id, p.geometry, p.radius, r.lon_min, r.lon_max, r.lat_min, r.lat_max,
      r.reach_min, r.reach_max FROM places AS p LEFT JOIN places_reach AS r ON r.key = p.key
      """)
    var faults = 0
    var first = ""
    while try statement.step() {
      guard let fault = fault(in: statement) else { continue }
      faults += 1
      if faults == 1 { first = "“\(statement.string(0))” \(fault)" }
    }
    guard faults > 0 else { return StoreCheck.Finding(subject: "places", fault: nil) }
    let others = faults > 1 ? ", and \(faults - 1) others" : ""
    return StoreCheck.Finding(subject: "places", fault: first + others)
  }

  private func fault(in row: SQLiteStatement) -> String? {
    guard let coordinate = row.withBlob(1, PointBlob.decode), coordinate.isValid else {
      return "has no valid position"
    }
    let radius = row.double(2)
    guard radius > 0, radius <= Circle.greatestRadiusMeters else { return "has no valid radius" }
    if row.isNull(3) { return "is not in the reach index" }
    let reach = radius / CircleCell.metersPerUnit
    let values = [coordinate.longitudeDegrees, coordinate.latitudeDegrees, reach]
    for (index, value) in values.enumerated() {
      let least = row.double(Int32(3 + 2 * index))
      let greatest = row.double(Int32(4 + 2 * index))
      // Two units in the last place of a 32-bit float of 180, and the third dimension's thickness.
      guard least <= value, greatest >= value, greatest - least < 0.002 + value.magnitude * 1e-6
      else { return "stands elsewhere in the reach index" }
    }
    return nil
  }

  private func text(
    _ subject: String, _ sql: String, expected: String
  ) throws(PlaceStoreError) -> StoreCheck.Finding {
    let said = try connection.text(sql) ?? "no answer"
    return StoreCheck.Finding(subject: subject, fault: said == expected ? nil : said)
  }

  private func integer(
    _ subject: String, _ sql: String, expected: Int64
  ) throws(PlaceStoreError) -> StoreCheck.Finding {
    let said = try connection.integer(sql)
    let fault = said == expected ? nil : "found \(said), expected \(expected)"
    return StoreCheck.Finding(subject: subject, fault: fault)
  }
}
