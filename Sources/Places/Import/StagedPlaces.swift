import FencepostFormats
import FencepostGeodesy
import FencepostSQLite

/// Keeps the accepted rows of an import until they can all be written in a better order.
///
/// Texts are in a temporary table, which SQLite moves to a file when it grows. Positions and ids
/// are in memory.
struct StagedPlaces {
  struct Origin: Equatable {
    var file: UInt32
    var line: UInt32
  }

  struct Row {
    var coordinate: Coordinate
    var radiusMeters: Double
    var origin: Origin
    /// A hash of its other fields if its id was derived.
    var contents: UInt64?
  }

  /// Whether a row was kept, or how an earlier row with its id got that id.
  enum Addition: Equatable {
    case kept, hasOwnID
    case isDerived(contents: UInt64, Origin)
  }

  /// The columns of a place, in the order of the temporary table.
  static let columns = [
    "id", "title", "category", "priority", "published", "expires", "url", "blurb", "geometry",
    "radius",
  ]

  private static let fields: [PlaceDraft.Field] = [
    .id, .title, .category, .priority, .published, .expires, .url, .blurb,
  ]

  private(set) var rows: [Row] = []
  private var ids: [String: Int32] = [:]
  private let insert: Statement
  private let title: Statement

  init(on connection: StoreConnection) throws(PlaceStoreError) {
    (insert, title) = try connection.run { database in
      let columns = Self.columns.joined(separator: ", ")
      // The rows are read again in another order. A cache of 32 MiB saves disk reads.
      try database.execute(
        """
        PRAGMA temp.cache_size = -32768;
        CREATE TEMP TABLE staged (number INTEGER PRIMARY KEY, \(columns))
        """)
      return (
        try Statement(
          "INSERT INTO temp.staged VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", on: database),
        try Statement("SELECT title FROM temp.staged WHERE number = ?1", on: database)
      )
    }
  }

  /// Adds a checked row unless an earlier one has its id.
  ///
  /// `contents` is a hash of the other fields if the id was derived.
  mutating func add(
    _ draft: PlaceDraft, coordinate: Coordinate, radiusMeters: Double,
    origin: Origin = Origin(file: 0, line: 0), contents: UInt64? = nil
  ) throws(PlaceStoreError) -> Addition {
    let id = draft.text(.id)
    if let earlier = ids[id].map({ rows[Int($0)] }) {
      guard let contents = earlier.contents else { return .hasOwnID }
      return .isDerived(contents: contents, earlier.origin)
    }
    ids[id] = Int32(rows.count)
    let bytes = draft.bytes.span
    insert.bind(Int64(rows.count), at: 1)
    for (index, field) in Self.fields.enumerated() {
      let text = bytes.extracting(draft.range(field))
      let isTime = field == .published || field == .expires
      if isTime, text.isEmpty {
        insert.bindNull(at: Int32(index + 2))
      } else if field == .priority {
        // Already checked to be empty or a 32-bit integer.
        insert.bind(Int64(DecimalNumber.double(parsing: text) ?? 0), at: Int32(index + 2))
      } else {
        insert.bind(text: text, at: Int32(index + 2))
      }
    }
    insert.bind(blob: PointBlob.bytes(coordinate).span, at: 10)
    insert.bind(radiusMeters, at: 11)
    while try insert.next() {}
    rows.append(
      Row(coordinate: coordinate, radiusMeters: radiusMeters, origin: origin, contents: contents))
    return .kept
  }

  func title(ofRow row: Int) throws(PlaceStoreError) -> String {
    title.bind(Int64(row), at: 1)
    defer { title.reset() }
    return try title.next() ? title.string(0) : ""
  }

  /// A number below `count`, the same for equal positions.
  private static func slot(_ coordinate: Coordinate, of count: Int) -> Int {
    let spot = coordinate.canonical
    // Adding 0 turns -0 into 0.
    let bits =
      (spot.latitudeDegrees + 0).bitPattern &* 0x9E37_79B9_7F4A_7C15
      ^ (spot.longitudeDegrees + 0).bitPattern &* 0xC2B2_AE3D_27D4_EB4F
    let mixed = (bits ^ (bits >> 32)) &* 0x9E37_79B9_7F4A_7C15
    return Int(((mixed >> 32) * UInt64(count)) >> 32)
  }

  struct SharedPosition {
    var rows: [Int] = []
    var count = 0
  }

  /// How many rows share their exact position, at how many positions, and the first of these.
  func sharedPositions() -> (places: Int, positions: Int, first: [SharedPosition]) {
    // Most positions are on their own. A dictionary of all would take a twelfth of an import.
    var slots = [UInt8](repeating: 0, count: rows.count * 8)
    for row in rows {
      let slot = Self.slot(row.coordinate, of: slots.count)
      slots[slot] = min(slots[slot] + 1, 2)
    }
    var counts: [Coordinate: Int] = [:]
    for row in rows where slots[Self.slot(row.coordinate, of: slots.count)] > 1 {
      counts[row.coordinate.canonical, default: 0] += 1
    }
    counts = counts.filter { $0.value > 1 }
    guard !counts.isEmpty else { return (0, 0, []) }
    var order: [Coordinate] = []
    var first: [Coordinate: SharedPosition] = [:]
    for (index, row) in rows.enumerated() {
      let spot = row.coordinate.canonical
      guard let count = counts[spot] else { continue }
      if first[spot] == nil {
        guard order.count < 3 else { continue }
        order.append(spot)
        first[spot] = SharedPosition(count: count)
      }
      if let rows = first[spot]?.rows, rows.count < 3 { first[spot]?.rows.append(index) }
    }
    let places = counts.values.reduce(0, +)
    return (places, counts.count, order.compactMap { first[$0] })
  }
}

/// Finds rows whose latitude and longitude are probably swapped.
///
/// Such a row is far from nearly all others, and near one of them with its coordinates swapped.
/// This needs most rows to be in one region; a worldwide list gives no result.
struct SwappedCoordinates {
  /// How many rows to sample to find the region.
  private static let sampleCount = 10_000
  private static let mostNamed = 5

  private(set) var count = 0
  private(set) var first: [Int] = []
  /// The smallest distance from a swapped row to its nearest other row.
  private(set) var distanceMeters = Double.infinity

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

  private static func exchanged(_ row: Coordinate) -> Coordinate {
    Coordinate(latitudeDegrees: row.longitudeDegrees, longitudeDegrees: row.latitudeDegrees)
  }

  private func isNear(_ row: Coordinate) -> Bool { Self.degrees(row, center) <= limit }

  /// The greater of both differences.
  private static func degrees(_ a: Coordinate, _ b: Coordinate) -> Double {
    let difference = abs(a.longitudeDegrees - b.longitudeDegrees)
    return max(abs(a.latitudeDegrees - b.latitudeDegrees), min(difference, 360 - difference))
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
