import FencepostGeodesy
import FencepostSQLite

/// Writes an R*Tree of points with full nodes all at once.
///
/// Inserting 100,000 places one by one takes over a second, packing them a twentieth of it.
///
/// The format is that of SQLite's `rtree.c`. In `…_node` a BLOB of fixed size has the depth of the
/// tree (in the root, 16 bits), the number of cells (16 bits), and for each cell a row or node
/// number (64 bits) and the bounds of each dimension as 32-bit floats, all big-endian. `…_rowid`
/// has the node of each row, `…_parent` that of each node.
struct PackedTree {
  /// An entry of a node: a place in a leaf, or another node, and the box around it.
  struct Cell {
    /// The key of the place, or the number of the node.
    var row: Int64
    /// Longitude and latitude in degrees, rounded outward.
    var least: SIMD2<Float>
    var greatest: SIMD2<Float>

    /// Makes the cell of a place.
    init(row: Int64, point: Coordinate) {
      self.row = row
      let values = SIMD2(point.longitudeDegrees, point.latitudeDegrees)
      least = SIMD2<Float>(values)
      greatest = least
      for index in 0..<2 {
        if Double(least[index]) > values[index] { least[index] = least[index].nextDown }
        if Double(greatest[index]) < values[index] { greatest[index] = greatest[index].nextUp }
      }
    }

    /// Makes the cell of a node from those in it.
    init(node: Int64, of cells: ArraySlice<Cell>) {
      row = node
      least = SIMD2(repeating: .infinity)
      greatest = SIMD2(repeating: -.infinity)
      for cell in cells {
        least = pointwiseMin(least, cell.least)
        greatest = pointwiseMax(greatest, cell.greatest)
      }
    }
  }

  private let name: String
  private let database: Database
  /// The size of a node's BLOB, which SQLite has chosen for the page size.
  private let nodeBytes: Int
  private let nodes: Statement
  private var capacity: Int { Self.capacity(nodeBytes: nodeBytes) }

  private static let cellBytes = 8 + 4 * 4
  /// How many cells a node has room for.
  static func capacity(nodeBytes: Int) -> Int { (nodeBytes - 4) / cellBytes }

  /// How many rows to insert with one statement.
  private static let batchRows = 64

  /// Opens the tree of a virtual table with 2 dimensions.
  init(_ name: String, on database: Database) throws {
    self.name = name
    self.database = database
    nodeBytes = try database.number("SELECT length(data) FROM \"\(name)_node\" WHERE nodeno = 1")
    nodes = try Statement("INSERT INTO \"\(name)_node\" VALUES (?1, ?2)", on: database)
    guard capacity >= 4 else {
      throw PlaceStoreError(code: .damaged, path: database.name, detail: "\(name) has no root")
    }
  }

  /// Replaces the contents of the tree by cells in ascending order of their rows.
  func write(_ cells: [Cell]) throws {
    for table in ["node", "parent", "rowid"] {
      try database.execute("DELETE FROM \"\(name)_\(table)\"")
    }
    let order = Self.order(of: cells)
    var level = order.map { cells[Int($0)] }
    // Node 1 is the root, which holds the depth. The others are numbered from the leaves up.
    var next = 2 as Int64
    var depth = 0
    while true {
      let isBelowRoot = level.count <= capacity
      let first = isBelowRoot ? 1 : next
      var above: [Cell] = []
      for start in stride(from: 0, to: max(1, level.count), by: capacity) {
        let node = level[start..<min(level.count, start + capacity)]
        let number = first + Int64(above.count)
        try write(node: number, of: node, depth: isBelowRoot ? depth : 0)
        above.append(Cell(node: number, of: node))
      }
      let home = { (position: Int) in first + Int64(position / capacity) }
      if depth == 0 {
        var homes = [Int64](repeating: 0, count: cells.count)
        for (position, index) in order.enumerated() { homes[Int(index)] = home(position) }
        try insert(into: "rowid", count: cells.count) { (cells[$0].row, homes[$0]) }
      } else {
        try insert(into: "parent", count: level.count) { (level[$0].row, home($0)) }
      }
      if isBelowRoot { break }
      next += Int64(above.count)
      (level, depth) = (above, depth + 1)
    }
  }

  /// Writes a node; `depth` is that of the tree for the root, and 0 for others.
  private func write(node number: Int64, of cells: ArraySlice<Cell>, depth: Int) throws {
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
      for dimension in 0..<2 {
        append(cell.least[dimension].bitPattern)
        append(cell.greatest[dimension].bitPattern)
      }
    }
    node.append(contentsOf: repeatElement(0, count: nodeBytes - node.count))
    nodes.bind(number, at: 1)
    nodes.bind(blob: node.span, at: 2)
    try nodes.run()
  }

  /// Inserts pairs in ascending order, many with each statement, since a run costs more than a row.
  private func insert(
    into table: String, count: Int, _ pair: (Int) -> (row: Int64, node: Int64)
  ) throws {
    func statement(_ rows: Int) throws -> Statement {
      let values = repeatElement("(?, ?)", count: rows).joined(separator: ", ")
      return try Statement("INSERT INTO \"\(name)_\(table)\" VALUES \(values)", on: database)
    }
    let (many, one) = (try statement(Self.batchRows), try statement(1))
    var next = 0
    while next < count {
      let isBatch = count - next >= Self.batchRows
      let insert = isBatch ? many : one
      for index in 0..<(isBatch ? Self.batchRows : 1) {
        let (row, node) = pair(next)
        insert.bind(row, at: Int32(2 * index + 1))
        insert.bind(node, at: Int32(2 * index + 2))
        next += 1
      }
      try insert.run()
    }
  }

  // MARK: Order

  /// The numbers of the cells in an order that keeps near ones together.
  ///
  /// Packing along a Hilbert curve: I. Kamel, C. Faloutsos, "On Packing R-trees", 1993.
  private static func order(of cells: [Cell]) -> [UInt32] {
    var places = cells.enumerated().map { index, cell in
      UInt64(curvePosition(of: cell.least)) << 32 | UInt64(index)
    }
    places.sort()
    return places.map { UInt32(truncatingIfNeeded: $0) }
  }

  /// The position on a Hilbert curve through a map of longitude and latitude, in steps of 600 m.
  private static func curvePosition(of point: SIMD2<Float>) -> UInt32 {
    // Another program may have stored a point off the map, or one that is not a number.
    func cell(_ degrees: Float) -> UInt32 {
      degrees > -180 ? UInt32(min((degrees + 180) * (65_535 / 360), 65_535)) : 0
    }
    var (x, y) = (cell(point.x), cell(point.y))
    var position: UInt32 = 0
    for bit in stride(from: 15 as UInt32, through: 0, by: -1) {
      let (right, upper) = (x >> bit & 1, y >> bit & 1)
      position = position << 2 | (3 * right ^ upper)
      if upper == 0 {
        if right == 1 { (x, y) = (~x, ~y) }
        swap(&x, &y)
      }
    }
    return position
  }
}
