/// Sums and differences of angles in degrees, without rounding errors.
enum ExactDegrees {
  /// Reduces a longitude to −180 … 180.
  static func longitude(_ degrees: Double) -> Double {
    // The remainder takes 20 ns, and most longitudes are already in range.
    abs(degrees) <= 180 ? degrees : degrees.remainder(dividingBy: 360)
  }

  /// The nearest number to the angle between two longitudes, −180 … 180, and the rest.
  ///
  /// An angle of 0 or half a turn has the sign of `end - start`.
  static func turn(
    from start: Double, to end: Double
  ) -> (degrees: Double, rest: Double) {
    let first = sum(longitude(-start), longitude(end))
    let second = sum(longitude(first.nearest), first.rest)
    guard second.nearest == 0 || abs(second.nearest) == 180 else {
      return (second.nearest, second.rest)
    }
    let direction = second.rest == 0 ? end - start : -second.rest
    return (Double(signOf: direction, magnitudeOf: second.nearest), second.rest)
  }

  /// The sum of two numbers: the nearest number, and its rounding error.
  ///
  /// Source: D. E. Knuth, The Art of Computer Programming, volume 2, 4.2.2, theorem B.
  static func sum(_ a: Double, _ b: Double) -> (nearest: Double, rest: Double) {
    let nearest = a + b
    let second = nearest - a
    let first = nearest - second
    return (nearest, (a - first) + (b - second))
  }

  /// The angle, or 0 below 1e-17° (a picometer), so that no square of its sine underflows.
  static func flushed(_ degrees: Double) -> Double {
    abs(degrees) < 1e-17 ? Double(signOf: degrees, magnitudeOf: 0) : degrees
  }
}
