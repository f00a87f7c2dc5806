import FencepostGeodesy

/// Finds rows whose latitude and longitude are probably swapped.
///
/// Such a row is far from nearly all others, and near one of them with its coordinates swapped.
/// This needs most rows to be in one region; a worldwide list gives no result.
struct SwappedCoordinates {
  /// How many rows to sample to find the region.
  private static let sampleCount = 10_000
  private static let mostNamed = 5

  /// How many rows are probably swapped.
  private(set) var count = 0
  /// The indices of the first of them.
  private(set) var first: [Int] = []
  /// The smallest distance from a swapped row to its nearest other row.
  private(set) var distanceMeters = Double.infinity

  /// The medians of latitude and longitude, around which most rows are.
  private let center: Coordinate
  /// How far the region extends from the center, in degrees.
  private let limit: Double
  /// How many cells away a nearby row may be.
  private let reach: Int
  /// The one-degree cells that contain rows of the region.
  private var cells: Set<Int> = []

  /// Searches the rows; nil if none is swapped.
  ///
  /// - Complexity: O(n) for n rows.
  init?(in rows: [Coordinate]) {
    guard rows.count >= 4 else { return nil }
    let step = max(1, rows.count / Self.sampleCount)
    let sample = stride(from: 0, to: rows.count, by: step).map { rows[$0] }
    func median(_ value: (Coordinate) -> Double) -> Double {
      sample.map(value).sorted()[sample.count / 2]
    }
    let center = Coordinate(
      latitudeDegrees: median(\.latitudeDegrees), longitudeDegrees: median(\.longitudeDegrees))
    let spread = sample.map { Self.degrees($0, center) }.sorted()[(sample.count - 1) * 3 / 4]
    self.center = center
    limit = max(2, 5 * spread)
    reach = max(1, Int(spread / 4))
    guard limit <= 110 else { return nil }
    var candidates: [Int] = []
    for (index, row) in rows.enumerated() {
      if isNear(row) {
        cells.insert(Self.cell(row))
      } else if abs(row.longitudeDegrees) <= 90, isNear(Self.exchanged(row)) {
        candidates.append(index)
      }
    }
    for index in candidates where isBesideAnother(Self.exchanged(rows[index])) {
      count += 1
      if first.count < Self.mostNamed { first.append(index) }
    }
    guard count > 0 else { return nil }
    distanceMeters = first.map { distance(of: rows[$0], in: rows) }.min() ?? .infinity
  }

  /// A row with latitude and longitude exchanged.
  private static func exchanged(_ row: Coordinate) -> Coordinate {
    Coordinate(latitudeDegrees: row.longitudeDegrees, longitudeDegrees: row.latitudeDegrees)
  }

  private func isNear(_ row: Coordinate) -> Bool { Self.degrees(row, center) <= limit }

  /// The greater of both differences.
  private static func degrees(_ a: Coordinate, _ b: Coordinate) -> Double {
    let difference = abs(a.longitudeDegrees - b.longitudeDegrees)
    return max(abs(a.latitudeDegrees - b.latitudeDegrees), min(difference, 360 - difference))
  }

  /// The number of the one-degree cell that a position is in.
  private static func cell(_ row: Coordinate) -> Int {
    min(179, Int(row.latitudeDegrees + 90)) * 360 + Int(row.longitudeDegrees + 180) % 360
  }

  /// Whether a row of the region is in a cell near a position.
  private func isBesideAnother(_ coordinate: Coordinate) -> Bool {
    let (row, column) = Self.cell(coordinate).quotientAndRemainder(dividingBy: 360)
    return (max(0, row - reach)...min(179, row + reach)).contains { row in
      (column - reach...column + reach).contains { cells.contains(row * 360 + ($0 + 360) % 360) }
    }
  }

  /// The distance of a row from the nearest row of the region.
  private func distance(of row: Coordinate, in rows: [Coordinate]) -> Double {
    let point = Position(row).vector
    // The chord is precise enough to find the nearest.
    func chordSquared(_ other: Coordinate) -> Double {
      let apart = Position(other).vector - point
      return (apart * apart).sum()
    }
    let nearest = rows.filter(isNear).min { chordSquared($0) < chordSquared($1) }
    return Geodesic.distanceMeters(row, nearest ?? row)
  }
}
