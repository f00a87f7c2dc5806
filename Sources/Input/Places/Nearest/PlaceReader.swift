import FencepostFormats
package import FencepostGeodesy
public import FencepostMonitoring
import FencepostSQLite
import FencepostTime

/// Queries the places of a store through its own connection and snapshot.
///
/// The first query opens a read transaction, which stays open. That makes queries five times as
/// fast, and all answers come from one state of the store. To see later changes and let others
/// write, call ``refreshSnapshot()`` or ``endSnapshot()``.
///
/// Not thread-safe: make one per thread with ``PlaceStore/makeReader(lockWaitMilliseconds:)``.
public final class PlaceReader {
  let connection: StoreConnection
  /// The circles that answer questions; nil before the first and after a change of the store.
  var neighborhood: StoreNeighborhood?
  /// Compiled once, because every question may need them.
  private let idByKey: Statement
  private let placeByKey: Statement
  private let placeByID: Statement
  /// Made when it is first used, as few readers need it.
  private var placesByKey: Statement?
  /// How many places ``placesByKey`` finds at once: as many as phones watch.
  private static let keyCount: Int32 = 20
  private var isSnapshotOpen = false
  private var version: Int64 = -1
  /// The number of places in this version of the store; nil until it is asked.
  private var placeCount: Int?
  /// The file being read, or nil for a store in memory.
  let origin: Origin?

  /// Compiles the statements; `origin` is nil for a store in memory.
  init(_ connection: StoreConnection, origin: Origin?) throws(PlaceStoreError) {
    self.connection = connection
    self.origin = origin
    (idByKey, placeByKey, placeByID) = try connection.run { database in
      (
        try Statement("SELECT id FROM places WHERE key = ?1", on: database),
        try Statement(Place.select + " WHERE key = ?1", on: database),
        try Statement(Place.select + " WHERE id = ?1", on: database)
      )
    }
  }

  /// Reads the file through a mapping in memory, which spares a copy of every page.
  ///
  /// Only for a reader that is gone in a moment: SQLite cannot report that a mapped file fails or is
  /// cut off, and the process ends.
  ///
  /// - Throws: ``PlaceStoreError``.
  package func mapFile() throws(PlaceStoreError) {
    try connection.run { try $0.execute("PRAGMA mmap_size = \(1 << 40)") }
  }

  // MARK: Places

  /// The place with a key, or nil.
  ///
  /// - Throws: ``PlaceStoreError``.
  public func place(forKey key: Int64) throws(PlaceStoreError) -> Place? {
    placeByKey.bind(key, at: 1)
    return try place(of: placeByKey)
  }

  /// The places with some keys, in their order, or nil for an unknown key.
  ///
  /// Together they take four fifths of the time that they take one by one.
  ///
  /// - Throws: ``PlaceStoreError``.
  package func places(forKeys keys: [Int64]) throws(PlaceStoreError) -> [Place?] {
    var places = [Place?](repeating: nil, count: keys.count)
    let statement = try statementOfPlaces()
    for start in stride(from: 0, to: keys.count, by: Int(Self.keyCount)) {
      let some = keys[start...].prefix(Int(Self.keyCount))
      for parameter in 1...Self.keyCount {
        // Parameters without a key repeat the last one, which counts once.
        statement.bind(some[min(start + Int(parameter) - 1, some.endIndex - 1)], at: parameter)
      }
      try openSnapshot()
      defer { statement.reset() }
      while try statement.next() {
        let key = statement.integer(0)
        for index in some.indices where some[index] == key { places[index] = Place(statement) }
      }
    }
    return places
  }

  /// The statement that finds several places by their keys.
  private func statementOfPlaces() throws(PlaceStoreError) -> Statement {
    if let placesByKey { return placesByKey }
    let parameters = (1...Self.keyCount).map { "?\($0)" }.joined(separator: ",")
    let statement = try connection.run { database in
      try Statement(Place.select + " WHERE key IN (\(parameters))", on: database)
    }
    placesByKey = statement
    return statement
  }

