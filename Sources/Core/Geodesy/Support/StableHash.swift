/// A hash that is the same in every run and on every machine: 64-bit FNV-1a.
///
/// Source: G. Fowler, L. C. Noll, K.-P. Vo, "The FNV non-cryptographic hash algorithm".
package struct StableHash: Sendable {
  /// The hash of everything combined so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the hash of no bytes.
  package init() {}

  /// The hash of some bytes.
  package init(_ bytes: some Sequence<UInt8>) { combine(bytes) }

  /// Adds a number in one step, as if it were a byte.
  package mutating func combine(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01B3 }

  /// Adds bytes.
  package mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { combine(UInt64(byte)) }
  }
}

/// Random numbers that are the same in every run: SplitMix64.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014.
package struct SplitMix: RandomNumberGenerator, Sendable {
  /// What the state grows by, 2^64 divided by the golden ratio.
  package static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  private var state: UInt64

  /// Creates a sequence; equal seeds give equal numbers.
  package init(seed: UInt64) { state = seed }

  /// The next number; all values are equally likely.
  package mutating func next() -> UInt64 {
    state &+= Self.step
    return state.mixed
  }

  /// A number from 0 up to, but not including, 1.
  package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

extension UInt64 {
  /// The number with its bits mixed, by the finalizer of ``SplitMix``.
  package var mixed: UInt64 {
    var mixed = self
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
