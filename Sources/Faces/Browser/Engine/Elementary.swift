import WASILibc

// Sines and cosines to 100 bits, rounded once: as near as glibc's, while those of wasi-libc differ
// from them in the last bit now and then, which a rounded digit can show.

/// A number as a sum of two, the second at most half a unit of the first's last place.
///
/// Sums are exact by Knuth's two-sum, and products by Dekker's, with Veltkamp's splitting in place
/// of a fused multiplication (Dekker, Numerische Mathematik 18, 1971).
private struct Double2 {
  var high: Double
  var low: Double

  init(_ high: Double, _ low: Double = 0) { (self.high, self.low) = (high, low) }

  /// The exact sum of two numbers.
  init(sum a: Double, _ b: Double) {
    high = a + b
    let part = high - a
    low = (a - (high - part)) + (b - part)
  }

  static func + (a: Double2, b: Double2) -> Double2 {
    let sum = Double2(sum: a.high, b.high)
    return Double2(sum: sum.high, sum.low + (a.low + b.low))
  }

  static func * (a: Double2, b: Double2) -> Double2 {
    let product = a.high * b.high
    // Without a fused instruction the rest takes halves of 26 bits.
    let (x, y) = (a.high.halves, b.high.halves)
    let rest = ((x.0 * y.0 - product) + x.0 * y.1 + x.1 * y.0) + x.1 * y.1
    return Double2(sum: product, rest + (a.high * b.low + a.low * b.high))
  }

  static func / (a: Double2, b: Double) -> Double2 {
    let first = a.high / b
    let rest = a + Double2(-first) * Double2(b)
    return Double2(sum: first, (rest.high + rest.low) / b)
  }

  static prefix func - (a: Double2) -> Double2 { Double2(-a.high, -a.low) }
}

extension Double {
  /// Two numbers of at most 26 bits whose sum this is, so that products of such numbers are exact.
  fileprivate var halves: (Double, Double) {
    let scaled = 134_217_729 * self
    let high = scaled - (scaled - self)
    return (high, self - high)
  }
}

/// The sine and cosine of an angle of a few turns at most.
///
/// The angle in radians is reduced to at most an eighth of a turn, where a Taylor series up to the
/// 27th power is enough.
private func sineCosine(_ angle: Double) -> (sine: Double2, cosine: Double2) {
  let quarters = (angle * (2 / Double.pi)).rounded()
  // A quarter turn to 160 bits.
  let x =
    Double2(angle) + Double2(-quarters) * Double2(0x1.921fb54442d18p0)
    + Double2(-quarters) * Double2(0x1.1a62633145c07p-54)
  let square = x * x
  var (sine, cosine) = (Double2(1), Double2(1))
  for factor in stride(from: 27.0, through: 3, by: -2) {
    sine = Double2(1) + -(square * sine) / (factor * (factor - 1))
    cosine = Double2(1) + -(square * cosine) / ((factor - 1) * (factor - 2))
  }
  sine = x * sine
  switch Int(quarters) & 3 {
  case 0: return (sine, cosine)
  case 1: return (cosine, -sine)
  case 2: return (-sine, -cosine)
  default: return (-cosine, sine)
  }
}

/// The sine of an angle in radians; NaN beyond 2^20, which no caller needs.
@_cdecl("sin")
func sine(_ angle: Double) -> Double {
  guard angle.magnitude < 0x1p20, angle != 0 else { return angle == 0 ? angle : .nan }
  return sineCosine(angle).sine.high
}

/// The cosine of an angle in radians; NaN beyond 2^20.
@_cdecl("cos")
func cosine(_ angle: Double) -> Double {
  angle.magnitude < 0x1p20 ? sineCosine(angle).cosine.high : .nan
}

/// The angle of a point in radians, from −π to π, with the signs of zeros as in C.
///
/// The library's arc is corrected by what is left of the direction after a turn by it.
@_cdecl("atan2")
func arc(_ y: Double, _ x: Double) -> Double {
  let half = Double.pi / 2
  guard y != 0 else { return x.sign == .plus ? y : Double(signOf: y, magnitudeOf: 2 * half) }
  guard x != 0 else { return Double(signOf: y, magnitudeOf: half) }
  let near = atan(y / x) + (x > 0 ? 0 : Double(signOf: y, magnitudeOf: 2 * half))
  // What is left of the point's direction after a turn by the near arc.
  let (sine, cosine) = sineCosine(near)
  let off = Double2(y) * cosine + -(Double2(x) * sine)
  let along = Double2(x) * cosine + Double2(y) * sine
  return near + off.high / along.high
}
