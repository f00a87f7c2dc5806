/// Writes an R*Tree's nodes directly, full and in a given order, instead of inserting cell by cell.
///
/// The format is that of SQLite's `rtree.c`: in `…_node` a BLOB of fixed size with the tree's depth
/// (in the root, 16 bits), the number of cells (16 bits), and for each cell 64 bits of row or node
/// number and the dimensions' least and greatest values as 32-bit floats, all big-endian; in
/// `…_rowid` the node of each row, in `…_parent` that of each node.
struct PackedTree {
  /// A cell: the row it stands for and its box, a least and a greatest value for each dimension.
  struct Cell {
    var row: Int64
    var box: (Float, Float, Float, Float, Float, Float)
  }

  private let name: String
  private let dimensions: Int
  private let nodeBytes: Int
  private let capacity: Int
  private let nodeStatement: SQLiteStatement
  private let parentStatement: SQLiteStatement
  private let rowStatement: SQLiteStatement
  /// Notes the home of as many rows as a node holds, whose keys follow each other.
  private let ascendingRowsStatement: SQLiteStatement?
  /// Copies the homes of all rows from another tree that has been packed alike.
  private let copyStatement: SQLiteStatement?

  /// Prepares to replace what a tree holds.
  ///
  /// - Parameters:
  ///   - name: The virtual table's name.
  ///   - dimensions: 2 or 3.
  ///   - rowsAscend: Whether each cell's row is one more than that of the cell before.
  ///   - twin: A tree into which the same rows have just been packed in the same order.
  ///   - connection: The connection, within a transaction.
  /// - Throws: ``PlaceStoreError``.
  init(
    replacing name: String, dimensions: Int, rowsAscend: Bool, twin: PackedTree?,
    on connection: SQLiteConnection
  ) throws(PlaceStoreError) {
    self.name = name
    self.dimensions = dimensions
    nodeBytes = Int(
      try connection.integer("SELECT length(data) FROM \"\(name)_node\" WHERE nodeno = 1"))
    let cellBytes = 8 + 8 * dimensions
    let capacity = (nodeBytes - 4) / cellBytes
    self.capacity = capacity
    guard capacity >= 4 else {
      throw PlaceStoreError(code: .damaged, path: connection.path, detail: "\(name) has no root")
    }
    for table in ["node", "parent", "rowid"] {
      try connection.execute("DELETE FROM \"\(name)_\(table)\"")
    }
    nodeStatement = try connection.prepare("INSERT INTO \"\(name)_node\" VALUES (?1, ?2)")
    parentStatement = try connection.prepare("INSERT INTO \"\(name)_parent\" VALUES (?1, ?2)")
    let insertRow = "INSERT INTO \"\(name)_rowid\""
    rowStatement = try connection.prepare(insertRow + " VALUES (?1, ?2)")
    let rows = (0..<capacity).map { "(?1 + \($0), ?2)" }.joined(separator: ", ")
    ascendingRowsStatement =
      rowsAscend ? try connection.prepare("\(insertRow) VALUES \(rows)") : nil
    // Nodes are numbered by the number of cells alone.
    if let twin, twin.capacity == capacity {
      copyStatement = try connection.prepare(
        "\(insertRow) SELECT * FROM \"\(twin.name)_rowid\"")
    } else {
      copyStatement = nil
    }
  }

  /// How many cells a node holds at most.
  static func capacity(
    of name: String, dimensions: Int, on connection: SQLiteConnection
  ) throws(PlaceStoreError) -> Int {
    let bytes = try connection.integer("SELECT length(data) FROM \"\(name)_node\" WHERE nodeno = 1")
    return max(4, (Int(bytes) - 4) / (8 + 8 * dimensions))
  }

  /// Writes the tree of cells that stand in a good order, neighbours near each other.
  ///
  /// - Parameters:
  ///   - groups: Ranges of cells, one after the other, that share no nodes but the uppermost.
  ///   - cell: The cell at an index.
  /// - Throws: ``PlaceStoreError``.
  func write(groups: [Range<Int>], cell: (Int) -> Cell) throws(PlaceStoreError) {
    try copyStatement?.run()
    // Node 1 is the root, which alone knows the depth; the others are numbered from the leaves up.
    var next: Int64 = 2
    let total = groups.reduce(0) { $0 + $1.count }
    if total <= capacity {
      _ = try writeNode(1, depth: 0, 0..<total, of: cell, childrenIn: rowStatement)
      return
    }
    var level: [[Cell]] = []
    for group in groups where !group.isEmpty {
      level.append(try writeLevel(group, &next, of: cell, childrenIn: rowStatement))
    }
    var depth = 1
    while level.reduce(0, { $0 + $1.count }) > capacity {
      for (index, children) in level.enumerated() {
        level[index] = try writeLevel(
          children.indices, &next, of: { children[$0] }, childrenIn: parentStatement)
      }
      depth += 1
    }
    let children = level.flatMap { $0 }
    _ = try writeNode(
      1, depth: depth, children.indices, of: { children[$0] }, childrenIn: parentStatement)
  }

