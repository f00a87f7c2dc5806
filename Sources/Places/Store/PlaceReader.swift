import CSpatiaLite
public import Geodesy

/// Answers questions about the places of a store, through a connection and a snapshot of its own.
///
/// The first question opens a read transaction, which stays open: a question costs a fifth of what
/// it would cost alone, and every answer belongs to the same state of the store. To see what others
/// have changed since, and to let them write, call ``refreshSnapshot()`` or ``endSnapshot()``.
/// Not for two threads at once; ``PlaceStore/makeReader(lockWaitMilliseconds:)`` makes as many as are wanted.
public final class PlaceReader {
  private let connection: SQLiteConnection
  private let search = ReachSearch()
  private let searchStatement: SQLiteStatement
  private let circleStatement: SQLiteStatement
  private let circlesStatement: SQLiteStatement
  private let nodeStatement: SQLiteStatement
  private let idStatement: SQLiteStatement
  private let placeByKey: SQLiteStatement
  private let placeByID: SQLiteStatement
  private let versionStatement: SQLiteStatement
  private var isSnapshotOpen = false
  private var version: Int64 = -1

  init(_ connection: SQLiteConnection) throws(PlaceStoreError) {
    self.connection = connection
    try search.register(on: connection)
    searchStatement = try connection.prepare(
      "SELECT key FROM places_reach WHERE key MATCH \(ReachSearch.functionName)()")
    circleStatement = try connection.prepare(
      "SELECT geometry, radius FROM places WHERE key = ?1")
    circlesStatement = try connection.prepare(
      "SELECT key, geometry, radius FROM places WHERE key BETWEEN ?1 AND ?2 ORDER BY key")
    nodeStatement = try connection.prepare(
      "SELECT data FROM \(PlaceSchema.reachTree)_node WHERE nodeno = ?1")
    idStatement = try connection.prepare("SELECT id FROM places WHERE key = ?1")
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
    var neighbors = try gather(
      from: Position(coordinate), count: count, rank: rank, reach: .none)
    try NeighborOrder.sort(&neighbors, keeping: count, id: id(ofKey:))
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
    var neighbors = try gather(from: Position(coordinate), withinMeters: meters)
    try NeighborOrder.sort(&neighbors, keeping: .max, id: id(ofKey:))
    return neighbors
  }

  /// The nearest places and those within reach of the last of them, in no order.
  func gather(
    from position: Position, count: Int, rank: Rank, reach: ReachWalk.Reach
  ) throws(PlaceStoreError) -> [Neighbor] {
    guard count > 0 else { return [] }
    try walk(from: position, goal: .nearest(rank, count: count, reach: reach))
    return try resolve(from: position, rank: rank)
  }

  /// The places whose circles are within a distance, in no order.
  func gather(
    from position: Position, withinMeters meters: Double
  ) throws(PlaceStoreError) -> [Neighbor] {
    try walk(from: position, goal: .circles(withinMeters: meters))
    var neighbors = try resolve(from: position, rank: .center)
    neighbors.removeAll { $0.centerDistanceMeters - $0.circle.radiusMeters > meters }
    return neighbors
  }

  private func walk(
    from position: Position, goal: ReachWalk.Goal
  ) throws(PlaceStoreError) {
    precondition(position.coordinate.isValid, "a point has a latitude and a longitude in range")
    try openSnapshot()
    search.begin(from: Viewpoint(position), goal: goal)
    // Only a walk that ends early delivers a row, which means nothing.
    _ = try searchStatement.step()
    searchStatement.reset()
  }

  /// Reads the exact circles of what the walk gathered.
  private func resolve(
    from position: Position, rank: Rank
  ) throws(PlaceStoreError) -> [Neighbor] {
    var neighbors: [Neighbor] = []
    let limit = search.limitMeters
    for candidate in search.candidates where candidate.leastMeters <= limit {
      guard let circle = try circle(ofKey: candidate.key) else { continue }
      let distance = circle.distanceMeters(from: position)
      neighbors.append(
        Neighbor(
          key: candidate.key, circle: circle, centerDistanceMeters: distance,
          rankDistanceMeters: rank.distanceMeters(
            centerDistanceMeters: distance, radiusMeters: circle.radiusMeters)))
    }
    return neighbors
  }

  /// The circle of a place, or nil where there is none or it is none.
  private func circle(ofKey key: Int64) throws(PlaceStoreError) -> Circle? {
    circleStatement.bind(key, at: 1)
    defer { circleStatement.reset() }
    guard try circleStatement.step() else { return nil }
    return circle(in: circleStatement, geometry: 0, radius: 1)
  }

  /// Hands on the circles of a range of keys; those that are none are left out.
  func circles(
    ofKeys keys: ClosedRange<Int64>, _ body: (Int64, Circle) -> Void
  ) throws(PlaceStoreError) {
    try openSnapshot()
    circlesStatement.bind(keys.lowerBound, at: 1)
    circlesStatement.bind(keys.upperBound, at: 2)
    defer { circlesStatement.reset() }
    while try circlesStatement.step() {
      guard let circle = circle(in: circlesStatement, geometry: 1, radius: 2) else { continue }
      body(circlesStatement.integer(0), circle)
    }
  }

  private func circle(
    in statement: SQLiteStatement, geometry: Int32, radius: Int32
  ) -> Circle? {
    guard let coordinate = statement.withBlob(geometry, PointBlob.decode), coordinate.isValid
    else { return nil }
    let radius = statement.double(radius)
    guard radius > 0, radius <= Circle.greatestRadiusMeters else { return nil }
    return Circle(center: Position(coordinate.onePerSpot), radiusMeters: radius)
  }

  /// The id of a key, empty where there is none.
  func id(ofKey key: Int64) throws(PlaceStoreError) -> String {
    idStatement.bind(key, at: 1)
    defer { idStatement.reset() }
    return try idStatement.step() ? idStatement.string(0) : ""
  }

  /// A node of the reach tree; node 1 is the root.
  func node(_ number: Int64) throws(PlaceStoreError) -> ReachNode {
    try openSnapshot()
    nodeStatement.bind(number, at: 1)
    defer { nodeStatement.reset() }
    guard try nodeStatement.step(), let node = nodeStatement.withBlob(0, ReachNode.init) else {
      throw PlaceStoreError(
        code: .damaged, path: connection.path,
        detail: "node \(number) of \(PlaceSchema.reachTree) cannot be read")
    }
    return node
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
  /// - Complexity: O(n), some nanoseconds each.
  /// - Throws: ``PlaceStoreError``.
  public func count() throws(PlaceStoreError) -> Int {
    try openSnapshot()
    return Int(try connection.integer("SELECT count(*) FROM places"))
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
      if try versionStatement.step() { version = versionStatement.integer(0) }
      isSnapshotOpen = true
    } catch {
      // The transaction holds nothing that could be lost; the first error is the one that counts.
      try? connection.execute("ROLLBACK")
      throw error
    }
  }
}

extension Coordinate {
  /// The one of several ways to write a spot that counts, so that equal spots are equally far.
  var onePerSpot: Coordinate {
    if abs(latitudeDegrees) == 90 {
      return Coordinate(latitudeDegrees: latitudeDegrees, longitudeDegrees: 0)
    }
    return longitudeDegrees == -180
      ? Coordinate(latitudeDegrees: latitudeDegrees, longitudeDegrees: 180) : self
  }
}
