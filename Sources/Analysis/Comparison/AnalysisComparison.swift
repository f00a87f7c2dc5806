/// Compares two analyses under different rules, profiles or places.
///
/// Tracks in both analyses are paired, so the interval of a difference comes from resampling pairs.
/// It is much narrower than the intervals of the two analyses. Without a track in both, the analyses
/// are compared as independent samples: each is resampled by itself.
package struct AnalysisComparison: Sendable {
  package struct Side: Sendable {
    package var rule: String
    package var tracks: [TrackAccount] = []
    /// The number of alerts, by track and place id.
    package var alerts: [String: [String: Int]] = [:]
    package var titles: [String: String] = [:]

    package init(rule: String = "") { self.rule = rule }
  }

  package struct Measure: Sendable {
    package var first: Double?
    package var second: Double?
    /// The 95 % interval of the difference; nil for fewer than two pairs.
    package var interval: ClosedRange<Double>?

    package var difference: Double? {
      guard let first, let second else { return nil }
      return second - first
    }

    package var isCertain: Bool { interval.map { $0.lowerBound > 0 || $0.upperBound < 0 } ?? false }
  }

  /// What one of two unpaired analyses consists of.
  package struct Sample: Equatable, Sendable {
    package var tracks: Int
    /// The number of persons; nil if a track has none, so that each track counts as one.
    package var persons: Int?
    /// The number of days on which each person has fixes, summed over persons.
    package var personDays: Int

    package var count: Int { persons ?? tracks }
  }

  /// A story that does not alert on the same tracks in both analyses.
  package struct StoryChange: Equatable, Sendable {
    package var place: String
    package var title: String
    /// The number of tracks on which it alerts only in the second analysis.
    package var gained: Int
    /// The number of tracks on which it alerts only in the first analysis.
    package var lost: Int
    /// The number of tracks on which it alerts in both analyses.
    package var kept: Int
  }

  package let rules: (first: String, second: String)
  package let pairs: Int
  package let onlyFirst: [String]
  package let onlySecond: [String]
  /// The number of persons resampled; nil if tracks were resampled instead.
  package let persons: Int?
  /// The analyses if they have no track in common; nil if tracks are paired.
  package let unpaired: (first: Sample, second: Sample)?
  /// Whether an unpaired sample has so few members that bootstrap intervals tend to be too narrow.
  package var hasFew: Bool { unpaired.map { min($0.first.count, $0.second.count) < 20 } ?? false }
  /// Whether all tracks have the same results in both analyses.
  package let isIdentical: Bool
  /// The share of the oracle's alerts that also come on the phone.
  package let recall: Measure
  package let alertsPerPersonDay: Measure
  package let refreshesPerKilometer: Measure
  package let stories: [StoryChange]

  package init(_ first: Side, _ second: Side, seed: UInt64 = 1) {
    rules = (first.rule, second.rule)
    let others = Dictionary(
      second.tracks.map { ($0.track, $0) }, uniquingKeysWith: { one, _ in one })
    let pairs = first.tracks.filter { others[$0.track] != nil }
    let paired = Set(pairs.map(\.track))
    self.pairs = pairs.count
    isIdentical = !pairs.isEmpty && first.tracks == second.tracks && first.alerts == second.alerts
    stories = Self.changes(first, second, on: paired)
    let (one, other) = (Units(pairs.isEmpty ? first.tracks : pairs), Units(second.tracks))
    let sums: (first: [SIMD8<Double>], second: [SIMD8<Double>])
    if pairs.isEmpty {
      (onlyFirst, onlySecond, persons) = ([], [], nil)
      unpaired = (one.sample, other.sample)
      sums = (one.sums, other.sums)
    } else {
      onlyFirst = first.tracks.map(\.track).filter { !paired.contains($0) }.sorted()
      onlySecond = second.tracks.map(\.track).filter { !paired.contains($0) }.sorted()
      (persons, unpaired) = (one.sample.persons, nil)
      sums = (one.sums, one.tracks.map { Units.sum($0.compactMap { others[$0.track] }) })
    }
    let counts = pairs.isEmpty ? [sums.first.count, sums.second.count] : [sums.first.count]
    func measure(_ index: Int, scale: Double = 1) -> Measure {
      func ratio(_ units: [SIMD8<Double>], _ drawn: [Int]) -> Double {
        let sum = drawn.reduce(into: SIMD8<Double>.zero) { $0 += units[$1] }
        return scale * sum[index] / sum[index + 1]
      }
      let first = ratio(sums.first, Array(sums.first.indices))
      let second = ratio(sums.second, Array(sums.second.indices))
      let interval = Bootstrap(seed: seed).interval(of: counts) {
        ratio(sums.second, $0[$0.count - 1]) - ratio(sums.first, $0[0])
      }
      return Measure(
        first: first.isFinite ? first : nil, second: second.isFinite ? second : nil,
        interval: first.isFinite && second.isFinite ? interval : nil)
    }
    recall = measure(0)
    alertsPerPersonDay = measure(2)
    refreshesPerKilometer = measure(4, scale: 1_000_000)
  }

  /// The tracks to resample together: those of a person if every track has one, or single tracks.
  private struct Units {
    let tracks: [[TrackAccount]]
    let hasPersons: Bool

    init(_ all: [TrackAccount]) {
      let all = all.sorted { $0.track.utf8.lexicographicallyPrecedes($1.track.utf8) }
      let persons = Dictionary(grouping: all) { $0.person ?? "" }
      hasPersons = !all.isEmpty && all.allSatisfy { $0.person != nil }
      tracks =
        hasPersons
        ? persons.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
        : all.map { [$0] }
    }

    var sums: [SIMD8<Double>] { tracks.map(Self.sum) }

    var sample: Sample {
      Sample(
        tracks: tracks.reduce(0) { $0 + $1.count }, persons: hasPersons ? tracks.count : nil,
        personDays: Int(sums.reduce(0) { $0 + $1[3] }))
    }

    /// The numerator and denominator of each measure, one after the other.
    static func sum(_ tracks: [TrackAccount]) -> SIMD8<Double> {
      var sum = SIMD8<Double>.zero
      for track in tracks {
        sum[0] += Double(track.counts.foundAlerts)
        sum[1] += Double(track.counts.oracleAlerts)
        sum[2] += Double(track.alertsByDay.values.reduce(0, +))
        sum[4] += Double(track.refreshes)
        sum[5] += Double(track.lengthMillimeters)
      }
      sum[3] = Double(Set(tracks.flatMap(\.alertsByDay.keys)).count)
      return sum
    }
  }

  private static func changes(
    _ first: Side, _ second: Side, on tracks: Set<String>
  ) -> [StoryChange] {
    var changes: [String: StoryChange] = [:]
    for track in tracks {
      let (before, after) = (first.alerts[track] ?? [:], second.alerts[track] ?? [:])
      for place in Set(before.keys).union(after.keys) {
        let title = second.titles[place] ?? first.titles[place] ?? ""
        var change =
          changes[place]
          ?? StoryChange(place: place, title: title, gained: 0, lost: 0, kept: 0)
        switch (before[place] != nil, after[place] != nil) {
        case (true, true): change.kept += 1
        case (true, false): change.lost += 1
        default: change.gained += 1
        }
        changes[place] = change
      }
    }
    return changes.values.filter { $0.gained + $0.lost > 0 }.sorted {
      ($1.gained + $1.lost, $0.place) < ($0.gained + $0.lost, $1.place)
    }
  }
}
