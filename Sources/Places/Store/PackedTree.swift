import FencepostGeodesy
import FencepostSQLite
import Glibc

/// Writes an R*Tree with full nodes all at once.
///
/// Inserting 100,000 places one by one into both trees takes 2.5 s. A whole import with packed
/// trees takes 0.6 s.
///
/// The format is that of SQLite's `rtree.c`. In `…_node` a BLOB of fixed size has the depth of the
/// tree (in the root, 16 bits), the number of cells (16 bits), and for each cell a row or node
/// number (64 bits) and the bounds of each dimension as 32-bit floats, all big-endian. `…_rowid`
/// has the node of each row, `…_parent` that of each node.
struct PackedTree {
  struct Cell {
    var row: Int64
    var least: SIMD3<Float>
    var greatest: SIMD3<Float>

    /// The cell of a place; a tree of two dimensions ignores the reach.
    init(row: Int64, center: Coordinate, radiusMeters: Double) {
      self.row = row
      let reach = radiusMeters / PlaceSchema.metersPerReachUnit
      let values = SIMD3(center.longitudeDegrees, center.latitudeDegrees, reach)
      least = SIMD3<Float>(values)
      greatest = SIMD3<Float>(values + [0, 0, PlaceSchema.reachThickness])
      // Rounded outward.
      for index in 0..<3 {
        if Double(least[index]) > values[index] { least[index] = least[index].nextDown }
        let value = index == 2 ? values[index] + PlaceSchema.reachThickness : values[index]
        if Double(greatest[index]) < value { greatest[index] = greatest[index].nextUp }
      }
    }

    init(node: Int64, of cells: ArraySlice<Cell>) {
      row = node
      least = cells.reduce(SIMD3(repeating: .infinity)) { pointwiseMin($0, $1.least) }
      greatest = cells.reduce(SIMD3(repeating: -.infinity)) { pointwiseMax($0, $1.greatest) }
    }
  }

  private let name: String
  private let dimensions: Int
  private let database: Database
  private let nodeBytes: Int
  private let nodes: Statement
  var capacity: Int { (nodeBytes - 4) / (8 + 8 * dimensions) }

  /// Opens the tree of a virtual table with 2 or 3 dimensions.
  init(_ name: String, dimensions: Int, on database: Database) throws {
    self.name = name
    self.dimensions = dimensions
    self.database = database
    nodeBytes = try database.number("SELECT length(data) FROM \"\(name)_node\" WHERE nodeno = 1")
    nodes = try Statement("INSERT INTO \"\(name)_node\" VALUES (?1, ?2)", on: database)
    guard capacity >= 4 else { throw damage("\(name) has no root") }
  }

  private func damage(_ detail: String) -> PlaceStoreError {
    PlaceStoreError(code: .damaged, path: database.name, detail: detail)
  }

  /// Replaces the contents of the tree.
  ///
  /// Neighbors must be close in the order of the cells. Groups are consecutive ranges that share
  /// only the uppermost nodes. A twin is a tree with the same cells, from which this takes the tables
  /// that are the same in both.
  func write(_ cells: [Cell], groups: [Range<Int>], twin: PackedTree? = nil) throws {
    for table in ["node", "parent", "rowid"] {
      try database.execute("DELETE FROM \"\(name)_\(table)\"")
    }
    // Which node each row, and each node, is in.
    var homes: [Statement] = []
    if let twin, twin.capacity == capacity {
      for table in ["rowid", "parent"] {
        try database.execute(
          "INSERT INTO \"\(name)_\(table)\" SELECT * FROM \"\(twin.name)_\(table)\"")
      }
    } else {
      homes = try ["rowid", "parent"].map {
        try Statement(
          "INSERT INTO \"\(name)_\($0)\" SELECT value, ?1 FROM json_each(?2)", on: database)
      }
    }
    // Node 1 is the root, which holds the depth. The others are numbered from the leaves up.
    var (level, groups, depth, next) = (cells, groups, 0, 2 as Int64)
    while level.count > capacity {
      var above: [Cell] = []
      for index in groups.indices {
        let (group, start) = (groups[index], above.count)
        for first in stride(from: group.lowerBound, to: group.upperBound, by: capacity) {
          let cells = level[first..<min(group.upperBound, first + capacity)]
          try write(node: next, of: cells, homes: depth == 0 ? homes.first : homes.last)
          above.append(Cell(node: next, of: cells))
          next += 1
        }
        groups[index] = start..<above.count
      }
      (level, depth) = (above, depth + 1)
    }
    try write(node: 1, of: level[...], depth: depth, homes: depth == 0 ? homes.first : homes.last)
    guard try database.number("SELECT count(*) FROM \"\(name)\"") == cells.count else {
      throw damage("\(name) cannot be written")
    }
  }

