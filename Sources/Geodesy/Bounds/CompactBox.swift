/// A box of longitudes and latitudes in 32-bit degrees, rounded outwards; two are compared in one
/// operation.
///
/// It does not reach across the antimeridian. For users' boxes see ``CoordinateBox``.
public struct CompactBox: Sendable {
  /// East and north negated, so that all four are compared alike: −east, −north, west, south.
  @usableFromInline let lanes: SIMD4<Float>

  /// Makes a box of its corners, longitude first, in degrees.
  ///
  /// - Parameters:
  ///   - least: The west and the south.
  ///   - greatest: The east and the north.
  @inlinable
  public init(least: SIMD2<Float>, greatest: SIMD2<Float>) {
    lanes = SIMD4(lowHalf: -greatest, highHalf: least)
  }

  /// Makes a box of its sides in degrees, which are rounded outwards.
  @inlinable
  public init(
    westDegrees: Double, southDegrees: Double, eastDegrees: Double, northDegrees: Double
  ) {
    self.init(
      least: SIMD2(Float(westDegrees).nextDown, Float(southDegrees).nextDown),
      greatest: SIMD2(Float(eastDegrees).nextUp, Float(northDegrees).nextUp))
  }

  /// The box of all longitudes and latitudes, and of any other number.
  @inlinable public static var everything: CompactBox {
    CompactBox(
      least: SIMD2(repeating: -.infinity), greatest: SIMD2(repeating: .infinity))
  }

  /// The western side in degrees.
  @inlinable public var westDegrees: Double { Double(lanes[2]) }
  /// The southern side in degrees.
  @inlinable public var southDegrees: Double { Double(lanes[3]) }
  /// The eastern side in degrees.
  @inlinable public var eastDegrees: Double { Double(-lanes[0]) }
  /// The northern side in degrees.
  @inlinable public var northDegrees: Double { Double(-lanes[1]) }

  /// Half the width and half the height, in radians.
  var halfSpans: (width: Double, height: Double) {
    (
      (eastDegrees - westDegrees) * (.pi / 360), (northDegrees - southDegrees) * (.pi / 360)
    )
  }

  /// The middle of the box.
  var middle: Coordinate {
    Coordinate(
      latitudeDegrees: (southDegrees + northDegrees) / 2,
      longitudeDegrees: (westDegrees + eastDegrees) / 2)
  }

  /// Whether two boxes have a point in common; false where a side is NaN.
  @inlinable @inline(__always)
  public func overlaps(_ other: CompactBox) -> Bool {
    all(lanes .<= -SIMD4(lowHalf: other.lanes.highHalf, highHalf: other.lanes.lowHalf))
  }
}
