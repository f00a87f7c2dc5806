/// A node of the reach tree as SQLite stores it; see ``PackedTree`` for the format.
enum ReachNode {
  private static let headerBytes = 4
  private static let cellBytes = 32
  /// SQLite's own limit.
  private static let greatestDepth = 40

  /// Reads a node.
  ///
  /// - Parameters:
  ///   - node: Its bytes.
  ///   - body: Takes each cell: the key of a leaf's place, or the number of another node's child,
  ///     and its box.
  /// - Returns: How many levels of nodes are below, as the root alone knows; nil where the bytes are
  ///   no node.
  @inline(__always)
  static func read(_ node: Span<UInt8>, _ body: (Int64, ReachBox) -> Void) -> Int? {
    // Any bytes are numbers, and the span checks that they are there.
    let bytes = unsafe node.bytes
    guard bytes.byteCount >= headerBytes else { return nil }
    let depth = Int(node[0]) << 8 | Int(node[1])
    let count = Int(node[2]) << 8 | Int(node[3])
    guard depth <= greatestDepth, bytes.byteCount >= headerBytes + count * cellBytes else {
      return nil
    }
    for index in 0..<count {
      let start = headerBytes + index * cellBytes
      let number = Int64(
        bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: Int64.self))
      body(
        number,
        ReachBox(
          (
            float(bytes, at: start + 8), float(bytes, at: start + 12),
            float(bytes, at: start + 16), float(bytes, at: start + 20),
            float(bytes, at: start + 24), float(bytes, at: start + 28)
          )))
    }
    return depth
  }

  @inline(__always)
  private static func float(_ bytes: RawSpan, at offset: Int) -> Float {
    // Any four bytes are a number; that they are there is checked.
    Float(
      bitPattern: UInt32(
        bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