  /// The place with an id, or nil.
  ///
  /// - Throws: ``PlaceStoreError``.
  public func place(withID id: String) throws(PlaceStoreError) -> Place? {
    placeByID.bind(id, at: 1)
    return try place(of: placeByID)
  }

  /// The first row of a statement whose parameters are bound.
  private func place(of statement: Statement) throws(PlaceStoreError) -> Place? {
    try openSnapshot()
    defer { statement.reset() }
    return try statement.next() ? Place(statement) : nil
  }

  /// The id for a key, or empty if unknown; needs an open snapshot.
  func id(ofKey key: Int64) throws(PlaceStoreError) -> String {
    idByKey.bind(key, at: 1)
    defer { idByKey.reset() }
    return try idByKey.next() ? idByKey.string(0) : ""
  }

  /// The number of places.
  ///
  /// - Complexity: O(1); the first time after edits by another program O(n), a few nanoseconds per
  ///   place.
  /// - Throws: ``PlaceStoreError``.
  public func count() throws(PlaceStoreError) -> Int {
    try openSnapshot()
    if let placeCount { return placeCount }
    let count = try connection.run { try PlaceCount.read(on: $0) }
    placeCount = count
    return count
  }

  /// Lists places in the order of their keys, until `body` returns false.
  package func list(
    in box: CoordinateBox? = nil, category: String? = nil, _ body: (Place) -> Bool
  ) throws(PlaceStoreError) {
    try openSnapshot()
    // The tree rounds coordinates outward. Places just outside the box are dropped below. A store in
    // memory has no tree.
    let tree = origin == nil ? nil : PlaceSchema.spatialIndex
    let conditions = [
      category == nil ? nil : "category = ?1",
      tree.flatMap { tree in
        box.map { "key IN (SELECT pkid FROM \(tree) WHERE \($0.treeCondition))" }
      },
    ].compactMap { $0 }
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    let statement = try connection.run {
      try Statement(Place.select + filter + " ORDER BY key", on: $0)
    }
    if let category { statement.bind(category, at: 1) }
    while try statement.next() {
      guard let place = Place(statement) else { continue }
      if let box, !box.contains(place.coordinate) { continue }
      guard body(place) else { break }
    }
    statement.reset()
  }

  /// The positions of at most `most` places, evenly spread over the keys and in their order.
  ///
  /// - Complexity: O(`most` · log n).
  package func sample(_ most: Int) throws(PlaceStoreError) -> [Coordinate] {
    try openSnapshot()
    let (next, last) = try connection.run {
      (
        try Statement(Place.select + " WHERE key >= ?1 ORDER BY key LIMIT 1", on: $0),
        try Statement(Place.select + " ORDER BY key DESC LIMIT 1", on: $0)
      )
    }
    next.bind(Int64.min, at: 1)
    guard let first = try place(of: next), let last = try place(of: last) else { return [] }
    // Of the whole range of keys, the difference needs 64 bits without a sign.
    let range = UInt64(bitPattern: last.key &- first.key)
    let step = max(1, Int64(clamping: range / UInt64(max(1, most - 1))))
    var positions = [first.coordinate]
    var key = first.key
    while positions.count < most, key < last.key {
      next.bind(key.addingReportingOverflow(step).overflow ? last.key : key + step, at: 1)
      guard let place = try place(of: next) else { break }
      positions.append(place.coordinate)
      key = place.key
    }
    return positions
  }

  // MARK: Snapshot

  /// Moves to the latest state of the store.
  ///
  /// - Returns: Whether another connection has changed the store since the last snapshot.
  /// - Throws: ``PlaceStoreError``; `.locked` if another program writes for too long.
  @discardableResult
  public func refreshSnapshot() throws(PlaceStoreError) -> Bool {
    try endSnapshot()
    let before = version
    try openSnapshot()
    return version != before
  }

