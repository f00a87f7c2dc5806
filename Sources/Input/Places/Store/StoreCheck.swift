package import FencepostGeodesy
import FencepostMonitoring
import FencepostSQLite

/// The result of checking a whole store for damage.
///
/// A store that another program edited, or that a full disk or a bad medium cut off, may open and
/// still give wrong answers.
package struct StoreCheck: Equatable, Sendable {
  /// One thing that was checked.
  package struct Finding: Equatable, Sendable {
    /// What was checked, such as `spatial index`.
    package var subject: String
    /// What is wrong, as a sentence; nil if sound.
    package var fault: String?
  }

  /// What was checked, sound or not; some checks do not apply to a store in memory.
  package var findings: [Finding]

  /// Whether no check found a fault.
  package var isSound: Bool { findings.allSatisfy { $0.fault == nil } }
}

extension PlaceStore {
  /// Checks the whole store: SQLite's structure, the spatial index and the rows.
  ///
  /// - Complexity: O(n log n), about ten seconds for a million places.
  package func check() throws(PlaceStoreError) -> StoreCheck {
    if let memory {
      return try memory.run { StoreCheck(findings: try StoreChecks(database: $0).bare()) }
    }
    return try StoreConnection(reading: path).run { database in
      try PlaceSchema.verifyWritable(database)
      try PlaceSchema.verifySpatial(database)
      let checks = StoreChecks(database: database)
      return StoreCheck(findings: try checks.bare() + checks.spatial())
    }
  }

  /// Measures the contents of a store, and the density at up to `sampleLimit` places.
  ///
  /// - Complexity: O(n log n), plus about 100 µs per sampled place.
  package func statistics(sampleLimit: Int = 2000) throws(PlaceStoreError) -> StoreStatistics {
    let reader = try makeReader()
    let count = try reader.count()
    let stride = max(1, count / max(1, sampleLimit))
    var radii: [Double] = []
    var spots: Set<Coordinate> = []
    var sample: [Coordinate] = []
    var box: CoordinateBox?
    try reader.list { place in
      let spot = place.coordinate.canonical
      if radii.count % stride == 0 { sample.append(spot) }
      radii.append(place.radiusMeters)
      spots.insert(spot)
      let (x, y) = (spot.longitudeDegrees, spot.latitudeDegrees)
      let old =
        box ?? CoordinateBox(westDegrees: x, southDegrees: y, eastDegrees: x, northDegrees: y)
      box = CoordinateBox(
        westDegrees: min(old.westDegrees, x), southDegrees: min(old.southDegrees, y),
        eastDegrees: max(old.eastDegrees, x), northDegrees: max(old.northDegrees, y))
      return true
    }
    var distances: [Double] = []
    var most = 0
    for coordinate in sample {
      let near = try reader.nearest(to: coordinate, count: 21, rank: .center)
      if near.count == 21, let last = near.last { distances.append(last.centerDistanceMeters) }
      most = max(most, try reader.containing(coordinate).count)
    }
    return StoreStatistics(
      count: radii.count, distinctPositions: spots.count,
      radiiMeters: StoreStatistics.Distribution(radii), box: box,
      twentiethNeighborMeters: StoreStatistics.Distribution(distances), mostOverlapping: most,
      sampledPlaces: sample.count,
      fileBytes: memory == nil ? StoreFileStamp(path: path)?.byteCount ?? 0 : 0)
  }
}

/// The checks of one database, each of which makes a finding.
private struct StoreChecks {
  let database: Database

  /// The checks of the table of places.
  func bare() throws -> [StoreCheck.Finding] {
    [
      try structure(),
      try rows(),
      try check("unique ids", "SELECT count(*) - count(DISTINCT id) FROM places", expected: 0),
    ]
  }

  /// SQLite's check of each table that a store needs.
  ///
  /// Checking all would compute whatever the file says about others.
  private func structure() throws -> StoreCheck.Finding {
    for table in PlaceSchema.tables where try database.hasObject(table) {
      let found = try check("database", "PRAGMA integrity_check('\(table)')", expected: "ok")
      if found.fault != nil { return found }
    }
    return StoreCheck.Finding(subject: "database", fault: nil)
  }

  /// The checks of what SpatiaLite needs.
  func spatial() throws -> [StoreCheck.Finding] {
    [
      try check(
        "geometry column",
        """
        SELECT count(*) FROM geometry_columns WHERE f_table_name = 'places'
        AND f_geometry_column = 'geometry' AND geometry_type = 1 AND srid = 4326
        AND spatial_index_enabled = 1
        """, expected: 1),
      try check(
        "spatial index", "SELECT rtreecheck('\(PlaceSchema.spatialIndex)')", expected: "ok"),
      try index(),
      // Those of stores of version 1 come first.
      try check(
        "triggers",
        """
        SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'places'
        AND name IN ('places_reach_insert', 'places_reach_update', 'places_position_insert',
        'places_position_update', 'places_key_update')
        """, expected: 3),
    ]
  }

