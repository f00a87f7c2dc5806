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

  private let center: Coordinate
  /// Rows within it of the center are where most are, in degrees.
  private let limit: Double
  /// How many cells beside its own another row may be in.
  private let reach: Int
  /// The cells of one degree with one of these rows.
  private var cells: Set<Int> = []

  /// Searches rows; nil if there is none that is swapped.
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

  private static func exchanged(_ row: Coordinate) -> Coordinate {
    Coordinate(latitudeDegrees: row.longitudeDegrees, longitudeDegrees: row.latitudeDegrees)
  }

  private func isNear(_ row: Coordinate) -> Bool { Self.degrees(row, center) <= limit }

  /// The greater of both differences.
  private static func degrees(_ a: Coordinate, _ b: Coordinate) -> Double {
    let difference = abs(a.longitudeDegrees - b.longitudeDegrees)
    return max(
      abs(a.latitudeDegrees - b.latitudeDegrees), min(difference, 360 - difference))
  }

  private static func cell(_ row: Coordinate) -> Int {
    min(179, Int(row.latitudeDegrees + 90)) * 360 + Int(row.longitudeDegrees + 180) % 360
  }

  private func isBesideAnother(_ coordinate: Coordinate) -> Bool {
    let (row, column) = Self.cell(coordinate).quotientAndRemainder(dividingBy: 360)
    return (max(0, row - reach)...min(179, row + reach)).contains { row in
      (column - reach...column + reach).contains { cells.contains(row * 360 + ($0 + 360) % 360) }
    }
  }

  /// How far a row is from the nearest of those that are where most are.
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
