import Foundation
import Testing

import FencepostPhones

@Suite("Random numbers")
struct RandomTests {
  /// The known answers of Random123's `kat_vectors` for philox4x32-10.
  @Test(
    "Philox gives the known answers",
    arguments: [
      (
        SIMD4<UInt32>(0, 0, 0, 0), SIMD2<UInt32>(0, 0),
        SIMD4<UInt32>(0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8)
      ),
      (
        SIMD4(repeating: UInt32.max), SIMD2(repeating: UInt32.max),
        SIMD4(0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd)
      ),
      (
        SIMD4(0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344), SIMD2(0xa409_3822, 0x299f_31d0),
        SIMD4(0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1)
      ),
    ])
  func knownAnswers(counter: SIMD4<UInt32>, key: SIMD2<UInt32>, answer: SIMD4<UInt32>) {
    #expect(Philox.block(counter: counter, key: key) == answer)
  }

  @Test("Exponential and logarithm agree with the C library")
  func elementary() {
    for step in -7000...7000 {
      let x = Double(step) / 10
      #expect(abs(Numerics.exponential(x) / Foundation.exp(x) - 1) < 4e-16 * max(1, 2))
      let y = Foundation.exp(x)
      #expect(abs(Numerics.logarithm(y) - Foundation.log(y)) <= 4e-16 * max(1, abs(x)))
    }
  }

  @Test("The normal's quantile undoes the error function")
  func normalQuantile() {
    for step in 1..<2000 {
      for share in [Double(step) / 2000, Double(step) * 1e-12] {
        let z = Numerics.normalQuantile(share)
        #expect(abs(Foundation.erfc(-z / 2.0.squareRoot()) / 2 / share - 1) < 1e-12, "\(share)")
      }
    }
    // By Python's statistics.NormalDist.
    #expect(abs(Numerics.normalQuantile(0.975) - 1.9599639845400536) < 1e-14)
  }

  @Test("An error of position keeps its spread and forgets at its pace")
  func positionError() {
    var random = RandomSequence(seed: 7, subject: 9, trial: 3)
    var error = PositionError(sigmaMeters: 25, correlationSeconds: 60)
    func normals() -> SIMD2<Double> { SIMD2(random.normal(), random.normal()) }
    error.restart(normals())
    var (squares, products) = (0.0, 0.0)
    let steps = 200_000
    for _ in 0..<steps {
      let before = error.meters
      error.step(seconds: 30, normals())
      squares += (error.meters * error.meters).sum() / 2
      products += (error.meters * before).sum() / 2
    }
    // The spread of both estimates is below 0.5 %.
    #expect(abs(squares / Double(steps) / 625 - 1) < 0.02)
    #expect(abs(products / squares - Foundation.exp(-0.5)) < 0.01)
  }

  @Test("A sequence depends on seed, subject and trial alone")
  func sequences() {
    func first(_ seed: UInt64, _ subject: UInt64, _ trial: UInt32) -> [Double] {
      var random = RandomSequence(seed: seed, subject: subject, trial: trial)
      return (0..<9).map { _ in random.uniform() }
    }
    #expect(first(1, 2, 3) == first(1, 2, 3))
    #expect(Set([first(1, 2, 3), first(2, 2, 3), first(1, 3, 3), first(1, 2, 4)]).count == 4)
  }
}