  /// Compares the answer to a query with the text that it must be.
  private func check(
    _ subject: String, _ sql: String, expected: String
  ) throws -> StoreCheck.Finding {
    let found = try database.text(sql) ?? "no answer"
    return StoreCheck.Finding(subject: subject, fault: found == expected ? nil : found)
  }

  /// Compares the answer to a query with the number that it must be.
  private func check(_ subject: String, _ sql: String, expected: Int) throws -> StoreCheck.Finding {
    let found = try database.number(sql)
    let fault = found == expected ? nil : "found \(found), expected \(expected)"
    return StoreCheck.Finding(subject: subject, fault: fault)
  }

  /// Checks that every row has a valid circle.
  private func rows() throws -> StoreCheck.Finding {
    let row = try Statement("SELECT id, geometry, radius FROM places", on: database)
    var faults = 0
    var first = ""
    while try row.step() {
      guard let fault = fault(in: row) else { continue }
      faults += 1
      if faults == 1 { first = "“\(row.string(0))” \(fault)" }
    }
    guard faults > 0 else { return StoreCheck.Finding(subject: "places", fault: nil) }
    let others =
      switch faults {
      case 1: ""
      case 2: "; 1 more place has a fault"
      default: "; \(faults - 1) more places have faults"
      }
    return StoreCheck.Finding(subject: "places", fault: first + others)
  }

  /// Checks that the spatial index has each place where it is, and nothing else.
  private func index() throws -> StoreCheck.Finding {
    let row = try Statement(
      """
      SELECT p.geometry, i.xmin, i.xmax, i.ymin, i.ymax
      FROM places AS p LEFT JOIN \(PlaceSchema.spatialIndex) AS i ON i.pkid = p.key
      """, on: database)
    var (found, places) = (0, 0)
    while try row.step() {
      guard let point = row.withBlob(0, PointBlob.decode) else { continue }
      places += 1
      func isIn(_ least: Int32, _ value: Double) -> Bool {
        let (least, greatest) = (row.double(least), row.double(least + 1))
        // The index has single precision.
        return !row.isNull(1) && least <= value && value <= greatest && greatest - least < 1e-4
      }
      if isIn(1, point.longitudeDegrees), isIn(3, point.latitudeDegrees) { found += 1 }
    }
    let entries = try database.number("SELECT count(*) FROM \(PlaceSchema.spatialIndex)")
    let fault =
      if found < places {
        "\(places - found) of \(places) places are not in the index where they are"
      } else {
        entries == places ? nil : "\(entries - places) entries of the index have no place"
      }
    return StoreCheck.Finding(subject: "spatial index and table", fault: fault)
  }

  /// What is wrong with a row's circle; nil if it is valid.
  private func fault(in row: Statement) -> String? {
    if row.string(0).isEmpty { return "has no id" }
    guard let coordinate = row.withBlob(1, PointBlob.decode), coordinate.isValid else {
      return "has no valid position"
    }
    let radius = row.double(2)
    guard radius > 0, radius <= Circle.greatestRadiusMeters else { return "has no valid radius" }
    return nil
  }
}

/// What a store holds: how many places, how large and how close together.
///
/// It helps to choose a radius and the number of watched places. Densities are measured at a sample
/// of places, everything else at all.
package struct StoreStatistics: Equatable, Sendable {
  /// The extremes, median, and first and last decile of some numbers.
  ///
  /// Each number is one of those given, without interpolation.
  package struct Distribution: Equatable, Sendable {
    /// The smallest number.
    package var least: Double
    /// A tenth of the numbers are below this.
    package var tenth: Double
    /// Half of the numbers are below this.
    package var median: Double
    /// Nine tenths of the numbers are below this.
    package var ninetieth: Double
    /// The largest number.
    package var greatest: Double

    /// Measures numbers; nil without any.
    init?(_ numbers: [Double]) {
      let sorted = numbers.sorted()
      guard let first = sorted.first, let last = sorted.last else { return nil }
      func value(_ share: Double) -> Double { sorted[Int(Double(sorted.count - 1) * share)] }
      least = first
      tenth = value(0.1)
      median = value(0.5)
      ninetieth = value(0.9)
      greatest = last
    }
  }

  /// The number of places.
  package var count: Int
  /// The number of positions with at least one place.
  package var distinctPositions: Int
  /// The radii in meters; nil in an empty store.
  package var radiiMeters: Distribution?
  /// The smallest box around all places, never across the antimeridian; nil in an empty store.
  package var box: CoordinateBox?
  /// The distance in meters from a sampled place to its 20th nearest neighbor; nil if it has fewer.
  package var twentiethNeighborMeters: Distribution?
  /// The largest number of circles around the center of any sampled place.
  package var mostOverlapping: Int
  /// The number of places at which the density was measured.
  package var sampledPlaces: Int
  /// The size of the file in bytes; 0 for a store in memory.
  package var fileBytes: Int
}
