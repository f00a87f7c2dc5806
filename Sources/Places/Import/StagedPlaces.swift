import FencepostFormats
import FencepostGeodesy
import FencepostSQLite

/// Writes the accepted rows of an import and remembers what later steps need of them.
///
/// Those of a new store go right into its table, which nobody else sees yet. Those for a store with
/// places wait in a temporary table, so that reading the files locks nobody out.
struct StagedPlaces {
  enum Table: String {
    case new = "main.places"
    case waiting = "temp.staged"
  }

  struct Origin: Equatable {
    var file: UInt32
    var line: UInt32
  }

  struct Row {
    var coordinate: Coordinate
    var origin: Origin
  }

  /// Whether a row was kept, or how an earlier row with its id got that id.
  enum Addition: Equatable {
    case kept, hasOwnID
    case isDerived(contents: UInt64, Origin)
  }

  /// The columns of a place, in the order in which they are bound.
  static let columns = [
    "id", "title", "category", "priority", "published", "expires", "url", "blurb", "geometry",
    "radius",
  ]

  private static let fields: [PlaceDraft.Field] = [
    .id, .title, .category, .priority, .published, .expires, .url, .blurb,
  ]

  /// The rows; the key of each in the table is its position here, from 1.
  private(set) var rows: [Row] = []
  /// For each row whose id was derived, a hash of its other fields.
  private var contents: [UInt32: UInt64] = [:]
  private var ids = IDTable()
  /// The id found last, and its row: where one repeats, it often does so in row after row.
  private var repeated: (id: String, row: UInt32)?
  private let insert: Statement
  private let texts: Statement

  /// Prepares to write into an empty table.
  init(_ table: Table, on connection: StoreConnection) throws(PlaceStoreError) {
    (insert, texts) = try connection.run { database in
      let columns = Self.columns.joined(separator: ", ")
      if table == .waiting {
        try database.execute(
          "CREATE TEMP TABLE staged (number INTEGER PRIMARY KEY, \(columns))")
      }
      let marks = Self.columns.map { _ in "?" }.joined(separator: ", ")
      return (
        try Statement(
          "INSERT INTO \(table.rawValue) (\(columns)) VALUES (\(marks))", on: database),
        try Statement("SELECT id, title FROM \(table.rawValue) WHERE rowid = ?1", on: database)
      )
    }
  }

  /// Adds a checked row unless an earlier one has its id.
  ///
  /// `contents` is a hash of the other fields if the id was derived.
  mutating func add(
    _ draft: borrowing PlaceDraft, coordinate: Coordinate, radiusMeters: Double,
    origin: Origin = Origin(file: 0, line: 0), contents: UInt64? = nil
  ) throws(PlaceStoreError) -> Addition {
    let id = draft.text(.id)
    if repeated?.id != id {
      let row = try ids.add(id, row: UInt32(rows.count)) { [texts] row throws(PlaceStoreError) in
        try Self.text(0, ofRow: Int(row), texts) == id
      }
      repeated = row.map { (id, $0) }
    }
    if let row = repeated?.row {
      guard let contents = self.contents[row] else { return .hasOwnID }
      return .isDerived(contents: contents, rows[Int(row)].origin)
    }
    let bytes = draft.bytes.span
    for (index, field) in Self.fields.enumerated() {
      let text = bytes.extracting(draft.range(field))
      let isTime = field == .published || field == .expires
      if isTime, text.isEmpty {
        insert.bindNull(at: Int32(index + 1))
      } else if field == .priority {
        // Already checked to be empty or a 32-bit integer.
        insert.bind(Int64(DecimalNumber.double(parsing: text) ?? 0), at: Int32(index + 1))
      } else {
        insert.bind(text: text, at: Int32(index + 1))
      }
    }
    insert.bind(blob: PointBlob.bytes(coordinate).span, at: 9)
    insert.bind(radiusMeters, at: 10)
    while try insert.next() {}
    if let contents { self.contents[UInt32(rows.count)] = contents }
    rows.append(Row(coordinate: coordinate, origin: origin))
    return .kept
  }

  /// Frees what only adding needs.
  mutating func endAdding() {
    (ids, contents) = (IDTable(), [:])
  }

  func title(ofRow row: Int) throws(PlaceStoreError) -> String {
    try Self.text(1, ofRow: row, texts)
  }

  private static func text(
    _ column: Int32, ofRow row: Int, _ texts: Statement
  ) throws(PlaceStoreError) -> String {
    texts.bind(Int64(row + 1), at: 1)
    defer { texts.reset() }
    return try texts.next() ? texts.string(column) : ""
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

/// Finds the rows of ids by their hashes, in less memory than a dictionary.
private struct IDTable {
  /// A row and half of its id's hash; the row is `.max` in an empty slot, as half of them are.
  private var slots: [(hash: UInt32, row: UInt32)] = []
  private var count = 0

  /// Adds a row, or returns the earlier one with its id, which `hasID` recognizes.
  mutating func add(
    _ id: String, row: UInt32, hasID: (UInt32) throws(PlaceStoreError) -> Bool
  ) throws(PlaceStoreError) -> UInt32? {
    if count >= slots.count / 2 { grow() }
    let hash = UInt32(truncatingIfNeeded: id.hashValue)
    var index = first(hash)
    while slots[index].row != .max {
      if slots[index].hash == hash, try hasID(slots[index].row) { return slots[index].row }
      index = (index + 1) & (slots.count - 1)
    }
    slots[index] = (hash, row)
    count += 1
    return nil
  }

  /// The hash's upper bits choose the slot, so that a table twice as large keeps the order.
  private func first(_ hash: UInt32) -> Int {
    Int((UInt64(hash) * UInt64(slots.count)) >> 32)
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: (0, .max), count: max(64, 2 * old.count))
    for slot in old where slot.row != .max {
      var index = first(slot.hash)
      while slots[index].row != .max { index = (index + 1) & (slots.count - 1) }
      slots[index] = slot
    }
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
