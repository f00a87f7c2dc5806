import FencepostGeodesy

/// Random bits computed from a key and a counter, so that the order of trials does not matter.
///
/// Philox4x32-10: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC
/// 2011.
package enum Philox {
  /// Computes 128 random bits from a counter and a key, in ten rounds.
  package static func block(counter: SIMD4<UInt32>, key: SIMD2<UInt32>) -> SIMD4<UInt32> {
    var (counter, key) = (counter, key)
    for _ in 0..<10 {
      let first = UInt64(counter.x) * 0xD251_1F53
      let second = UInt64(counter.z) * 0xCD9E_8D57
      counter = SIMD4(
        UInt32(truncatingIfNeeded: second >> 32) ^ counter.y ^ key.x,
        UInt32(truncatingIfNeeded: second),
        UInt32(truncatingIfNeeded: first >> 32) ^ counter.w ^ key.y,
        UInt32(truncatingIfNeeded: first))
      key = SIMD2(key.x &+ 0x9E37_79B9, key.y &+ 0xBB67_AE85)
    }
    return counter
  }
}

/// The random numbers of one subject, such as a story on a track, in one trial.
///
/// Equal seeds, subjects and trials give equal numbers, on every machine and in any order of work.
package struct RandomSequence {
  private let key: SIMD2<UInt32>
  private var counter: SIMD4<UInt32>
  private var bits = SIMD4<UInt32>()
  private var used = 4

  /// Creates a sequence at its first number.
  ///
  /// - Parameters:
  ///   - seed: The seed of the whole simulation.
  ///   - subject: What the numbers are for; see ``subjectKey(_:)``.
  ///   - trial: The number of the trial.
  package init(seed: UInt64, subject: UInt64, trial: UInt32) {
    key = SIMD2(UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32))
    counter = SIMD4(
      0, trial, UInt32(truncatingIfNeeded: subject), UInt32(truncatingIfNeeded: subject >> 32))
  }

  /// Continues with a certain number of the sequence, counted from 0 to 2^34 − 1.
  package mutating func go(to number: Int64) {
    let block = UInt32(truncatingIfNeeded: number >> 2)
    if counter.x != block &+ 1 || block == .max {
      counter.x = block
      bits = Philox.block(counter: counter, key: key)
      counter.x &+= 1
    }
    used = Int(number & 3)
  }

  /// A number between 0 and 1, exclusive, out of 2^32 equally likely values.
  package mutating func uniform() -> Double {
    if used == 4 {
      bits = Philox.block(counter: counter, key: key)
      counter.x &+= 1
      used = 0
    }
    defer { used += 1 }
    return (Double(bits[used]) + 0.5) * 0x1p-32
  }

  /// A number of the standard normal distribution.
  package mutating func normal() -> Double { Numerics.normalQuantile(uniform()) }
}

/// Identifies a subject in the random numbers by its name, the same on every machine.
package func subjectKey(_ name: String) -> UInt64 { StableHash(name.utf8).value }
