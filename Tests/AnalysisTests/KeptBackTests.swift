import FencepostAnalysis
import FencepostFixes
import Testing

@Suite("Tracks kept back from advice")
struct KeptBackTests {
  @Test("What is gained on them is what an analysis of them says")
  func measured() async throws {
    let scene = try AdviceScene(seed: 31, persons: 9, walks: 2)
    let options = AdviceScene.options { $0.testShare = 0.3 }
    let advice = try await scene.advise(options)
    let keptBack = try #require(advice.keptBack)
    #expect(keptBack.before.persons == 3)
    #expect(advice.effect.before.persons == 6)
    let whole = AdviceScene.Claim(advice.whole.after)
    #expect(whole == (try await scene.analyze(advice.places, advice.session)))
    #expect(
      AdviceScene.Claim(advice.whole.before)
        == (try await scene.analyze(scene.places, options.session)))
    let gains = advice.proposals.compactMap(\.keptBack?.alerts)
    #expect(gains.count == advice.proposals.count)
    #expect(gains.reduce(0, +) == keptBack.alerts)
  }

  @Test("They do not shape the advice")
  func apart() async throws {
    var scene = try AdviceScene(seed: 32, persons: 9)
    let advice = try await scene.advise(AdviceScene.options { $0.testShare = 0.3 })
    #expect(!advice.proposals.isEmpty)
    // The same persons without those kept back give the same advice.
    let kept = try KeptBackTests.keptBack(scene, share: 0.3, seed: 1)
    scene.groups.removeAll { kept.contains($0.person ?? $0.paths[0]) }
    let alone = try await scene.advise(AdviceScene.options())
    #expect(alone.proposals.map(\.change) == advice.proposals.map(\.change))
    #expect(alone.effect == advice.effect)
  }

  private static func keptBack(
    _ scene: AdviceScene, share: Double, seed: UInt64
  ) throws -> Set<String> {
    let names = try scene.persons().map { $0.person ?? $0.tracks[0].name }
    return Set(KeptBack.choose(names, share: share, seed: seed).map { names[$0] })
  }

  @Test("The choice depends on names and seed alone, and keeps its share")
  func choice() {
    let names = (0..<50).map { "person \($0)" }
    let chosen = Set(KeptBack.choose(names, share: 0.3, seed: 1).map { names[$0] })
    #expect(chosen.count == 15)
    let shuffled = Array(names.reversed())
    #expect(Set(KeptBack.choose(shuffled, share: 0.3, seed: 1).map { shuffled[$0] }) == chosen)
    #expect(Set(KeptBack.choose(names, share: 0.3, seed: 2).map { names[$0] }) != chosen)
    #expect(KeptBack.choose(names, share: 0, seed: 1).isEmpty)
    #expect(KeptBack.choose(["a"], share: 0.5, seed: 1).isEmpty)
    #expect(KeptBack.choose(["a", "b"], share: 0.01, seed: 1).count == 1)
    #expect(KeptBack.choose(["a", "b"], share: 0.99, seed: 1).count == 1)
  }
}
