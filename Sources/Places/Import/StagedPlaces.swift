import FencepostGeodesy

/// The accepted rows of an import, until they are written in a better order.
///
/// While rows are added, some 70 bytes each and the ids are in memory; their texts are in a
/// ``TextSpool``.
struct StagedPlaces {
  struct Row {
    var latitude: Double
    var longitude: Double
    var radiusMeters: Double
  }

  private(set) var rows: [Row] = []
  /// The rows' texts, in their order.
  var texts: TextSpool
  private var ids = IDTable()

  /// Makes an empty staging.
  ///
  /// - Parameter spoolPath: A name for a temporary file; nil to keep everything in memory.
  init(spoolPath: String?) {
    texts = TextSpool(path: spoolPath)
  }

  /// Adds a row whose fields have been checked, unless there is one of its id.
  ///
  /// - Parameters:
  ///   - draft: The row.
  ///   - coordinate: Its position.
  ///   - radiusMeters: Its radius.
  ///   - derived: If its id was derived, where it is and a hash of its other fields.
  /// - Returns: Whether the row was kept.
  /// - Throws: ``PlaceStoreError`` if the texts cannot be spooled.
  mutating func add(
    _ draft: borrowing PlaceDraft, coordinate: Coordinate, radiusMeters: Double,
    derived: IDTable.Derived? = nil
  ) throws(PlaceStoreError) -> IDTable.Addition {
    let addition = ids.add(
      draft.bytes.span.extracting(draft.range(.id)), derived: derived)
    guard addition == .kept else { return addition }
    rows.append(
      Row(
        latitude: coordinate.latitudeDegrees, longitude: coordinate.longitudeDegrees,
        radiusMeters: radiusMeters))
    try texts.append(
      [
        draft.range(.id), draft.range(.title), draft.range(.category), draft.range(.priority),
        draft.range(.published), draft.range(.expires), draft.range(.url), draft.range(.blurb),
      ], of: draft.bytes.span)
    return .kept
  }

  /// Ends adding, frees what only adding needs, and makes the texts ready to be read.
  mutating func endAdding() throws(PlaceStoreError) {
    ids = IDTable()
    try texts.endAppending()
  }

  /// Ends adding and puts the rows into the order of packed trees.
  ///
  /// - Parameter capacity: How many cells a node holds.
  /// - Returns: The classes of radii, as ranges of rows.
  /// - Throws: ``PlaceStoreError``.
  mutating func arrange(capacity: Int) throws(PlaceStoreError) -> [Range<Int>] {
    try endAdding()
    var (order, groups) = TreeOrder.order(count: rows.count, capacity: capacity) { index in
      (rows[index].longitude, rows[index].latitude, rows[index].radiusMeters)
    }
    try texts.arrange(order)
    arrangeRows(&order)
    return groups
  }

  /// Permutes the rows in place, cycle by cycle; a copy would be the import's greatest need of memory.
  private mutating func arrangeRows(_ order: inout [TreeOrder.Item]) {
    for start in rows.indices {
      let first = rows[start]
      var target = start
      while true {
        let source = Int(order[target].index)
        // An item whose row has come points to itself.
        order[target].index = UInt32(target)
        guard source != start else { break }
        rows[target] = rows[source]
        target = source
      }
      rows[target] = first
    }
  }

  /// An arranged row as a tree's entry, its key being its number from 1.
  func entry(_ index: Int) -> TreeEntry {
    let row = rows[index]
    return TreeEntry(
      key: Int64(index + 1), longitude: row.longitude, latitude: row.latitude,
      radiusMeters: row.radiusMeters)
  }

  /// How many rows share their exact spot with another, and how many the fullest spot has.
  func sharedSpots() -> (places: Int, largestGroup: Int) {
    // Two spots of one hash are as good as impossible: it has 64 bits.
    var spots = rows.map { row in
      Coordinate(latitudeDegrees: row.latitude, longitudeDegrees: row.longitude)
        .canonical.hashValue
    }
    spots.sort()
    var places = 0
    var largest = 0
    var start = 0
    while start < spots.count {
      var end = start + 1
      while end < spots.count, spots[end] == spots[start] { end += 1 }
      if end - start > 1 {
        places += end - start
        largest = max(largest, end - start)
      }
      start = end
    }
    return (places, largest)
  }
}
