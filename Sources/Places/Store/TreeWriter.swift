import Formats

/// Writes a table or an index of rows that come in its order, page by page from the left.
///
/// Each page is filled and never touched again. The tree's root is a page that is there already and
/// holds nothing that is wanted.
struct TreeWriter {
  private let root: UInt32
  private let isIndex: Bool
  private let pageBytes: Int
  private var leaf: TreePage
  /// The leaves that are written, and between each and the next what parts them: in a table the
  /// greatest key on the left, in an index a row, which is in no leaf.
  private var children: [UInt32] = []
  private var dividers: [[UInt8]] = []
  private var lastKey: Int64 = 0
  private var cell: [UInt8] = []
  private var page: [UInt8] = []

  /// Begins a tree.
  ///
  /// - Parameters:
  ///   - root: The number of its root page.
  ///   - isIndex: Whether it is an index.
  ///   - pageBytes: How many bytes a page has.
  init(root: UInt32, isIndex: Bool, pageBytes: Int) {
    self.root = root
    self.isIndex = isIndex
    self.pageBytes = pageBytes
    leaf = TreePage(isIndex ? .indexLeaf : .tableLeaf, pageBytes: pageBytes)
  }

  /// Adds a row to a table.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - key: Its key, above that of the row before.
  ///   - file: Where the pages go.
  /// - Throws: ``PlaceStoreError``.
  mutating func append(
    _ row: RecordBuffer, key: Int64, to file: inout PageFile
  ) throws(PlaceStoreError) {
    cell.removeAll(keepingCapacity: true)
    RecordBuffer.appendVarint(UInt64(row.byteCount), to: &cell)
    RecordBuffer.appendVarint(UInt64(bitPattern: key), to: &cell)
    try appendPayload(row, mostBytes: pageBytes - 35, to: &file)
    if !leaf.hasRoom(for: cell.count) {
      try endLeaf(in: &file)
      var divider: [UInt8] = []
      RecordBuffer.appendVarint(UInt64(bitPattern: lastKey), to: &divider)
      dividers.append(divider)
    }
    leaf.append(cell)
    lastKey = key
  }

  /// Adds a row to an index.
  ///
  /// - Parameters:
  ///   - row: The row, behind the one before in the index's order.
  ///   - isLast: Whether no other follows.
  ///   - file: Where the pages go.
  /// - Throws: ``PlaceStoreError``.
  mutating func append(
    _ row: RecordBuffer, isLast: Bool, to file: inout PageFile
  ) throws(PlaceStoreError) {
    cell.removeAll(keepingCapacity: true)
    RecordBuffer.appendVarint(UInt64(row.byteCount), to: &cell)
    try appendPayload(row, mostBytes: (pageBytes - 12) * 64 / 255 - 23, to: &file)
    if leaf.hasRoom(for: cell.count) {
      leaf.append(cell)
      return
    }
    // No leaf may be empty: behind the divider there must be a row.
    let previous = isLast ? leaf.popLast() : nil
    try endLeaf(in: &file)
    dividers.append(previous ?? cell)
    if isLast { leaf.append(cell) }
  }

  /// Ends the tree: writes the branches, level by level, and the root.
  mutating func finish(in file: inout PageFile) throws(PlaceStoreError) {
    if children.isEmpty {
      leaf.write(to: &page)
      return try file.replace(root, by: page.span)
    }
    try endLeaf(in: &file)
    while try !writeBranches(to: &file) {}
  }

  private mutating func endLeaf(in file: inout PageFile) throws(PlaceStoreError) {
    leaf.write(to: &page)
    children.append(try file.append(page.span))
    leaf.removeAll()
  }

  /// Writes the branches above the present children, which become the children then.
  ///
  /// - Returns: Whether one was enough, the root.
  private mutating func writeBranches(to file: inout PageFile) throws(PlaceStoreError) -> Bool {
    var branch = TreePage(isIndex ? .indexBranch : .tableBranch, pageBytes: pageBytes)
    var parents: [UInt32] = []
    var parentDividers: [[UInt8]] = []
    for (index, divider) in dividers.enumerated() {
      cell.removeAll(keepingCapacity: true)
      TreePage.append(Int(children[index]), bytes: 4, to: &cell)
      cell += divider
      if branch.hasRoom(for: cell.count) {
        branch.append(cell)
        continue
      }
      // The divider goes up, or the one before it where no other would be left for the next branch.
      let isLast = index == dividers.count - 1
      let end = isLast ? index - 1 : index
      if isLast { _ = branch.popLast() }
      branch.write(to: &page, rightmost: children[end])
      parents.append(try file.append(page.span))
      parentDividers.append(dividers[end])
      branch.removeAll()
      if isLast { branch.append(cell) }
    }
    branch.write(to: &page, rightmost: children[children.count - 1])
    guard !parents.isEmpty else {
      try file.replace(root, by: page.span)
      return true
    }
    parents.append(try file.append(page.span))
    children = parents
    dividers = parentDividers
    return false
  }

  /// Appends a row to the cell, as much of it as may stand there, and the rest on pages of its own.
  private mutating func appendPayload(
    _ row: RecordBuffer, mostBytes: Int, to file: inout PageFile
  ) throws(PlaceStoreError) {
    let count = row.byteCount
    guard count > mostBytes else { return row.write(to: &cell) }
    let least = (pageBytes - 12) * 32 / 255 - 23
    let kept = least + (count - least) % (pageBytes - 4)
    let local = kept <= mostBytes ? kept : least
    var record: [UInt8] = []
    row.write(to: &record)
    cell.append(contentsOf: record.span.extracting(0..<local))
    TreePage.append(Int(file.nextNumber), bytes: 4, to: &cell)
    var start = local
    while start < count {
      let end = min(count, start + pageBytes - 4)
      let next = end < count ? file.number(behind: file.nextNumber) : 0
      page.removeAll(keepingCapacity: true)
      TreePage.append(Int(next), bytes: 4, to: &page)
      page.append(contentsOf: record.span.extracting(start..<end))
      page.append(contentsOf: repeatElement(0, count: pageBytes - page.count))
      _ = try file.append(page.span)
      start = end
    }
  }
}
