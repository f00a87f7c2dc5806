import FencepostGeodesy

/// The accepted rows of an import, until they are written in a better order.
///
/// While rows are added, some 80 bytes each and the ids are in memory; their texts are in a
/// ``TextSpool``.
struct StagedPlaces {
  struct Row {
    var latitude: Double
    var longitude: Double
    var radiusMeters: Double
    /// Where it comes from.
    var origin: IDTable.Origin
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
  ///   - origin: Where it comes from.
  ///   - contents: If its id was derived, a hash of its other fields.
  /// - Returns: Whether the row was kept.
  /// - Throws: ``PlaceStoreError`` if the texts cannot be spooled.
  mutating func add(
    _ draft: borrowing PlaceDraft, coordinate: Coordinate, radiusMeters: Double,
    origin: IDTable.Origin = IDTable.Origin(file: 0, line: 0), contents: UInt64? = nil
  ) throws(PlaceStoreError) -> IDTable.Addition {
    let addition = ids.add(
      draft.bytes.span.extracting(draft.range(.id)),
      derived: contents.map { IDTable.Derived(contents: $0, origin: origin) })
    guard addition == .kept else { return addition }
    rows.append(
      Row(
        latitude: coordinate.latitudeDegrees, longitude: coordinate.longitudeDegrees,
        radiusMeters: radiusMeters, origin: origin))
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

  /// The title of a row; nothing can be added any more.
  mutating func title(ofRow row: Int) throws(PlaceStoreError) -> String {
    try endAdding()
    _ = try texts.load(row: row)
    var rest = texts.texts(ofRow: row)
    _ = rest.next(in: texts.memory.span)
    return String(decoding: texts.memory[rest.next(in: texts.memory.span)], as: UTF8.self)
  }

  /// Rows at one position.
  struct SharedPosition {
    /// The first of them.
    var rows: [Int]
    var count: Int
  }

  /// How many rows share their exact position with another, at how many positions, and the first of these.
  func sharedPositions() -> (places: Int, positions: Int, first: [SharedPosition]) {
    let (places, hashes) = sharedHashes()
    var first: [(hash: Int, position: SharedPosition)] = []
    guard !hashes.isEmpty else { return (0, 0, []) }
    for (index, row) in rows.enumerated() {
      let hash = Self.positionHash(row)
      if let known = first.firstIndex(where: { $0.hash == hash }) {
        first[known].position.count += 1
        if first[known].position.rows.count < 3 { first[known].position.rows.append(index) }
      } else if first.count < 3, Self.contains(hash, in: hashes) {
        first.append((hash, SharedPosition(rows: [index], count: 1)))
      }
    }
    return (places, hashes.count, first.map(\.position))
  }

  /// How many rows share their position, and the hashes of these positions in ascending order.
  private func sharedHashes() -> (places: Int, hashes: [Int]) {
    var all = rows.map(Self.positionHash)
    all.sort()
    var (places, start, shared) = (0, 0, [Int]())
    while start < all.count {
      var end = start + 1
      while end < all.count, all[end] == all[start] { end += 1 }
      if end - start > 1 {
        places += end - start
        shared.append(all[start])
      }
      start = end
    }
    return (places, shared)
  }

  /// Two positions of one hash are as good as impossible: it has 64 bits.
  private static func positionHash(_ row: Row) -> Int {
    Coordinate(latitudeDegrees: row.latitude, longitudeDegrees: row.longitude).canonical.hashValue
  }

  private static func contains(_ hash: Int, in sorted: [Int]) -> Bool {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low] == hash
  }
}
