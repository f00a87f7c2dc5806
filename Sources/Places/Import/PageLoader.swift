import Geodesy

/// Writes staged places into the tables of a new, empty store, page after page, without SQLite.
///
/// What SQLite does for each row, most of which is finding out where it belongs, is known here from
/// the start: the rows have been judged, and come in the order of the tables. The file is
/// the same as if they had been inserted.
struct PageLoader {
  private let roots: [String: UInt32]
  private let reach: PackedTree.Shape
  private let spatial: PackedTree.Shape

  private static let trees = [PlaceSchema.reachTree, PlaceSchema.spatialIndex]
  private static let index = "places_id"
  private static let tables =
    ["places"] + trees.flatMap { tree in ["node", "rowid", "parent"].map { "\(tree)_\($0)" } }

  /// Looks where a new store has its tables.
  ///
  /// - Parameter connection: The connection, within a transaction.
  /// - Throws: ``PlaceStoreError``.
  init(_ connection: SQLiteConnection) throws(PlaceStoreError) {
    var roots: [String: UInt32] = [:]
    let find = try connection.prepare(
      "SELECT name, rootpage FROM sqlite_master WHERE type IN ('table', 'index')")
    while try find.step() {
      roots[find.string(0)] = UInt32(exactly: find.integer(1))
    }
    self.roots = roots
    reach = try PackedTree.Shape(of: PlaceSchema.reachTree, dimensions: 3, on: connection)
    spatial = try PackedTree.Shape(of: PlaceSchema.spatialIndex, dimensions: 2, on: connection)
  }

  /// Writes all rows.
  ///
  /// - Parameters:
  ///   - places: The rows; afterwards they are arranged, a row's key being its number from 1.
  ///   - path: The store's path; no transaction may be open.
  /// - Returns: False where the store has not the plain form that is needed; it is untouched then.
  /// - Throws: ``PlaceStoreError``.
  func load(_ places: inout StagedPlaces, into path: String) throws(PlaceStoreError) -> Bool {
    var file = try PageFile(path: path)
    guard file.isPlain, isEmpty(file) else { return false }
    let groups = try places.arrange(capacity: reach.capacity)
    try writeRows(&places, to: &file)
    try writeIDs(places, to: &file)
    for shape in [reach, spatial] { try writeTree(shape, places, groups, to: &file) }
    try file.finish()
    return true
  }

  /// Whether each table is a single page, so that its root can be replaced.
  private func isEmpty(_ file: borrowing PageFile) -> Bool {
    for name in PageLoader.tables + [PageLoader.index] {
      let leaf: TreePage.Kind = name == PageLoader.index ? .indexLeaf : .tableLeaf
      guard let root = roots[name], root > 1, file.kind(ofPage: root) == leaf.rawValue else {
        return false
      }
    }
    return true
  }

  private func writer(
    of name: String, _ file: borrowing PageFile, isIndex: Bool = false
  ) -> TreeWriter {
    TreeWriter(root: roots[name] ?? 0, isIndex: isIndex, pageBytes: file.pageBytes)
  }

  // MARK: Places

  private func writeRows(
    _ places: inout StagedPlaces, to file: inout PageFile
  ) throws(PlaceStoreError) {
    var table = writer(of: "places", file)
    var record = RecordBuffer()
    var blob: [UInt8] = []
    for position in places.rows.indices {
      let row = places.rows[position]
      PointBlob.encode(
        Coordinate(latitudeDegrees: row.latitude, longitudeDegrees: row.longitude), into: &blob)
      record.removeAll()
      // In the order of the table's columns; the key stands in the tree, not in the row.
      record.appendNull()
      places.withID(ofRow: position) { record.append(text: $0) }
      record.append(blob: blob.span)
      record.append(row.radiusMeters)
      try places.withTexts(ofRow: position) { (bytes, texts) throws(PlaceStoreError) in
        for field in StagedPlaces.textFields {
          let text = bytes.extracting(texts.next(in: bytes))
          switch field {
          case .priority: record.append(PageLoader.integer(text))
          case .published where text.isEmpty, .expires where text.isEmpty: record.appendNull()
          default: record.append(text: text)
          }
        }
      }
      try table.append(record, key: Int64(position + 1), to: &file)
    }
    try table.finish(in: &file)
  }

  /// The whole number that a staged priority is; 0 where there is none.
  private static func integer(_ text: Span<UInt8>) -> Int64 {
    var value: Int64 = 0
    for index in text.indices where text[index] != UInt8(ascii: "-") {
      value = value * 10 + Int64(text[index] - UInt8(ascii: "0"))
    }
    return !text.isEmpty && text[0] == UInt8(ascii: "-") ? -value : value
  }

  private func writeIDs(
    _ places: StagedPlaces, to file: inout PageFile
  ) throws(PlaceStoreError) {
    var index = writer(of: PageLoader.index, file, isIndex: true)
    var record = RecordBuffer()
    let order = places.rowsByID()
    for (number, row) in order.enumerated() {
      record.removeAll()
      places.withID(ofRow: Int(row)) { record.append(text: $0) }
      record.append(Int64(row) + 1)
      try index.append(record, isLast: number == order.count - 1, to: &file)
    }
    try index.finish(in: &file)
  }

  // MARK: Trees

  private func writeTree(
    _ shape: PackedTree.Shape, _ places: StagedPlaces, _ groups: [Range<Int>],
    to file: inout PageFile
  ) throws(PlaceStoreError) {
    let tree = PackedTree(shape, groups: groups) { places.entry($0).cell }
    var record = RecordBuffer()
    var nodes = writer(of: "\(shape.name)_node", file)
    try tree.forEachNode(cell: { places.entry($0).cell }) {
      (number, node) throws(PlaceStoreError) in
      record.removeAll()
      record.appendNull()
      record.append(blob: node)
      try nodes.append(record, key: number, to: &file)
    }
    try nodes.finish(in: &file)
    var homes = writer(of: "\(shape.name)_rowid", file)
    try tree.forEachLeaf { (number, rows) throws(PlaceStoreError) in
      record.removeAll()
      record.appendNull()
      record.append(number)
      for row in rows { try homes.append(record, key: Int64(row + 1), to: &file) }
    }
    try homes.finish(in: &file)
    var parents = writer(of: "\(shape.name)_parent", file)
    try tree.forEachParent { (node, parent) throws(PlaceStoreError) in
      record.removeAll()
      record.appendNull()
      record.append(parent)
      try parents.append(record, key: node, to: &file)
    }
    try parents.finish(in: &file)
  }
}
