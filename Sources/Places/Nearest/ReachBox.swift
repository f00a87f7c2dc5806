/// A cell of the reach tree: an extent of longitudes, latitudes and radii.
///
/// The third dimension counts in units of 100 km, about a degree of latitude, so that the R*Tree
/// weighs it against the other two; and every cell has a thickness there, for the tree compares
/// volumes and would find those of equal radii all 0.
struct ReachBox {
  static let metersPerUnit = 100_000.0
  static let thickness = 0.001

  let sides: Sides
  /// Least and greatest reach, as the tree stores them; only their outer side is certain.
  private let reaches: SIMD2<Float>

  /// The four sides of a box, as 32-bit degrees of which only the outer side is certain.
  struct Sides {
    /// East and north negated, so that all four are of the kind that is compared with “at most”:
    /// -east, -north, west, south.
    fileprivate let lanes: SIMD4<Float>

    /// Makes sides of degrees.
    init(west: Float, east: Float, south: Float, north: Float) {
      lanes = SIMD4(-east, -north, west, south)
    }

    /// Makes the sides that a node of the tree holds.
    ///
    /// - Parameters:
    ///   - longitudes: The bits of the least one in the upper half, of the greatest in the lower.
    ///   - latitudes: Likewise.
    @inline(__always)
    init(longitudes: UInt64, latitudes: UInt64) {
      let greatest = SIMD2(
        Float(bitPattern: UInt32(truncatingIfNeeded: longitudes)),
        Float(bitPattern: UInt32(truncatingIfNeeded: latitudes)))
      let least = SIMD2(
        Float(bitPattern: UInt32(truncatingIfNeeded: longitudes &>> 32)),
        Float(bitPattern: UInt32(truncatingIfNeeded: latitudes &>> 32)))
      lanes = SIMD4(lowHalf: -greatest, highHalf: least)
    }

    /// Whether none of them lies beyond those of a window, both with their inner sides negated.
    @inline(__always)
    func areWithin(_ window: SIMD4<Float>) -> Bool { all(lanes .<= window) }
  }

  /// Makes a box of its sides and of its least and greatest reach.
  @inline(__always)
  init(_ sides: Sides, reaches: SIMD2<Float>) {
    self.sides = sides
    self.reaches = reaches
  }

  var leastLongitude: Double { Double(sides.lanes[2]) }
  var greatestLongitude: Double { Double(-sides.lanes[0]) }
  var leastLatitude: Double { Double(sides.lanes[3]) }
  var greatestLatitude: Double { Double(-sides.lanes[1]) }
  var leastRadiusMeters: Double { Double(reaches.x) * ReachBox.metersPerUnit }
  var greatestRadiusMeters: Double {
    (Double(reaches.y) - ReachBox.thickness) * ReachBox.metersPerUnit + 1e-6
  }

  /// The box of everything.
  static let world = ReachBox(
    Sides(west: -180, east: 180, south: -90, north: 90), reaches: [0, 201])
}
