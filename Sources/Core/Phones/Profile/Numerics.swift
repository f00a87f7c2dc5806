/// Elementary functions without the C library, so that a seed gives the same result everywhere.
///
/// C libraries differ in the last bits of such functions, which would change simulated alerts.
package enum Numerics {
  /// e to the power of `x`, within 4e-16 of itself; 0 below −708, and clamped above 709.
  package static func exponential(_ x: Double) -> Double {
    guard x > -708 else { return 0 }
    let x = min(x, 709)
    let power = (x * 1.4426950408889634).rounded()
    // ln 2 in two parts, so that the product with the power is exact.
    let rest = (x - power * 0x1.62e42feep-1) - power * 0x1.a39ef35793c76p-33
    var sum = 1.0
    for divisor in stride(from: 14.0, through: 1, by: -1) { sum = 1 + sum * rest / divisor }
    return Double(sign: .plus, exponent: Int(power), significand: sum)
  }

  /// The natural logarithm of a positive normal number, within 4e-16 of itself or of 1.
  package static func logarithm(_ x: Double) -> Double {
    var (significand, exponent) = (x.significand, Double(x.exponent))
    if significand > 2.0.squareRoot() { (significand, exponent) = (significand / 2, exponent + 1) }
    // ln m = 2 artanh((m − 1) / (m + 1)), with |z| below 0.172.
    let z = (significand - 1) / (significand + 1)
    let square = z * z
    var sum = 0.0
    for divisor in stride(from: 21.0, through: 1, by: -2) { sum = sum * square + 1 / divisor }
    return exponent * 0x1.62e42feep-1 + (exponent * 0x1.a39ef35793c76p-33 + 2 * z * sum)
  }

  /// The quantile function of the standard normal distribution, within 1e-15 of itself.
  ///
  /// The share is clamped between 0 and 1. Wichura, AS 241 (PPND16), Applied Statistics 37, 1988.
  package static func normalQuantile(_ share: Double) -> Double {
    let share = min(max(share, 0x1p-60), 1 - 0x1p-53)
    let q = share - 0.5
    if abs(q) <= 0.425 {
      let r = 0.180625 - q * q
      return q * ratio(r, center)
    }
    let r = (-logarithm(min(share, 1 - share))).squareRoot()
    let size = r <= 5 ? ratio(r - 1.6, shoulder) : ratio(r - 5, tail)
    return q < 0 ? -size : size
  }

  /// A ratio of two polynomials, highest power first.
  private typealias Fraction = (above: SIMD8<Double>, below: SIMD8<Double>)

  @inline(__always)
  private static func ratio(_ x: Double, _ fraction: Fraction) -> Double {
    var (above, below) = (0.0, 0.0)
    for index in 0..<8 {
      above = above * x + fraction.above[index]
      below = below * x + fraction.below[index]
    }
    return above / below
  }

  private static let center: Fraction = (
    SIMD8(
      2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4,
      4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3,
      1.3314166789178437745e2, 3.3871328727963666080e0),
    SIMD8(
      5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4,
      2.1213794301586595867e4, 5.3941960214247511077e3, 6.8718700749205790830e2,
      4.2313330701600911252e1, 1)
  )
  private static let shoulder: Fraction = (
    SIMD8(
      7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
      1.27045825245236838258e0, 3.64784832476320460504e0, 5.76949722146069140550e0,
      4.63033784615654529590e0, 1.42343711074968357734e0),
    SIMD8(
      1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
      1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e0,
      2.05319162663775882187e0, 1)
  )
  private static let tail: Fraction = (
    SIMD8(
      2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
      2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e0,
      5.46378491116411436990e0, 6.65790464350110377720e0),
    SIMD8(
      2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
      7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
      5.99832206555887937690e-1, 1)
  )
}
