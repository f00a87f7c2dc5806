import Formats

/// A page of a B-tree as it fills with cells.
struct TreePage {
  /// What a page's first byte says of it.
  enum Kind: UInt8 {
    case indexBranch = 0x02
    case tableBranch = 0x05
    case indexLeaf = 0x0A
    case tableLeaf = 0x0D

    var isBranch: Bool { self == .indexBranch || self == .tableBranch }
    var headerBytes: Int { isBranch ? 12 : 8 }
  }

  let kind: Kind
  private let pageBytes: Int
  /// The cells one after the other, and where each begins.
  private var cells: [UInt8] = []
  private var starts: [Int] = []

  init(_ kind: Kind, pageBytes: Int) {
    self.kind = kind
    self.pageBytes = pageBytes
  }

  mutating func removeAll() {
    cells.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
  }

  /// Whether there is room for another cell.
  func hasRoom(for byteCount: Int) -> Bool {
    kind.headerBytes + 2 * (starts.count + 1) + cells.count + byteCount <= pageBytes
  }

  /// Adds a cell, for which there must be room.
  mutating func append(_ cell: [UInt8]) {
    starts.append(cells.count)
    cells.append(contentsOf: cell.span)
  }

  /// Takes the last cell away, nil where there is none.
  mutating func popLast() -> [UInt8]? {
    guard let start = starts.popLast() else { return nil }
    defer { cells.removeSubrange(start...) }
    return Array(cells[start...])
  }

  /// Replaces the contents of a buffer by the page's bytes.
  ///
  /// - Parameters:
  ///   - bytes: The buffer.
  ///   - rightmost: Of a branch the child behind its last cell.
  func write(to bytes: inout [UInt8], rightmost: UInt32 = 0) {
    let content = pageBytes - cells.count
    bytes.removeAll(keepingCapacity: true)
    bytes.append(kind.rawValue)
    for value in [0, starts.count, content] { TreePage.append(value, bytes: 2, to: &bytes) }
    bytes.append(0)
    if kind.isBranch { TreePage.append(Int(rightmost), bytes: 4, to: &bytes) }
    for start in starts { TreePage.append(content + start, bytes: 2, to: &bytes) }
    bytes.append(contentsOf: repeatElement(0, count: content - bytes.count))
    bytes.append(contentsOf: cells.span)
  }

  /// Appends a number, its greatest byte first.
  static func append(_ value: Int, bytes count: Int, to bytes: inout [UInt8]) {
    for index in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
    }
  }
}
