extension PackedTree {
  /// Replaces what a tree's tables hold.
  ///
  /// - Parameters:
  ///   - connection: The connection, within a transaction.
  ///   - rowsCount: Whether the cells' rows are 1, 2, 3, … in their order.
  ///   - twin: A tree into which the same rows have just been packed in the same order.
  ///   - cell: The cell at an index, as before.
  /// - Throws: ``PlaceStoreError``.
  func write(
    on connection: SQLiteConnection, rowsCount: Bool, twin: Shape?, cell: (Int) -> Cell
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
    if rowsCount {
      try writeCountedHomes(on: connection)
    } else if let twin, twin.capacity == shape.capacity {
      // Nodes are numbered by the number of cells alone.
      try connection.execute("INSERT INTO \"\(name)_rowid\" SELECT * FROM \"\(twin.name)_rowid\"")
    } else {
      try writeHomes(on: connection, cell: cell)
    }
  }

  /// Writes which leaf each row is in.
  private func writeHomes(
    on connection: SQLiteConnection, cell: (Int) -> Cell
  ) throws(PlaceStoreError) {
    let home = try connection.prepare("INSERT INTO \"\(shape.name)_rowid\" VALUES (?1, ?2)")
    try forEachLeaf { (number, range) throws(PlaceStoreError) in
      for index in range {
        home.bind(cell(index).row, at: 1)
        home.bind(number, at: 2)
        try home.run()
      }
    }
  }

  /// Writes which leaf each row is in, for rows numbered from 1.
  ///
  /// SQLite numbers rows that come without a number and appends them without a search. A statement
  /// for each row would cost more than the row.
  private func writeCountedHomes(on connection: SQLiteConnection) throws(PlaceStoreError) {
    let insert = "INSERT INTO \"\(shape.name)_rowid\" (nodeno) VALUES "
    let single = try connection.prepare(insert + "(?1)")
    let values = repeatElement("(?1)", count: shape.capacity).joined(separator: ", ")
    let many = try connection.prepare(insert + values)
    try forEachLeaf { (number, range) throws(PlaceStoreError) in
      let isFull = range.count == shape.capacity
      let home = isFull ? many : single
      home.bind(number, at: 1)
      for _ in 0..<(isFull ? 1 : range.count) { try home.run() }
    }
  }
}
