import FencepostExpectations
import FencepostFormats
import Testing

@Suite("Changes that story tests notice")
struct MutationTests {
  private func mutation(_ expect: String, rules: String = "{}") throws -> CaseMutation {
    try Cases.runner(
      Cases.file(
        """
        {"places": [
          {"id": "gate", "lat": 40, "lon": -74.99766, "radius": 50},
          {"id": "mill", "lat": 40, "lon": -74.99298, "radius": 50,
           "published": "2026-01-01T00:00:00Z", "expires": "2026-12-31T00:00:00Z"},
          {"id": "far", "lat": 41, "lon": -75}],
         "rules": \(rules),
         "cases": [{"name": "street", "track": \(Cases.street), "expect": [\(expect)]}]}
        """)
    ).mutate()
  }

  @Test("are all found where times are bounded")
  func bounded() throws {
    let found = try mutation(
      """
      {"alert": "gate", "between": ["17:01:40", "17:01:55"]},
      {"alert": "mill", "between": ["17:06:25", "17:06:40"]}
      """)
    #expect(found.tried == 8)
    #expect(found.unnoticed.isEmpty && found.idle.isEmpty, "\(found)")
    #expect(found.storiesOutside == 1)
  }

  @Test("are listed where no case looks")
  func loose() throws {
    let found = try mutation(#"{"alert": "gate"}, {"at-most": 2}"#, rules: #"{"limit": 10}"#)
    #expect(
      found.unnoticed == [
        "gate: radius 25 m instead of 50 m", "gate: radius 100 m instead of 50 m",
        "mill: radius 25 m instead of 50 m", "mill: radius 100 m instead of 50 m",
        "mill: moved 100 m to the north", "mill: published after the walks",
        "mill: expired before the walks",
      ])
    #expect(found.idle == ["without the rule limit"])
    #expect(found.tried == 9)
  }

  @Test("are not looked for while a case fails")
  func failing() throws {
    #expect(throws: JSONPathError.self) { try mutation(#"{"no-alert": "gate"}"#) }
  }
}
