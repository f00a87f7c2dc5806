/// A seeded source of random numbers, the same on every machine.
///
/// Source: S. Vigna's public `splitmix64.c`, 2015.
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A stream of its own for the item with a number, so that items can be made in any order.
  init(seed: UInt64, item: Int) {
    var mixer = SplitMix64(seed: seed &+ UInt64(item) &* 0xD1B5_4A32_D192_ED03)
    state = mixer.next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Uniform in 0 ..< 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Uniform between two bounds.
  mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  /// Uniform in 0 ..< count.
  mutating func index(below count: Int) -> Int { Int(unit() * Double(count)) }

  /// Bell-shaped about 0 with a standard deviation of 1, within ±2√3; no library function in it.
  mutating func bell() -> Double {
    (unit() + unit() + unit() + unit() - 2) * 1.7320508075688772
  }

  /// A random direction, as the sine and cosine of its angle.
  mutating func direction() -> (x: Double, y: Double) {
    while true {
      let x = uniform(-1, 1)
      let y = uniform(-1, 1)
      let square = x * x + y * y
      if square > 0.01, square <= 1 {
        let length = square.squareRoot()
        return (x / length, y / length)
      }
    }
  }
}
