import GRDB

/// An R*Tree of full nodes, laid out at once instead of inserting cell by cell.
///
/// The format is that of SQLite's `rtree.c`: in `…_node` a BLOB of fixed size with the tree's depth
/// (in the root, 16 bits), the number of cells (16 bits), and for each cell 64 bits of row or node
/// number and the dimensions' least and greatest values as 32-bit floats, all big-endian; in
/// `…_rowid` the node of each row, in `…_parent` that of each node.
struct PackedTree {
  /// A least and a greatest value for each dimension.
  typealias Box = (Float, Float, Float, Float, Float, Float)

  /// A cell: the row or the node it stands for, and its box.
  struct Cell {
    var row: Int64
    var box: Box
  }

  /// The layout of a tree's nodes.
  struct Shape: Equatable {
    /// The virtual table's name.
    let name: String
    /// 2 or 3.
    let dimensions: Int
    /// How many bytes a node has.
    let nodeBytes: Int
    /// How many bytes a cell has.
    var cellBytes: Int { 8 + 8 * dimensions }
    /// How many cells a node holds at most.
    var capacity: Int { (nodeBytes - 4) / cellBytes }

    /// Looks at a tree's root.
    init(of name: String, dimensions: Int, on database: Database) throws {
      self.name = name
      self.dimensions = dimensions
      nodeBytes = Int(
        try database.integer("SELECT length(data) FROM \"\(name)_node\" WHERE nodeno = 1"))
      guard capacity >= 4 else {
        throw PlaceStoreError(
          code: .damaged, path: database.storePath, detail: "\(name) has no root")
      }
    }
  }

  /// Nodes equally high above the leaves.
  private struct Level {
    /// The number of the first; the others' follow.
    var first: Int64
    /// The cells of each, as a range of the level below, or of the tree's own cells.
    var ranges: [Range<Int>] = []
    /// The nodes as cells of the level above.
    var cells: [Cell] = []
  }

  let shape: Shape
  private var levels: [Level] = []
  /// The root's cells, of the uppermost level.
  private let top: Range<Int>

  /// Lays out the tree of cells whose order keeps neighbours together.
  ///
  /// - Parameters:
  ///   - shape: The layout of the nodes.
  ///   - groups: Ranges of cells, one after the other, that share no nodes but the uppermost.
  ///   - cell: The cell at an index.
  init(_ shape: Shape, groups: [Range<Int>], cell: (Int) -> Cell) {
    self.shape = shape
    // Node 1 is the root, which holds the depth; the others are numbered from the leaves up.
    var next: Int64 = 2
    var groups = groups.filter { !$0.isEmpty }
    var count = groups.last?.upperBound ?? 0
    while count > shape.capacity {
      var level = Level(first: next)
      let below = levels.last
      for (index, group) in groups.enumerated() {
        let start = level.cells.count
        for first in stride(from: group.lowerBound, to: group.upperBound, by: shape.capacity) {
          let range = first..<min(group.upperBound, first + shape.capacity)
          var box = PackedTree.nothing
          for index in range {
            PackedTree.extend(&box, by: (below?.cells[index] ?? cell(index)).box)
          }
          level.ranges.append(range)
          level.cells.append(Cell(row: next, box: box))
          next += 1
        }
        groups[index] = start..<level.cells.count
      }
      count = level.cells.count
      levels.append(level)
    }
    top = 0..<count
  }

  /// Passes the nodes to a closure in the order of their numbers, from 1.
  ///
  /// - Parameters:
  ///   - cell: The cell at an index, as before.
  ///   - body: Called with each node's number and bytes.
  /// - Throws: ``PlaceStoreError``.
  func forEachNode(
    cell: (Int) -> Cell, _ body: (Int64, Span<UInt8>) throws(PlaceStoreError) -> Void
  ) throws(PlaceStoreError) {
    var node = [UInt8](repeating: 0, count: shape.nodeBytes)
    write(top, of: levels.last, depth: levels.count, cell: cell, into: &node)
    try body(1, node.span)
    for (height, level) in levels.enumerated() {
      let below = height == 0 ? nil : levels[height - 1]
      for (index, range) in level.ranges.enumerated() {
        write(range, of: below, depth: 0, cell: cell, into: &node)
        try body(level.first + Int64(index), node.span)
      }
    }
  }

  /// Passes each node but the root, in the order of their numbers, with its parent.
  func forEachParent(
    _ body: (Int64, Int64) throws(PlaceStoreError) -> Void
  ) throws(PlaceStoreError) {
    for (height, level) in levels.enumerated() {
      guard height + 1 < levels.count else {
        for index in level.cells.indices { try body(level.first + Int64(index), 1) }
        return
      }
      let above = levels[height + 1]
      for (parent, range) in above.ranges.enumerated() {
        for index in range {
          try body(level.first + Int64(index), above.first + Int64(parent))
        }
      }
    }
  }

  /// Passes each leaf's number and the range of its cells.
  func forEachLeaf(
    _ body: (Int64, Range<Int>) throws(PlaceStoreError) -> Void
  ) throws(PlaceStoreError) {
    guard let leaves = levels.first else { return try body(1, top) }
    for (index, range) in leaves.ranges.enumerated() {
      try body(leaves.first + Int64(index), range)
    }
  }

  private func write(
    _ range: Range<Int>, of level: Level?, depth: Int, cell: (Int) -> Cell,
    into node: inout [UInt8]
  ) {
    var span = node.mutableSpan
    // Any bytes may be stored here.
    var bytes = unsafe span.mutableBytes
    bytes.storeBytes(of: UInt16(depth).bigEndian, as: UInt16.self)
    bytes.storeBytes(of: UInt16(range.count).bigEndian, toByteOffset: 2, as: UInt16.self)
    var offset = 4
    for index in range {
      let cell = level?.cells[index] ?? cell(index)
      bytes.storeBytes(of: cell.row.bigEndian, toByteOffset: offset, as: Int64.self)
      PackedTree.store(cell.box.0, cell.box.1, in: &bytes, at: offset + 8)
      PackedTree.store(cell.box.2, cell.box.3, in: &bytes, at: offset + 16)
      if shape.dimensions == 3 {
        PackedTree.store(cell.box.4, cell.box.5, in: &bytes, at: offset + 24)
      }
      offset += shape.cellBytes
    }
    // The buffer still holds the previous node.
    while offset < shape.nodeBytes {
      bytes.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
      offset += 1
    }
  }

  @inline(__always)
  private static func store(
    _ least: Float, _ greatest: Float, in bytes: inout MutableRawSpan, at offset: Int
  ) {
    let pair = UInt64(least.bitPattern) << 32 | UInt64(greatest.bitPattern)
    bytes.storeBytes(of: pair.bigEndian, toByteOffset: offset, as: UInt64.self)
  }

  private static let nothing: Box = (
    .infinity, -.infinity, .infinity, -.infinity, .infinity, -.infinity
  )

  private static func extend(_ box: inout Box, by other: Box) {
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

/// A place as the trees of a store hold it.
struct TreeEntry {
  var key: Int64
  var longitude: Double
  var latitude: Double
  var radiusMeters: Double

  /// The place's cell; a tree of two dimensions leaves the reach out.
  var cell: PackedTree.Cell {
    let reach = radiusMeters / CircleCell.metersPerUnit
    return PackedTree.Cell(
      row: key,
      box: (
        PackedTree.down(longitude), PackedTree.up(longitude), PackedTree.down(latitude),
        PackedTree.up(latitude), PackedTree.down(reach),
        PackedTree.up(reach + CircleCell.thickness)
      ))
  }
}
