/// Two analyses of the same tracks, paired by track: other rules, profiles or places, and what they change.
///
/// Chance enters by which tracks were recorded. Because both analyses have the same tracks, the interval is that of the
/// difference, found by drawing pairs; it is much narrower than the two analyses' own intervals.
package struct AnalysisComparison: Sendable {
  /// One analysis.
  package struct Side: Sendable {
    /// Its rules in a few words.
    package var rule: String
    /// Its tracks.
    package var tracks: [TrackAccount] = []
    /// The alerts: track, place's id, and how many.
    package var alerts: [String: [String: Int]] = [:]
    /// The titles of its places, by id.
    package var titles: [String: String] = [:]

    /// Begins without tracks.
    package init(rule: String = "") {
      self.rule = rule
    }
  }

  /// A number in both analyses, and its difference.
  package struct Measure: Sendable {
    /// In the first; nil where it does not exist.
    package var first: Double?
    /// In the second; nil where it does not exist.
    package var second: Double?
    /// The 95 % interval of the difference, second less first; nil for fewer than two pairs.
    package var interval: ClosedRange<Double>?

    /// Second less first.
    package var difference: Double? {
      guard let first, let second else { return nil }
      return second - first
    }

    /// Whether the interval leaves 0 out.
    package var isCertain: Bool {
      interval.map { $0.lowerBound > 0 || $0.upperBound < 0 } ?? false
    }
  }

  /// A story with other alerts in the second analysis than in the first.
  package struct StoryChange: Equatable, Sendable {
    /// The place's id.
    package var place: String
    /// Its title.
    package var title: String
    /// On how many tracks it alerts only in the second.
    package var gained: Int
    /// On how many tracks it alerts only in the first.
    package var lost: Int
    /// On how many tracks it alerts in both.
    package var kept: Int
  }

  /// The rules of both.
  package let rules: (first: String, second: String)
  /// Number of tracks in both.
  package let pairs: Int
  /// Tracks in the first alone, by name.
  package let onlyFirst: [String]
  /// Tracks in the second alone, by name.
  package let onlySecond: [String]
  /// Number of persons that pairs were drawn by; nil if tracks were.
  package let persons: Int?
  /// Alerts of the oracle that the device gave too.
  package let recall: Measure
  /// Alerts a person-day.
  package let alertsPerPersonDay: Measure
  /// Refreshes a kilometre.
  package let refreshesPerKilometer: Measure
  /// The stories that differ, those with most changes first.
  package let stories: [StoryChange]

  /// Compares two analyses.
  ///
  /// - Parameters:
  ///   - first: The one.
  ///   - second: The other.
  ///   - seed: Of the random numbers of the intervals.
  package init(_ first: Side, _ second: Side, seed: UInt64 = 1) {
    rules = (first.rule, second.rule)
    let others = Dictionary(
      second.tracks.map { ($0.track, $0) }, uniquingKeysWith: { one, _ in one })
    let pairs = first.tracks.compactMap { one in others[one.track].map { (one, $0) } }
      .sorted { $0.0.track.utf8.lexicographicallyPrecedes($1.0.track.utf8) }
    let paired = Set(pairs.map(\.0.track))
    self.pairs = pairs.count
    onlyFirst = first.tracks.map(\.track).filter { !paired.contains($0) }.sorted()
    onlySecond = second.tracks.map(\.track).filter { !paired.contains($0) }.sorted()
    let units = Self.units(pairs)
    persons = units.persons
    func measure(
      _ numerator: (TrackAccount) -> Int, _ denominator: (TrackAccount) -> Int, scale: Double = 1
    ) -> Measure {
      Self.measure(units.units, seed: seed, numerator, denominator, scale: scale)
    }
    recall = measure({ $0.counts.foundAlerts }, { $0.counts.oracleAlerts })
    alertsPerPersonDay = measure(
      { $0.alertsByDay.values.reduce(0, +) }, { $0.alertsByDay.count })
    refreshesPerKilometer = measure(
      { $0.refreshes }, { $0.lengthMillimeters }, scale: 1_000_000)
    stories = Self.changes(first, second, on: paired)
  }

  private typealias Pair = (TrackAccount, TrackAccount)

  /// What is drawn: persons with all of their tracks if every track has one, else tracks.
  private static func units(_ pairs: [Pair]) -> (units: [[Pair]], persons: Int?) {
    let persons = Dictionary(grouping: pairs) { $0.0.person }
    guard persons[nil] == nil, !pairs.isEmpty else { return (pairs.map { [$0] }, nil) }
    let units = persons.sorted {
      ($0.key ?? "").utf8.lexicographicallyPrecedes(($1.key ?? "").utf8)
    }.map(\.value)
    return (units, units.count)
  }

  private static func measure(
    _ units: [[Pair]], seed: UInt64, _ numerator: (TrackAccount) -> Int,
    _ denominator: (TrackAccount) -> Int, scale: Double
  ) -> Measure {
    // Four sums for each unit: above and below the line, in both analyses.
    let sums = units.map { unit in
      unit.reduce(into: SIMD4<Double>.zero) { sum, pair in
        sum += SIMD4(
          Double(numerator(pair.0)), Double(denominator(pair.0)), Double(numerator(pair.1)),
          Double(denominator(pair.1)))
      }
    }
    func ratios(_ sum: SIMD4<Double>) -> (Double, Double) {
      (scale * sum[0] / sum[1], scale * sum[2] / sum[3])
    }
    let (first, second) = ratios(sums.reduce(.zero, +))
    let interval = Bootstrap(seed: seed).interval(of: sums.count) { drawn in
      let (first, second) = ratios(drawn.reduce(into: .zero) { $0 += sums[$1] })
      return second - first
    }
    return Measure(
      first: first.isFinite ? first : nil, second: second.isFinite ? second : nil,
      interval: first.isFinite && second.isFinite ? interval : nil)
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
