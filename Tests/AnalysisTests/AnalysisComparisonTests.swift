import FencepostAnalysis
import Testing

@Suite("Two analyses of the same tracks")
struct AnalysisComparisonTests {
  private func account(
    _ track: String, alerts: Int, of oracle: Int, refreshes: Int, person: String? = nil,
    days: [Int: Int]
  ) -> TrackAccount {
    var account = TrackAccount(track: track)
    account.counts.alerts = alerts
    account.counts.foundAlerts = alerts
    account.counts.oracleAlerts = oracle
    account.refreshes = refreshes
    account.lengthMillimeters = 2_000_000
    account.person = person
    account.alertsByDay = days
    return account
  }

  private func sides(
    persons: Bool = false
  ) -> (AnalysisComparison.Side, AnalysisComparison.Side) {
    var first = AnalysisComparison.Side(rule: "20 places")
    var second = AnalysisComparison.Side(rule: "adaptive")
    for number in 0..<20 {
      let person = persons ? "person \(number % 4)" : nil
      first.tracks.append(
        account(
          "t\(number)", alerts: 3, of: 5, refreshes: 8, person: person, days: [number: 3]))
      second.tracks.append(
        account(
          "t\(number)", alerts: 4 + number % 2, of: 5, refreshes: 4, person: person,
          days: [number: 4 + number % 2]))
    }
    first.alerts = ["t1": ["a": 1, "b": 1], "t2": ["a": 2]]
    second.alerts = ["t1": ["a": 1, "c": 1], "t2": ["c": 1]]
    first.titles = ["a": "Alpha", "b": "Beta", "c": "Gamma"]
    return (first, second)
  }

  @Test("Measures are those of the sums, and their intervals hold the difference")
  func measures() throws {
    let (first, second) = sides()
    let found = AnalysisComparison(first, second)
    #expect(found.pairs == 20)
    #expect(found.persons == nil)
    #expect(found.recall.first == 0.6)
    #expect(found.recall.second == 0.9)
    let interval = try #require(found.recall.interval)
    #expect(interval.contains(try #require(found.recall.difference)))
    #expect(interval.lowerBound > 0.24 && interval.upperBound < 0.36)
    #expect(found.recall.isCertain)
    #expect(found.alertsPerPersonDay.difference == 1.5)
    #expect(found.refreshesPerKilometer.difference == -2)
    // Every track has the same difference, so that chance has no part in it.
    #expect(found.refreshesPerKilometer.interval == -2 ... -2)
  }

  @Test("An analysis compared with itself differs in nothing")
  func same() {
    let (first, _) = sides()
    let found = AnalysisComparison(first, first)
    #expect(found.recall.interval == 0...0)
    #expect(!found.recall.isCertain)
    #expect(found.stories.isEmpty)
  }

  @Test("Stories are gained and lost by track")
  func stories() {
    let (first, second) = sides()
    let found = AnalysisComparison(first, second)
    #expect(
      found.stories.map { "\($0.place) \($0.title): +\($0.gained) -\($0.lost), \($0.kept) kept" }
        == [
          "c Gamma: +2 -0, 0 kept", "a Alpha: +0 -1, 1 kept", "b Beta: +0 -1, 0 kept",
        ])
  }

  @Test("Where every track has a person, persons are drawn; the order of tracks does not matter")
  func persons() {
    var (first, second) = sides(persons: true)
    let found = AnalysisComparison(first, second)
    #expect(found.persons == 4)
    first.tracks.reverse()
    second.tracks.reverse()
    let turned = AnalysisComparison(first, second)
    #expect(turned.recall.interval == found.recall.interval)
  }

  @Test("Tracks of one analysis alone are named and left out")
  func unpaired() {
    var (first, second) = sides()
    first.tracks.removeFirst()
    second.tracks.removeLast()
    let found = AnalysisComparison(first, second)
    #expect(found.pairs == 18)
    #expect(found.onlyFirst == ["t19"])
    #expect(found.onlySecond == ["t0"])
  }
}
