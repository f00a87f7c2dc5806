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

  /// What remains in memory for each row.
  struct Row {
    var coordinate: Coordinate
    var radiusMeters: Double
    var origin: Origin
    /// A hash of its other fields if its id was derived.
    var contents: UInt64?
  }

  /// A row whose id was derived.
  struct Derived: Equatable {
    var contents: UInt64
    var origin: Origin
  }

  /// Whether a row was kept, or how an earlier row with its id got that id.
  enum Addition: Equatable {
    case kept, hasOwnID
    case isDerived(Derived)
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
  /// The row of each id.
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
      return .isDerived(Derived(contents: contents, origin: earlier.origin))
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

  struct SharedPosition {
    var rows: [Int] = []
    var count = 0
  }

  /// How many rows share their exact position, at how many positions, and the first of these.
  func sharedPositions() -> (places: Int, positions: Int, first: [SharedPosition]) {
    var counts: [Coordinate: Int] = [:]
    for row in rows { counts[row.coordinate.canonical, default: 0] += 1 }
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
