/// Four circles, member by member: measuring four distances costs little more than measuring one.
///
/// For loops over many circles of which few are near. The empty places of a block are near nothing.
public struct CircleBlock: Sendable {
  /// How many circles a block has room for.
  @inlinable public static var capacity: Int { 4 }

  /// The centres' vectors in metres, coordinate by coordinate.
  @usableFromInline var x = SIMD4<Double>(repeating: .nan)
  @usableFromInline var y = SIMD4<Double>.zero
  @usableFromInline var z = SIMD4<Double>.zero
  /// The radii in metres; 0 where there is no circle.
  public private(set) var radiiMeters = SIMD4<Double>.zero

  /// Makes a block without circles.
  public init() {}

  /// Puts circles into as few blocks as can hold them, in order.
  public static func blocks(of circles: [Circle]) -> [CircleBlock] {
    var blocks: [CircleBlock] = []
    blocks.reserveCapacity((circles.count + capacity - 1) / capacity)
    for (index, circle) in circles.enumerated() {
      if index % capacity == 0 { blocks.append(CircleBlock()) }
      blocks[index / capacity].set(index % capacity, to: circle)
    }
    return blocks
  }

  /// Puts a circle in a place of the block, 0 … 3.
  public mutating func set(_ place: Int, to circle: Circle) {
    let center = circle.center.vector
    x[place] = center.x
    y[place] = center.y
    z[place] = center.z
    radiiMeters[place] = circle.radiusMeters
  }

  /// The centre's vector and the radius of the circle in a place of the block, 0 … 3.
  @inlinable @inline(__always)
  public func sphere(_ place: Int) -> SIMD4<Double> {
    SIMD4(x[place], y[place], z[place], radiiMeters[place])
  }

  /// The squares of the chords from a point to the centres, in square metres; NaN where there is no
  /// circle.
  @inlinable @inline(__always)
  public func chordsSquared(from point: SIMD3<Double>) -> SIMD4<Double> {
    let x = x - SIMD4(repeating: point.x)
    let y = y - SIMD4(repeating: point.y)
    let z = z - SIMD4(repeating: point.z)
    return x * x + y * y + z * z
  }
}
