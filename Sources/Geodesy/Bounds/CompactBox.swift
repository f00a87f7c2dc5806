/// A box of longitudes and latitudes in 32-bit degrees.
///
/// It does not reach across the antimeridian. For users' boxes see ``CoordinateBox``.
public struct CompactBox: Sendable {
  @usableFromInline let least: SIMD2<Float>
  @usableFromInline let greatest: SIMD2<Float>

  /// Makes a box of its corners, longitude first, in degrees.
  ///
  /// - Parameters:
  ///   - least: The west and the south.
  ///   - greatest: The east and the north.
  @inlinable
  public init(least: SIMD2<Float>, greatest: SIMD2<Float>) {
    self.least = least
    self.greatest = greatest
  }

  /// The western side in degrees.
  @inlinable public var westDegrees: Double { Double(least.x) }
  /// The southern side in degrees.
  @inlinable public var southDegrees: Double { Double(least.y) }
  /// The eastern side in degrees.
  @inlinable public var eastDegrees: Double { Double(greatest.x) }
  /// The northern side in degrees.
  @inlinable public var northDegrees: Double { Double(greatest.y) }

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
}
