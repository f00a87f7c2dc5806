import FencepostLive
import Testing

@Suite("A roster of devices")
struct DeviceRosterTests {
  /// What each gave way to when it was heard.
  private static func forgotten(_ names: [String], capacity: Int) -> [String] {
    var roster = DeviceRoster(capacity: capacity)
    return names.compactMap { name in roster.hear(name).map { "\($0)<\(name)" } }
  }

  @Test(
    "forgets the one that has been silent longest, and first those heard only once",
    arguments: [
      ("a b c", 3, ""), ("a b c d", 3, "a<d"), ("a b a c", 2, "b<c"),
      // c was heard last, but only once.
      ("a b a b c d", 3, "c<d"), ("a b a b c", 2, "a<c"), ("a b a b b a c d", 2, "b<c c<d"),
      ("a b a b c a d", 2, "a<c c<a a<d"), ("a b c", 1, "a<b b<c"), ("a a b b", 0, "a<b"),
    ])
  func rule(heard: String, capacity: Int, forgotten: String) {
    let names = heard.split(separator: " ").map(String.init)
    #expect(Self.forgotten(names, capacity: capacity).joined(separator: " ") == forgotten)
  }

  @Test("keeps those that go on sending, whatever names are made up beside them")
  func flood() {
    var roster = DeviceRoster(capacity: 20)
    var lost: [String] = []
    for device in 0..<20 { _ = roster.hear("d\(device % 10)") }
    for round in 0..<200 {
      for device in 0..<10 { lost += [roster.hear("d\(device)")].compactMap { $0 } }
      for number in 0..<50 { lost += [roster.hear("x\(round).\(number)")].compactMap { $0 } }
    }
    #expect(lost.count == 200 * 50 - 10)
    #expect(!lost.contains { $0.hasPrefix("d") })
  }

  @Test("decides the same after its ranks were saved and restored, in any order")
  func restored() {
    let names = "a b c d a b e a f".split(separator: " ").map(String.init)
    let later = "c g h a i b j k".split(separator: " ").map(String.init)
    var roster = DeviceRoster(capacity: 4)
    for name in names { _ = roster.hear(name) }
    let kept = Set(names).filter { roster[$0] != nil }
    var copy = DeviceRoster(capacity: 4)
    for name in kept.sorted(by: >) { #expect(copy.restore(name, roster[name]) == nil) }
    for name in later { #expect(roster.hear(name) == copy.hear(name)) }
    // With less room, those in excess go.
    var smaller = DeviceRoster(capacity: 2)
    #expect(kept.sorted().compactMap { smaller.restore($0, nil) } == Array(kept.sorted().prefix(2)))
  }
}
