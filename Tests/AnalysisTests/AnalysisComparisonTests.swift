import FencepostAnalysis
import TestSupport
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
    account.counts.dueAlerts = oracle
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
    #expect(found.isIdentical)
  }

  @Test("Analyses are not identical if a walk has another result, or is in one of them only")
  func almostSame() {
    let (first, _) = sides()
    for change: (inout AnalysisComparison.Side) -> Void in [
      { $0.tracks[3].refreshes += 1 }, { $0.tracks[3].counts.missed += 1 },
      { $0.tracks.removeLast() }, { $0.alerts["t1"] = ["a": 1, "c": 1] },
    ] {
      var second = first
      change(&second)
      #expect(!AnalysisComparison(first, second).isIdentical)
    }
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

  @Test("On a phone, stories are gained and lost by the alerts that it shows, with an interval")
  func phones() throws {
    var (first, second) = sides()
    first.profile = "iphone"
    #expect(AnalysisComparison(first, second).hasOnePhone)
    second.profile = "iphone"
    for number in 0..<20 {
      first.shown["t\(number)"] = ["a": 0.9, "b": 0.5]
      second.shown["t\(number)"] = ["a": 0.9, "b": number % 2 == 0 ? 0.5 : 0.7, "c": 0.1]
    }
    second.shown["t3"]?["c"] = nil
    let found = AnalysisComparison(first, second)
    #expect(!found.isIdentical && found.recall.first == nil)
    #expect(found.stories.map(\.place) == ["b", "c"])
    let b = try #require(found.stories[0].shown)
    #expect(abs(try #require(b.difference) - 2) < 1e-9)
    // Ten walks of twenty gain 0.2: of a sum, 1.96 times the root of 20 times 0.1 squared.
    let interval = try #require(b.interval)
    #expect(abs(interval.upperBound - interval.lowerBound - 2 * 1.96 * 0.4472) < 0.001)
    #expect(found.stories.allSatisfy { $0.isGained && !$0.isLost })
    #expect(abs(try #require(found.shown).first - 28) < 1e-9)
    #expect(found.alertsPerPersonDay.first.map { abs($0 - 1.4) < 1e-9 } == true)
    let same = AnalysisComparison(first, first)
    #expect(same.isIdentical && same.alertsPerPersonDay.isEqual && same.stories.isEmpty)
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

  @Test("Two walks of a person on one day make one day")
  func days() {
    let (one, other) = (
      account("a", alerts: 3, of: 5, refreshes: 8, person: "anna", days: [7: 3]),
      account("b", alerts: 2, of: 5, refreshes: 8, person: "anna", days: [7: 2, 8: 0])
    )
    var side = AnalysisComparison.Side()
    side.tracks = [one, other]
    #expect(AnalysisComparison(side, side).alertsPerPersonDay.first == 2.5)
    for index in side.tracks.indices { side.tracks[index].person = nil }
    #expect(AnalysisComparison(side, side).alertsPerPersonDay.first == 5.0 / 3)
  }

  /// One side of persons who each walk once, with their alerts and the days that these took.
  private func side(
    _ name: String, _ persons: [(alerts: Int, days: Int)]
  ) -> AnalysisComparison.Side {
    var side = AnalysisComparison.Side(rule: name)
    for (number, person) in persons.enumerated() {
      var days = Dictionary(uniqueKeysWithValues: (0..<person.days).map { ($0, 0) })
      days[0] = person.alerts
      side.tracks.append(
        account(
          "\(name)-\(number)", alerts: person.alerts, of: 20, refreshes: 1,
          person: "\(name) \(number)", days: days))
    }
    return side
  }

  @Test("Without a common walk, the interval is that of all possible resamples of both sides")
  func exhaustive() throws {
    let first: [(alerts: Int, days: Int)] = [(2, 1), (9, 3), (4, 2)]
    let second: [(alerts: Int, days: Int)] = [(5, 1), (12, 2), (3, 3)]
    func ratios(_ persons: [(alerts: Int, days: Int)]) -> [Double] {
      persons.flatMap { a in
        persons.flatMap { b in
          persons.map { c in
            Double(a.alerts + b.alerts + c.alerts) / Double(a.days + b.days + c.days)
          }
        }
      }
    }
    let all = ratios(first).flatMap { one in ratios(second).map { $0 - one } }
    #expect(all.count == 729)
    func share(_ isMet: (Double) -> Bool) -> Double { Double(all.count(where: isMet)) / 729 }
    for seed in 1...20 as ClosedRange<UInt64> {
      let found = AnalysisComparison(side("a", first), side("b", second), seed: seed)
      #expect(found.pairs == 0)
      #expect(found.alertsPerPersonDay.first == 15.0 / 6)
      #expect(found.alertsPerPersonDay.second == 20.0 / 6)
      let interval = try #require(found.alertsPerPersonDay.interval)
      // Of 1,000 draws, the share beyond a quantile of 2.5 % varies by 0.5 points.
      #expect(share { $0 < interval.lowerBound - 1e-9 } < 0.045)
      #expect(share { $0 <= interval.lowerBound + 1e-9 } > 0.005)
      #expect(share { $0 > interval.upperBound + 1e-9 } < 0.045)
      #expect(share { $0 >= interval.upperBound - 1e-9 } > 0.005)
    }
  }

  @Test("With many persons and a day each, the interval is about that of Welch")
  func welch() throws {
    var random = SplitMix64(seed: 11)
    let sides = [60, 90].map { count in
      (0..<count).map { _ in (alerts: Int.random(in: 0...9, using: &random), days: 1) }
    }
    let found = AnalysisComparison(side("a", sides[0]), side("b", sides[1]))
    #expect(!found.hasFew)
    let errors = sides.map { persons in
      let mean = Double(persons.reduce(0) { $0 + $1.alerts }) / Double(persons.count)
      let squares = persons.map { (Double($0.alerts) - mean) * (Double($0.alerts) - mean) }
        .reduce(0, +)
      return squares / Double(persons.count - 1) / Double(persons.count)
    }
    let half = 1.96 * (errors[0] + errors[1]).squareRoot()
    let interval = try #require(found.alertsPerPersonDay.interval)
    let difference = try #require(found.alertsPerPersonDay.difference)
    // The quantiles of 1,000 draws vary by 4 % of that.
    #expect(abs(interval.lowerBound - (difference - half)) < 0.15 * half)
    #expect(abs(interval.upperBound - (difference + half)) < 0.15 * half)
  }

  @Test("Other walks are compared as two samples, with a caution for fewer than 20 persons")
  func samples() throws {
    let few = side("a", (0..<19).map { ($0, 1) })
    let many = side("b", (0..<20).map { ($0, 2) })
    let found = AnalysisComparison(few, many)
    let samples = try #require(found.unpaired)
    #expect([samples.first.tracks, samples.first.personDays] == [19, 19])
    #expect([samples.second.tracks, samples.second.personDays] == [20, 40])
    #expect(samples.first.persons == 19 && samples.second.persons == 20)
    #expect(found.hasFew && !found.isIdentical)
    #expect(found.stories.isEmpty && found.onlyFirst.isEmpty && found.onlySecond.isEmpty)
    let again = side("c", (0..<20).map { ($0, 2) })
    #expect(!AnalysisComparison(many, again).hasFew)
    // Equal sides of other walks are not known to be equal, as those of the same walks are.
    let interval = try #require(AnalysisComparison(many, again).alertsPerPersonDay.interval)
    #expect(interval.lowerBound < -1 && interval.upperBound > 1)
    #expect(AnalysisComparison(few, few).alertsPerPersonDay.interval == 0...0)
    let one = side("d", [(3, 1)])
    #expect(AnalysisComparison(one, many).alertsPerPersonDay.interval == nil)
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
