public import Geodesy

/// Answers questions about the places of a store, through a connection and a snapshot of its own.
///
/// The first question opens a read transaction, which stays open: a question costs a fifth of what
/// it would cost alone, and every answer belongs to the same state of the store. To see what others
/// have changed since, and to let them write, call ``refreshSnapshot()`` or ``endSnapshot()``.
/// Not for two threads at once; ``PlaceStore/makeReader(lockWaitMilliseconds:)`` makes as many as are wanted.
public final class PlaceReader {
  let connection: SQLiteConnection
  /// The nodes that searches have read.
  let index: CircleIndex
  private var search = CircleSearch()
  private let placeByKey: SQLiteStatement
  private let placeByID: SQLiteStatement
  private let versionStatement: SQLiteStatement
  private var isSnapshotOpen = false
  private var version: Int64 = -1
  /// The file that is read, nil for a store in memory.
  var origin: Origin?

  init(_ connection: SQLiteConnection) throws(PlaceStoreError) {
    self.connection = connection
    index = CircleIndex(try CircleTable(connection))
    placeByKey = try connection.prepare(PlaceRow.select + " WHERE key = ?1")
    placeByID = try connection.prepare(PlaceRow.select + " WHERE id = ?1")
    versionStatement = try connection.prepare("PRAGMA data_version")
  }

  // MARK: Nearest

  /// The places nearest to a point, exact on the ellipsoid.
  ///
  /// - Parameters:
  ///   - coordinate: A valid coordinate.
  ///   - count: How many at most; all where the store has fewer.
  ///   - rank: By what distance.
  /// - Returns: The nearest first, and of equally near ones that of the lesser id first.
  /// - Complexity: O(log n + count) in practice; a far-off point costs up to some milliseconds.
  /// - Throws: ``PlaceStoreError``.
  public func nearest(
    to coordinate: Coordinate, count: Int, rank: Rank
  ) throws(PlaceStoreError) -> [Neighbor] {
    guard count > 0 else { return [] }
    try prepareSearch(from: coordinate)
    var neighbors = try search.nearest(
      to: Position(coordinate), count: count, rank: rank, in: index)
    try neighbors.sort(keeping: count, id: index.table.id(ofKey:))
    return neighbors
  }

  /// The places whose circles contain a point: those no farther than their radius.
  ///
  /// - Returns: The nearest centre first, and of equally near ones that of the lesser id first.
  /// - Throws: ``PlaceStoreError``.
  public func containing(_ coordinate: Coordinate) throws(PlaceStoreError) -> [Neighbor] {
    try circles(withinMeters: 0, of: coordinate)
  }

  /// The places whose circles contain a point or come as near to it as a distance.
  ///
  /// - Parameters:
  ///   - meters: How far the circle's edge may be from the point, at least 0; half a segment's
  ///     length about its middle gives every circle that the segment can touch.
  ///   - coordinate: A valid coordinate.
  /// - Returns: The nearest centre first, and of equally near ones that of the lesser id first.
  /// - Throws: ``PlaceStoreError``.
  public func circles(
    withinMeters meters: Double, of coordinate: Coordinate
  ) throws(PlaceStoreError) -> [Neighbor] {
    try prepareSearch(from: coordinate)
    var neighbors = try search.circles(
      withinMeters: meters, of: Position(coordinate), in: index)
    neighbors.removeAll { $0.centerDistanceMeters - $0.circle.radiusMeters > meters }
    try neighbors.sort(keeping: .max, id: index.table.id(ofKey:))
    return neighbors
  }

  private func prepareSearch(from coordinate: Coordinate) throws(PlaceStoreError) {
    precondition(coordinate.isValid, "a point has a latitude and a longitude in range")
    try openSnapshot()
    if index.isFull { index.forget() }
  }

  // MARK: Places

  /// The place of a key, or nil where there is none.
  ///
  /// - Throws: ``PlaceStoreError``.
  public func place(forKey key: Int64) throws(PlaceStoreError) -> Place? {
    try openSnapshot()
    placeByKey.bind(key, at: 1)
    defer { placeByKey.reset() }
    return try placeByKey.step() ? PlaceRow.place(in: placeByKey) : nil
  }

