import FencepostGeodesy
import FencepostMonitoring
import FencepostSQLite

/// The circles of a store whose centers are in a box, and all wide ones, held in memory.
///
/// Other circles are too far away to matter for an answer that reaches less far than
/// ``clearanceMeters(at:)``. If a question reaches farther, the next neighborhood is read around its
/// position with four times as many circles. Where that is an eighth of the store, the whole store
/// is read. So however the positions jump about, all reading together takes at most a sixth more
/// time than reading the whole store.
struct StoreNeighborhood {
  /// How many circles the first neighborhood has at least.
  static let leastCount = 1024
  /// How many circles a neighborhood has at most, unless a single answer needs more.
  static let mostCount = 2_000_000
  /// Looking up a row costs about eight times as much as scanning it.
  private static let rowsPerLookup = 8
  /// Half the width of the first box that is tried.
  private static let leastReachMeters = 2000.0

  let index: CircleIndex
  /// Has the centers of all circles that are not wide; nil for the whole store.
  private let box: CoordinateBox?
  /// The ids that ties have needed.
  var ids: [Int64: String] = [:]

  /// No circle with its center nearer to a position is missing, nor any wide circle.
  func clearanceMeters(at position: Position) -> Double {
    box?.clearanceMeters(at: position) ?? .infinity
  }

  // MARK: Reading

  /// Reads about `count` circles or more around a position, or the whole store.
  ///
  /// If it is limited, fewer circles are preferred to more than ``mostCount``. Without a spatial
  /// index, the whole store is read.
  init(
    around position: Position, count: Int, isLimited: Bool, storeCount: Int, hasSpatialIndex: Bool,
    from database: Database
  ) throws {
    let mayBeWhole = !isLimited || storeCount <= Self.mostCount
    let box =
      !hasSpatialIndex || (mayBeWhole && count >= storeCount / Self.rowsPerLookup)
      ? nil
      : try Self.box(
        around: position, count: count,
        mostCount: mayBeWhole ? storeCount / Self.rowsPerLookup : Self.mostCount,
        mayBeWhole: mayBeWhole, from: database)
    self.box = box
    var entries: [IndexedCircle] = []
    if let box {
      try Self.read(Self.select + " WHERE \(PlaceSchema.isWide)", into: &entries, from: database)
      // SQLite sorts the keys of a list, so each page of the table is read once.
      try Self.read(
        """
        \(Self.select) WHERE key IN (
          SELECT pkid FROM \(PlaceSchema.spatialIndex) WHERE \(box.treeCondition))
        AND NOT \(PlaceSchema.isWide)
        """, into: &entries, from: database)
    } else {
      // Scanning the table costs far less than looking up each row.
      entries.reserveCapacity(storeCount)
      try Self.read(Self.select, into: &entries, from: database)
    }
    index = CircleIndex(entries)
  }

  private static let select = "SELECT key, geometry, radius FROM places"

  /// Reads circles by a query for key, geometry and radius, without invalid ones.
  private static func read(
    _ sql: String, into entries: inout [IndexedCircle], from database: Database
  ) throws {
    let rows = try Statement(sql, on: database)
    while try rows.step() {
      let radius = rows.double(2)
      // An edit by another program may leave an invalid circle.
      guard let coordinate = rows.withBlob(1, PointBlob.decode), coordinate.isValid,
        radius > 0, radius <= Circle.greatestRadiusMeters
      else { continue }
      entries.append(
        IndexedCircle(
          coordinate: coordinate.canonical, radiusMeters: radius, key: rows.integer(0)))
    }
  }

  /// A box with at least `count` places; nil if the whole store should be read instead.
  ///
  /// With `mayBeWhole`, it should if the box has more than `mostCount` places. Otherwise the box
  /// has fewer than `count` rather than that many.
  private static func box(
    around position: Position, count: Int, mostCount: Int, mayBeWhole: Bool,
    from database: Database
  ) throws -> CoordinateBox? {
    var reachMeters = leastReachMeters
    var smaller: CoordinateBox?
    while reachMeters < Circle.greatestRadiusMeters {
      let box = CoordinateBox(around: position, reachMeters: reachMeters)
      let found = try database.number(
        """
        SELECT count(*) FROM (
          SELECT 1 FROM \(PlaceSchema.spatialIndex) WHERE \(box.treeCondition)
          LIMIT \(mostCount + 1))
        """)
      if found > mostCount { return mayBeWhole ? nil : smaller ?? box }
      if found >= count { return box }
      smaller = box
      reachMeters *= 2
    }
    return mayBeWhole ? nil : smaller
  }
}
