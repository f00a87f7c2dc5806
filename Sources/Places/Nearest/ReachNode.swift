/// A node of the reach tree as SQLite stores it; see ``PackedTree`` for the format.
struct ReachNode {
  /// How many levels of nodes are below; stored in the root alone.
  var depth: Int
  /// The keys of a leaf's places, the numbers of another node's children.
  var numbers: [Int64] = []
  /// The box of each of them.
  var boxes: [ReachBox] = []

  private static let cellBytes = 32
  /// SQLite's own limit.
  private static let greatestDepth = 40

  /// Reads a node; nil where the bytes are none.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 4 else { return nil }
    depth = Int(bytes[0]) << 8 | Int(bytes[1])
    let count = Int(bytes[2]) << 8 | Int(bytes[3])
    guard depth <= ReachNode.greatestDepth, bytes.count >= 4 + count * ReachNode.cellBytes else {
      return nil
    }
    numbers.reserveCapacity(count)
    boxes.reserveCapacity(count)
    for index in 0..<count {
      let start = 4 + index * ReachNode.cellBytes
      let high = UInt64(ReachNode.word(bytes, at: start))
      let low = UInt64(ReachNode.word(bytes, at: start + 4))
      numbers.append(Int64(bitPattern: high << 32 | low))
      boxes.append(
        ReachBox(
          (
            ReachNode.float(bytes, at: start + 8), ReachNode.float(bytes, at: start + 12),
            ReachNode.float(bytes, at: start + 16), ReachNode.float(bytes, at: start + 20),
            ReachNode.float(bytes, at: start + 24), ReachNode.float(bytes, at: start + 28)
          )))
    }
  }

  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt32 {
    UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16
      | UInt32(bytes[offset + 2]) << 8 | UInt32(bytes[offset + 3])
  }

  @inline(__always)
  private static func float(_ bytes: Span<UInt8>, at offset: Int) -> Float {
    Float(bitPattern: word(bytes, at: offset))
  }
}