  /// The place of an id, or nil where there is none.
  ///
  /// - Throws: ``PlaceStoreError``.
  public func place(withID id: String) throws(PlaceStoreError) -> Place? {
    try openSnapshot()
    placeByID.bind(id, at: 1)
    defer { placeByID.reset() }
    return try placeByID.step() ? PlaceRow.place(in: placeByID) : nil
  }

  /// How many places there are.
  ///
  /// - Complexity: O(1) after an import, and O(n), some nanoseconds each, once another program has
  ///   edited the store.
  /// - Throws: ``PlaceStoreError``.
  public func count() throws(PlaceStoreError) -> Int {
    try openSnapshot()
    return try PlaceCount.read(on: connection)
  }

  /// Hands on places one by one, in the order of their keys.
  ///
  /// - Parameters:
  ///   - box: Only places in it; nil is all.
  ///   - category: Only places of exactly this category; nil is all.
  ///   - body: Takes a place; false ends the listing.
  /// - Throws: ``PlaceStoreError``.
  public func list(
    in box: CoordinateBox? = nil, category: String? = nil, _ body: (Place) -> Bool
  ) throws(PlaceStoreError) {
    try openSnapshot()
    // The tree's rounded coordinates admit a few places too many, which are dropped below.
    let conditions = [
      category == nil ? nil : "category = ?1",
      box.map { "key IN (SELECT key FROM places_reach WHERE \($0.treeCondition))" },
    ].compactMap { $0 }
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    let statement = try connection.prepare(PlaceRow.select + filter + " ORDER BY key")
    if let category { statement.bind(category, at: 1) }
    while try statement.step() {
      guard let place = PlaceRow.place(in: statement) else { continue }
      if let box, !box.contains(place.coordinate) { continue }
      guard body(place) else { break }
    }
    statement.reset()
  }

  // MARK: Snapshot

  /// Goes on with the newest state of the store.
  ///
  /// - Returns: Whether another connection has changed the store since the last snapshot.
  /// - Throws: ``PlaceStoreError``, `.locked` while another program is writing for long.
  @discardableResult
  public func refreshSnapshot() throws(PlaceStoreError) -> Bool {
    try endSnapshot()
    let before = version
    try openSnapshot()
    return version != before
  }

  /// Lets go of the snapshot, so that others can write; the next question begins another.
  ///
  /// - Throws: ``PlaceStoreError``.
  public func endSnapshot() throws(PlaceStoreError) {
    guard isSnapshotOpen else { return }
    try connection.execute("COMMIT")
    isSnapshotOpen = false
  }

  /// Which state of the store the answers belong to; begins a snapshot where there is none.
  func snapshotVersion() throws(PlaceStoreError) -> Int64 {
    try openSnapshot()
    return version
  }

  private func openSnapshot() throws(PlaceStoreError) {
    guard !isSnapshotOpen else { return }
    try connection.execute("BEGIN")
    do throws(PlaceStoreError) {
      // Reads the database's header, by which the transaction takes hold of the state it has now.
      defer { versionStatement.reset() }
      let before = version
      if try versionStatement.step() { version = versionStatement.integer(0) }
      if version != before { index.forget() }
      isSnapshotOpen = true
    } catch {
      // The transaction holds nothing that could be lost; the first error is the one that counts.
      try? connection.execute("ROLLBACK")
      throw error
    }
  }
}

extension CoordinateBox {
  /// What holds, in SQL, for the cells of the circle index that the box may contain.
  fileprivate var treeCondition: String {
    let latitudes = "lat_max >= \(southDegrees) AND lat_min <= \(northDegrees)"
    let join = westDegrees <= eastDegrees ? "AND" : "OR"
    return "\(latitudes) AND (lon_max >= \(westDegrees) \(join) lon_min <= \(eastDegrees))"
  }
}
