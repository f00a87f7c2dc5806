import FencepostGeodesy

/// Finds rows whose latitude and longitude are probably exchanged.
///
/// Such a row is far from nearly all others, and would be beside one of them with its coordinates exchanged. Most rows
/// must be in one region; a list of the whole world tells nothing.
struct SwappedCoordinates {
  /// How many rows show where most are.
  private static let sampleCount = 10_000
  /// How many of the rows are named.
  private static let mostNamed = 5

  /// How many rows there are.
  private(set) var count = 0
  /// The first of them.
  private(set) var first: [Int] = []
  /// How far the nearest of them is from all other rows.
  private(set) var distanceMeters = Double.infinity

  private let center: (latitude: Double, longitude: Double)
  /// Rows within it of the center are where most are, in degrees.
  private let limit: Double
  /// How many cells beside its own another row may be in.
  private let reach: Int
  /// Whether one of these rows is in a cell of one degree.
  private var cells = [Bool](repeating: false, count: 180 * 360)

  /// Searches rows; nil if there is none that is swapped.
  ///
  /// - Complexity: O(n) for n rows.
  init?(in rows: [StagedPlaces.Row]) {
    guard rows.count >= 4 else { return nil }
    let sample = stride(from: 0, to: rows.count, by: max(1, rows.count / Self.sampleCount))
    let latitudes = sample.map { rows[$0].latitude }.sorted()
    let longitudes = sample.map { rows[$0].longitude }.sorted()
    let center = (latitudes[latitudes.count / 2], longitudes[longitudes.count / 2])
    let distances = sample.map { Self.degrees(rows[$0].latitude, rows[$0].longitude, center) }
      .sorted()
    let spread = distances[(distances.count - 1) * 3 / 4]
    self.center = center
    limit = max(2, 5 * spread)
    reach = max(1, Int(spread / 4))
    guard limit <= 110 else { return nil }
    var candidates: [Int] = []
    for index in rows.indices {
      let row = rows[index]
      if isNear(row.latitude, row.longitude) {
        mark(row)
      } else if abs(row.longitude) <= 90, isNear(row.longitude, row.latitude) {
        candidates.append(index)
      }
    }
    for index in candidates where isBesideAnother(rows[index].longitude, rows[index].latitude) {
      count += 1
      if first.count < Self.mostNamed { first.append(index) }
    }
    guard count > 0 else { return nil }
    for index in first { distanceMeters = min(distanceMeters, distance(of: index, in: rows)) }
  }

  private func isNear(_ latitude: Double, _ longitude: Double) -> Bool {
    Self.degrees(latitude, longitude, center) <= limit
  }

  /// The greater of both differences.
  private static func degrees(
    _ latitude: Double, _ longitude: Double, _ center: (latitude: Double, longitude: Double)
  ) -> Double {
    let difference = abs(longitude - center.longitude)
    return max(abs(latitude - center.latitude), min(difference, 360 - difference))
  }

  private mutating func mark(_ row: StagedPlaces.Row) {
    let cell = Self.cell(row.latitude, row.longitude)
    cells[cell.latitude * 360 + cell.longitude] = true
  }

  private static func cell(
    _ latitude: Double, _ longitude: Double
  ) -> (latitude: Int, longitude: Int) {
    (min(179, Int(latitude + 90)), Int(longitude + 180) % 360)
  }

  private func isBesideAnother(_ latitude: Double, _ longitude: Double) -> Bool {
    let cell = Self.cell(latitude, longitude)
    for row in max(0, cell.latitude - reach)...min(179, cell.latitude + reach) {
      for column in (cell.longitude - reach)...(cell.longitude + reach)
      where cells[row * 360 + (column + 360) % 360] { return true }
    }
    return false
  }

  /// How far a row is from the nearest of those that are where most are.
  private func distance(of index: Int, in rows: [StagedPlaces.Row]) -> Double {
    let point = Self.direction(rows[index])
    var (nearest, greatest) = (index, -2.0)
    for (other, row) in rows.enumerated() where isNear(row.latitude, row.longitude) {
      let cosine = (Self.direction(row) * point).sum()
      if cosine > greatest { (nearest, greatest) = (other, cosine) }
    }
    return Geodesic.distanceMeters(Self.coordinate(rows[index]), Self.coordinate(rows[nearest]))
  }

  private static func coordinate(_ row: StagedPlaces.Row) -> Coordinate {
    Coordinate(latitudeDegrees: row.latitude, longitudeDegrees: row.longitude)
  }

  /// The direction of a row from the center of a sphere, precise enough to find the nearest.
  private static func direction(_ row: StagedPlaces.Row) -> SIMD3<Double> {
    let position = Position(coordinate(row))
    let vector = position.vector
    return vector / (vector * vector).sum().squareRoot()
  }
}
