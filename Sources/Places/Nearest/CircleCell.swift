import FencepostGeodesy
import FencepostMonitoring

/// A cell of the circle index: a box of centres and an extent of radii.
///
/// The R*Tree's third dimension is in units of 100 km, about a degree of latitude, so that all
/// three weigh alike. Every cell has some thickness there: the tree compares volumes, and those of
/// equal radii would all be 0.
struct CircleCell {
  static let metersPerUnit = 100_000.0
  static let thickness = 0.001

  let box: CompactBox
  /// Least and greatest radius as the tree stores them, rounded outwards.
  private let reaches: SIMD2<Float>

  init(_ box: CompactBox, reaches: SIMD2<Float>) {
    self.box = box
    self.reaches = reaches
  }

  var leastRadiusMeters: Double { Double(reaches.x) * CircleCell.metersPerUnit }
  var greatestRadiusMeters: Double {
    (Double(reaches.y) - CircleCell.thickness) * CircleCell.metersPerUnit + 1e-6
  }

  /// The hull of all circles that the cell can hold.
  var hull: CircleHull {
    CircleHull(of: box, radiiMeters: [leastRadiusMeters, greatestRadiusMeters])
  }

  /// The cell of everything.
  static let world = CircleCell(
    CompactBox(least: [-180, -90], greatest: [180, 90]), reaches: [0, 201])
}

// MARK: Nodes

/// A node as SQLite stores it; see ``PackedTree`` for the format.
extension CircleCell {
  private static let headerBytes = 4
  private static let cellBytes = 32
  /// SQLite's own limit.
  private static let greatestDepth = 40

  /// Reads a node.
  ///
  /// - Parameters:
  ///   - node: Its bytes.
  ///   - window: Cells outside of it are skipped.
  ///   - body: Called with each other cell: the key of a leaf's place, or the number of an inner
  ///     node's child, and the cell.
  /// - Returns: How many levels of nodes are below, which only the root stores; nil if the bytes
  ///   are not a node.
  @inline(__always)
  static func read(
    _ node: Span<UInt8>, overlapping window: CompactBox, _ body: (Int64, CircleCell) -> Void
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
      let longitudes = floats(bytes, at: start &+ 8)
      let latitudes = floats(bytes, at: start &+ 16)
      let box = CompactBox(
        least: SIMD2(longitudes.x, latitudes.x), greatest: SIMD2(longitudes.y, latitudes.y))
      guard box.overlaps(window) else { continue }
      body(
        Int64(bitPattern: word(bytes, at: start)),
        CircleCell(box, reaches: floats(bytes, at: start &+ 24)))
    }
    return depth
  }

  /// A least and a greatest value.
  @inline(__always)
  private static func floats(_ bytes: RawSpan, at offset: Int) -> SIMD2<Float> {
    let pair = word(bytes, at: offset)
    return SIMD2(
      Float(bitPattern: UInt32(truncatingIfNeeded: pair &>> 32)),
      Float(bitPattern: UInt32(truncatingIfNeeded: pair)))
  }

  @inline(__always)
  private static func word(_ bytes: RawSpan, at offset: Int) -> UInt64 {
    // Any eight bytes are a number; that all cells are there is checked before.
    UInt64(
      bigEndian: unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self))
  }
}