  private func write(
    node number: Int64, of cells: ArraySlice<Cell>, depth: Int = 0, homes: Statement?
  ) throws {
    var node: [UInt8] = []
    node.reserveCapacity(nodeBytes)
    func append(_ value: some FixedWidthInteger) {
      // The bytes are copied while the closure runs.
      unsafe withUnsafeBytes(of: value.bigEndian) { unsafe node.append(contentsOf: $0) }
    }
    append(UInt16(depth))
    append(UInt16(cells.count))
    for cell in cells {
      append(cell.row)
      for dimension in 0..<dimensions {
        append(cell.least[dimension].bitPattern)
        append(cell.greatest[dimension].bitPattern)
      }
    }
    node.append(contentsOf: repeatElement(0, count: nodeBytes - node.count))
    nodes.bind(number, at: 1)
    nodes.bind(blob: node.span, at: 2)
    try nodes.run()
    guard let homes else { return }
    homes.bind(number, at: 1)
    homes.bind("[\(cells.map { String($0.row) }.joined(separator: ","))]", at: 2)
    try homes.run()
  }
}

/// Orders places for a packed tree: near ones together, large radii apart from small ones.
///
/// Within a class of radii, this is the order of a kd-tree cut at multiples of what a node's
/// subtree holds. Packing node by node from the left then gives exactly those subtrees.
struct TreeOrder {
  private struct Item {
    var longitude: Float
    var latitude: Float
    var radiusMeters: Float
    var index: UInt32
  }

  /// Limits in meters between classes of radii, which share no nodes.
  ///
  /// A node reaches as far as its largest circle. One circle of 50 km would make searches visit all
  /// its neighbors from 50 km away.
  private static let classLimits: [Float] = [500, 4_000, 32_000, 256_000, 2_000_000]

  /// Orders circles for nodes of `capacity` cells, and returns the ranges of the classes, too.
  static func order(
    _ circles: [(center: Coordinate, radiusMeters: Double)], capacity: Int
  ) -> (order: [Int], groups: [Range<Int>]) {
    var items = circles.enumerated().map { index, circle in
      Item(
        longitude: Float(circle.center.longitudeDegrees),
        latitude: Float(circle.center.latitudeDegrees),
        radiusMeters: Float(circle.radiusMeters), index: UInt32(index))
    }
    var start = 0
    var groups: [Range<Int>] = []
    for limit in classLimits + [.infinity] {
      let rest = items[start...].partition { $0.radiusMeters > limit }
      var subtree = capacity
      while subtree < rest - start { subtree *= capacity }
      order(&items, start..<rest, subtree: subtree, capacity: capacity)
      groups.append(start..<rest)
      start = rest
    }
    return (items.map { Int($0.index) }, groups)
  }

  private static func order(
    _ items: inout [Item], _ range: Range<Int>, subtree: Int, capacity: Int
  ) {
    var subtree = subtree
    while range.count <= subtree, subtree > capacity { subtree /= capacity }
    let parts = (range.count + subtree - 1) / subtree
    guard parts > 1 else { return }
    let middle = range.lowerBound + parts / 2 * subtree
    if isWider(items, range) {
      select(&items, range, middle) { $0.longitude }
    } else {
      select(&items, range, middle) { $0.latitude }
    }
    order(&items, range.lowerBound..<middle, subtree: subtree, capacity: capacity)
    order(&items, middle..<range.upperBound, subtree: subtree, capacity: capacity)
  }

  /// Whether items extend farther east-west than north-south, on the ground.
  private static func isWider(_ items: [Item], _ range: Range<Int>) -> Bool {
    var west = Float.infinity
    var east = -Float.infinity
    var south = Float.infinity
    var north = -Float.infinity
    for index in range {
      west = min(west, items[index].longitude)
      east = max(east, items[index].longitude)
      south = min(south, items[index].latitude)
      north = max(north, items[index].latitude)
    }
    let middle = (south + north) / 2
    return (east - west) * cos(middle * .pi / 180) > north - south
  }

  /// Moves the items with the least values before `middle`.
  ///
  /// Quickselect: C. A. R. Hoare, "Algorithm 65: Find", 1961.
  private static func select(
    _ items: inout [Item], _ range: Range<Int>, _ middle: Int, _ value: (Item) -> Float
  ) {
    var low = range.lowerBound
    var high = range.upperBound - 1
    while low < high {
      let pivot = median(
        value(items[low]), value(items[low + (high - low) / 2]), value(items[high]))
      var left = low
      var right = high
      while left <= right {
        while value(items[left]) < pivot { left += 1 }
        while value(items[right]) > pivot { right -= 1 }
        if left <= right {
          items.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if middle <= right { high = right } else if middle >= left { low = left } else { return }
    }
  }

  private static func median(_ a: Float, _ b: Float, _ c: Float) -> Float {
    max(min(a, b), min(max(a, b), c))
  }
}
