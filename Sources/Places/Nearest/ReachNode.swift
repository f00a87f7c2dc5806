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
  ///   - window: Cells that lie outside of it are passed over.
  ///   - body: Takes each other cell: the key of a leaf's place, or the number of another node's
  ///     child, and its box.
  /// - Returns: How many levels of nodes are below, as the root alone knows; nil where the bytes are
  ///   no node.
  @inline(__always)
  static func read(
    _ node: Span<UInt8>, overlapping window: ReachWindow, _ body: (Int64, ReachBox) -> Void
  ) -> Int? {
    // Any bytes are numbers, and the span checks that they are there.
    let bytes = unsafe node.bytes
    guard bytes.byteCount >= headerBytes else { return nil }
    let depth = Int(node[0]) << 8 | Int(node[1])
    let count = Int(node[2]) << 8 | Int(node[3])
    guard depth <= greatestDepth, bytes.byteCount >= headerBytes + count * cellBytes else {
      return nil
    }
    for index in 0..<count {
      let start = headerBytes &+ index &* cellBytes
      // Two numbers of 32 bits at a time.
      let sides = ReachBox.Sides(
        longitudes: word(bytes, at: start &+ 8), latitudes: word(bytes, at: start &+ 16))
      guard window.overlaps(sides) else { continue }
      let reaches = word(bytes, at: start &+ 24)
      body(
        Int64(bitPattern: word(bytes, at: start)),
        ReachBox(
          sides,
          reaches: SIMD2(
            Float(bitPattern: UInt32(truncatingIfNeeded: reaches &>> 32)),
            Float(bitPattern: UInt32(truncatingIfNeeded: reaches)))))
    }
    return depth
  }

  @inline(__always)
  private static func word(_ bytes: RawSpan, at offset: Int) -> UInt64 {
    // Any eight bytes are a number; that all cells are there is checked before.
    UInt64(
      bigEndian: unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self))
  }
}
