import FencepostPhones
import Testing

@Suite("Distributions")
struct DistributionTests {
  @Test("Quantiles have straight lines between them")
  func quantiles() {
    let distribution = Distribution.quantiles([
      .init(share: 0, value: 10), .init(share: 0.5, value: 20), .init(share: 1, value: 120),
    ])
    #expect(distribution.value(at: 0) == 10)
    #expect(distribution.value(at: 0.25) == 15)
    #expect(distribution.value(at: 0.5) == 20)
    #expect(distribution.value(at: 0.75) == 70)
  }

  @Test("A lognormal value has its median at half and the normal's quantiles around it")
  func lognormal() {
    let distribution = Distribution.lognormal(median: 60, sigma: 0.5)
    #expect(distribution.value(at: 0.5) == 60)
    // exp(0.5 · 1.2815515655446004), by Python's statistics.NormalDist.
    #expect(abs(distribution.value(at: 0.9) / 60 - 1.8979527) < 1e-6)
    #expect(abs(distribution.value(at: 0.1) * 1.8979527 / 60 - 1) < 1e-6)
  }

  @Test("A mixture gives each part its share, and within it all of its values")
  func mixture() {
    let distribution = Distribution.mixture([
      .init(share: 0.25, of: .quantiles([.init(share: 0, value: 0), .init(share: 1, value: 1)])),
      .init(share: 0.75, of: .quantiles([.init(share: 0, value: 10), .init(share: 1, value: 40)])),
    ])
    let values = (0..<4000).map { distribution.value(at: (Double($0) + 0.5) / 4000) }
    let (first, second) = (values.filter { $0 < 5 }, values.filter { $0 > 5 })
    #expect(first.count == 1000)
    #expect(abs(first.reduce(0, +) / 1000 - 0.5) < 1e-3)
    #expect(abs(second.reduce(0, +) / 3000 - 25) < 1e-2)
  }
}