  private func writeLevel(
    _ range: Range<Int>, _ next: inout Int64, of cell: (Int) -> Cell,
    childrenIn statement: SQLiteStatement
  ) throws(PlaceStoreError) -> [Cell] {
    var nodes: [Cell] = []
    for start in stride(from: range.lowerBound, to: range.upperBound, by: capacity) {
      let part = start..<min(range.upperBound, start + capacity)
      nodes.append(
        try writeNode(next, depth: 0, part, of: cell, childrenIn: statement))
      next += 1
    }
    return nodes
  }

  /// Writes a node of some cells and notes it as the home of each; returns the cell it is itself.
  private func writeNode(
    _ number: Int64, depth: Int, _ range: Range<Int>, of cell: (Int) -> Cell,
    childrenIn statement: SQLiteStatement
  ) throws(PlaceStoreError) -> Cell {
    var blob: [UInt8] = []
    blob.reserveCapacity(nodeBytes)
    for value in [depth, range.count] {
      blob.append(UInt8(truncatingIfNeeded: value >> 8))
      blob.append(UInt8(truncatingIfNeeded: value))
    }
    var box = PackedTree.nothing
    var rows: [Int64] = []
    rows.reserveCapacity(range.count)
    for index in range {
      let entry = cell(index)
      append(entry, to: &blob)
      PackedTree.extend(&box, by: entry.box)
      rows.append(entry.row)
    }
    if statement === parentStatement || copyStatement == nil {
      try note(rows, in: number, by: statement)
    }
    while blob.count < nodeBytes { blob.append(0) }
    nodeStatement.bind(number, at: 1)
    nodeStatement.bind(blob: blob.span, at: 2)
    try nodeStatement.run()
    return Cell(row: number, box: box)
  }

  /// Notes a node as the home of rows or of other nodes.
  private func note(
    _ rows: [Int64], in number: Int64, by statement: SQLiteStatement
  ) throws(PlaceStoreError) {
    // A statement for each row costs more than the row.
    if statement === rowStatement, let ascendingRowsStatement, rows.count == capacity,
      let first = rows.first
    {
      ascendingRowsStatement.bind(first, at: 1)
      ascendingRowsStatement.bind(number, at: 2)
      try ascendingRowsStatement.run()
      return
    }
    for row in rows {
      statement.bind(row, at: 1)
      statement.bind(number, at: 2)
      try statement.run()
    }
  }

  private func append(_ cell: Cell, to blob: inout [UInt8]) {
    let row = UInt64(bitPattern: cell.row)
    for shift in stride(from: 56, through: 0, by: -8) {
      blob.append(UInt8(truncatingIfNeeded: row >> UInt64(shift)))
    }
    append(cell.box.0, to: &blob)
    append(cell.box.1, to: &blob)
    append(cell.box.2, to: &blob)
    append(cell.box.3, to: &blob)
    guard dimensions == 3 else { return }
    append(cell.box.4, to: &blob)
    append(cell.box.5, to: &blob)
  }

  private func append(_ value: Float, to blob: inout [UInt8]) {
    let bits = value.bitPattern
    blob.append(UInt8(truncatingIfNeeded: bits >> 24))
    blob.append(UInt8(truncatingIfNeeded: bits >> 16))
    blob.append(UInt8(truncatingIfNeeded: bits >> 8))
    blob.append(UInt8(truncatingIfNeeded: bits))
  }

  private static let nothing: (Float, Float, Float, Float, Float, Float) = (
    .infinity, -.infinity, .infinity, -.infinity, .infinity, -.infinity
  )

  private static func extend(
    _ box: inout (Float, Float, Float, Float, Float, Float),
    by other: (Float, Float, Float, Float, Float, Float)
  ) {
    box = (
      min(box.0, other.0), max(box.1, other.1), min(box.2, other.2), max(box.3, other.3),
      min(box.4, other.4), max(box.5, other.5)
    )
  }

  /// The greatest 32-bit value that is not above a number.
  static func down(_ value: Double) -> Float {
    let rounded = Float(value)
    return Double(rounded) > value ? rounded.nextDown : rounded
  }

  /// The least 32-bit value that is not below a number.
  static func up(_ value: Double) -> Float {
    let rounded = Float(value)
    return Double(rounded) < value ? rounded.nextUp : rounded
  }
}
