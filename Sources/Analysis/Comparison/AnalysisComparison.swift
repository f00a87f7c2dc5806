/// Compares two analyses of the same tracks under different rules, profiles or places.
///
/// Tracks are paired, so the interval of a difference comes from resampling pairs. It is much
/// narrower than the intervals of the two analyses.
package struct AnalysisComparison: Sendable {
  package struct Side: Sendable {
    /// A short description of the rules.
    package var rule: String
    package var tracks: [TrackAccount] = []
    /// The number of alerts, by track and place id.
    package var alerts: [String: [String: Int]] = [:]
    package var titles: [String: String] = [:]

    package init(rule: String = "") {
      self.rule = rule
    }
  }

  /// A number in both analyses, and its difference.
  package struct Measure: Sendable {
    /// The first analysis's value; nil if undefined.
    package var first: Double?
    /// The second analysis's value; nil if undefined.
    package var second: Double?
    /// The 95 % interval of the difference; nil for fewer than two pairs.
    package var interval: ClosedRange<Double>?

    /// Second minus first.
    package var difference: Double? {
      guard let first, let second else { return nil }
      return second - first
    }

    /// Whether the interval excludes 0.
    package var isCertain: Bool {
      interval.map { $0.lowerBound > 0 || $0.upperBound < 0 } ?? false
    }
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
  /// The number of tracks in both analyses.
  package let pairs: Int
  /// The names of tracks only in the first analysis.
  package let onlyFirst: [String]
  /// The names of tracks only in the second analysis.
  package let onlySecond: [String]
  /// The number of persons resampled; nil if tracks were resampled instead.
  package let persons: Int?
  /// The share of the oracle's alerts that also come on the phone.
  package let recall: Measure
  package let alertsPerPersonDay: Measure
  package let refreshesPerKilometer: Measure
  /// The stories that differ, most changes first.
  package let stories: [StoryChange]

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

  /// Returns the units to resample: persons if every track has one, otherwise tracks.
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
    // Numerator and denominator in both analyses, for each unit.
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
