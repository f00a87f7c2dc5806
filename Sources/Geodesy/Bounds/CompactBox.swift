/// A box of longitudes and latitudes in 32-bit degrees, which cannot cross the antimeridian.
package struct CompactBox: Sendable {
  @usableFromInline let least: SIMD2<Float>
  @usableFromInline let greatest: SIMD2<Float>

  /// Creates a box from its southwest and northeast corners, longitude first, in degrees.
  @inlinable
  package init(least: SIMD2<Float>, greatest: SIMD2<Float>) {
    self.least = least
    self.greatest = greatest
  }

  /// The western edge in degrees.
  @inlinable package var westDegrees: Double { Double(least.x) }
  /// The southern edge in degrees.
  @inlinable package var southDegrees: Double { Double(least.y) }
  /// The eastern edge in degrees.
  @inlinable package var eastDegrees: Double { Double(greatest.x) }
  /// The northern edge in degrees.
  @inlinable package var northDegrees: Double { Double(greatest.y) }

  var halfSpans: (width: Double, height: Double) {
    (
      (eastDegrees - westDegrees) * (.pi / 360), (northDegrees - southDegrees) * (.pi / 360)
    )
  }

  var middle: Coordinate {
    Coordinate(
      latitudeDegrees: (southDegrees + northDegrees) / 2,
      longitudeDegrees: (westDegrees + eastDegrees) / 2)
  }
}
