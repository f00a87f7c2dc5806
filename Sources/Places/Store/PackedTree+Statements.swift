extension PackedTree {
  /// Replaces what a tree's tables hold.
  ///
  /// - Parameters:
  ///   - connection: The connection, within a transaction.
  ///   - rowsAscend: Whether each cell's row is one more than that of the cell before.
  ///   - twin: A tree into which the same rows have just been packed in the same order.
  ///   - cell: The cell at an index, as before.
  /// - Throws: ``PlaceStoreError``.
  func write(
    on connection: SQLiteConnection, rowsAscend: Bool, twin: Shape?, cell: (Int) -> Cell
  ) throws(PlaceStoreError) {
    let name = shape.name
    for table in ["node", "parent", "rowid"] {
      try connection.execute("DELETE FROM \"\(name)_\(table)\"")
    }
    let nodes = try connection.prepare("INSERT INTO \"\(name)_node\" VALUES (?1, ?2)")
    try forEachNode(cell: cell) { (number, node) throws(PlaceStoreError) in
      nodes.bind(number, at: 1)
      nodes.bind(blob: node, at: 2)
      try nodes.run()
    }
    let parents = try connection.prepare("INSERT INTO \"\(name)_parent\" VALUES (?1, ?2)")
    try forEachParent { (node, parent) throws(PlaceStoreError) in
      parents.bind(node, at: 1)
      parents.bind(parent, at: 2)
      try parents.run()
    }
    // Nodes are numbered by the number of cells alone.
    if let twin, twin.capacity == shape.capacity {
      try connection.execute("INSERT INTO \"\(name)_rowid\" SELECT * FROM \"\(twin.name)_rowid\"")
    } else {
      try writeHomes(on: connection, rowsAscend: rowsAscend, cell: cell)
    }
  }

  /// Notes in which leaf each row is.
  private func writeHomes(
    on connection: SQLiteConnection, rowsAscend: Bool, cell: (Int) -> Cell
  ) throws(PlaceStoreError) {
    let insert = "INSERT INTO \"\(shape.name)_rowid\" VALUES "
    let single = try connection.prepare(insert + "(?1, ?2)")
    // A statement for each row costs more than the row.
    let values = (0..<shape.capacity).map { "(?1 + \($0), ?2)" }.joined(separator: ", ")
    let many = rowsAscend ? try connection.prepare(insert + values) : nil
    try forEachLeaf { (number, range) throws(PlaceStoreError) in
      if let many, range.count == shape.capacity {
        many.bind(cell(range.lowerBound).row, at: 1)
        many.bind(number, at: 2)
        return try many.run()
      }
      for index in range {
        single.bind(cell(index).row, at: 1)
        single.bind(number, at: 2)
        try single.run()
      }
    }
  }
}
