package import FencepostGeodesy
import FencepostMonitoring
import FencepostSQLite

package struct StoreCheck: Equatable, Sendable {
  package struct Finding: Equatable, Sendable {
    /// What was checked, such as `spatial index`.
    package var subject: String
    /// What is wrong, as a sentence; nil if sound.
    package var fault: String?
  }

  package var findings: [Finding]

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
    return try StoreConnection(writing: path).run { database in
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

private struct StoreChecks {
  let database: Database

  /// The checks that need only SQLite.
  func bare() throws -> [StoreCheck.Finding] {
    [
      try check("database", "PRAGMA integrity_check(10)", expected: "ok"),
      try rows(),
      try check("unique ids", "SELECT count(*) - count(DISTINCT id) FROM places", expected: 0),
    ]
  }

  /// The checks that need SpatiaLite.
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
      try check(
        "spatial index and table", "SELECT CheckSpatialIndex('places', 'geometry')", expected: 1),
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

  private func check(
    _ subject: String, _ sql: String, expected: String
  ) throws -> StoreCheck.Finding {
    let found = try database.text(sql) ?? "no answer"
    return StoreCheck.Finding(subject: subject, fault: found == expected ? nil : found)
  }

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

  private func fault(in row: Statement) -> String? {
    guard let coordinate = row.withBlob(1, PointBlob.decode), coordinate.isValid else {
      return "has no valid position"
    }
    let radius = row.double(2)
    guard radius > 0, radius <= Circle.greatestRadiusMeters else { return "has no valid radius" }
    return nil
  }
}

package struct StoreStatistics: Equatable, Sendable {
  /// The extremes, median, and first and last decile of some numbers.
  package struct Distribution: Equatable, Sendable {
    package var least: Double
    package var tenth: Double
    package var median: Double
    package var ninetieth: Double
    package var greatest: Double

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

  package var count: Int
  package var distinctPositions: Int
  /// The radii in meters; nil in an empty store.
  package var radiiMeters: Distribution?
  package var box: CoordinateBox?
  /// The distance in meters from a sampled place to its 20th nearest neighbor; nil if it has fewer.
  package var twentiethNeighborMeters: Distribution?
  /// The largest number of circles around the center of any sampled place.
  package var mostOverlapping: Int
  package var sampledPlaces: Int
  package var fileBytes: Int
}