  /// Ends the snapshot so that others can write, until the next query opens another.
  ///
  /// - Throws: ``PlaceStoreError``.
  public func endSnapshot() throws(PlaceStoreError) {
    guard isSnapshotOpen else { return }
    try connection.run { try $0.execute("COMMIT") }
    isSnapshotOpen = false
  }

  /// Opens a snapshot of the latest state unless one is open.
  func openSnapshot() throws(PlaceStoreError) {
    guard !isSnapshotOpen else { return }
    let current = try connection.run { database in
      try database.execute("BEGIN")
      do {
        // Reading the header fixes the state that the transaction sees.
        return try database.integer("PRAGMA data_version").map(Int64.init) ?? version
      } catch {
        // Nothing was written, so report the first error.
        try? database.execute("ROLLBACK")
        throw error
      }
    }
    if version != current { (neighborhood, placeCount) = (nil, nil) }
    version = current
    isSnapshotOpen = true
  }
}

extension Place {
  /// The columns in the order that ``init(_:)`` reads them.
  static let select = """
    SELECT key, id, title, blurb, url, category, priority, geometry, radius, published, expires
    FROM places
    """

  /// Reads a row of ``select``; nil if another program's edit left an invalid position.
  init?(_ row: Statement) {
    guard let coordinate = row.withBlob(7, PointBlob.decode), coordinate.isValid else { return nil }
    func instant(_ column: Int32) -> Int64? {
      row.isNull(column) ? nil : ISO8601.milliseconds(parsing: row.string(column))
    }
    self.init(
      key: row.integer(0), id: row.string(1), title: row.string(2), blurb: row.string(3),
      url: row.string(4), category: row.string(5), priority: Int(row.integer(6)),
      coordinate: coordinate, radiusMeters: row.double(8), publishedMilliseconds: instant(9),
      expiresMilliseconds: instant(10))
  }
}

extension CoordinateBox {
  /// An SQL condition for the cells of the spatial index that may be in the box.
  var treeCondition: String {
    let latitudes = "ymax >= \(southDegrees) AND ymin <= \(northDegrees)"
    let join = westDegrees <= eastDegrees ? "AND" : "OR"
    return "\(latitudes) AND (xmax >= \(westDegrees) \(join) xmin <= \(eastDegrees))"
  }
}

/// Answers an engine's queries from a store.
///
/// Not thread-safe: make one per session.
public final class StoreSource: PlaceSource {
  private let reader: PlaceReader
  private var known: [Int64: Place] = [:]
  /// How many places to keep, because paths return to them; four to eight megabytes.
  private static let mostKnown = 16_384

  /// The last failure as a sentence, if any.
  public private(set) var lastFailure: String?

  /// Creates a source that reads through `reader`.
  public init(reader: PlaceReader) { self.reader = reader }

  /// Answers an engine's query, and records a failure in ``lastFailure``.
  public func answer(_ request: CandidateRequest) -> CandidateAnswer {
    do throws(PlaceStoreError) {
      return .found(try reader.regions(request))
    } catch {
      lastFailure = error.description
      return .failed
    }
  }

  /// The place with a key, or nil if it was deleted; records a failure in ``lastFailure``.
  public func place(forKey key: Int64) throws -> Place? {
    if let place = known[key] { return place }
    let found: Place?
    do throws(PlaceStoreError) { found = try reader.place(forKey: key) } catch {
      lastFailure = error.description
      throw error
    }
    guard let place = found else { return nil }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[key] = place
    return place
  }

  /// The key of the place with an id, or nil.
  public func key(forID id: String) throws -> Int64? { try reader.place(withID: id)?.key }

  /// Whether a place has this key; false if the store cannot be read.
  public func hasPlace(forKey key: Int64) -> Bool {
    // Looking up the index copies no place.
    known.index(forKey: key) != nil || (try? place(forKey: key)) != nil
  }

  /// The number of places.
  public var placeCount: Int { get throws { try reader.count() } }
}
