/// Compares two analyses under different rules, profiles or places.
///
/// Tracks in both analyses are paired, so the interval of a difference comes from resampling pairs.
/// It is much narrower than the intervals of the two analyses. Without a track in both, the analyses
/// are compared as independent samples: each is resampled by itself.
///
/// If a phone was simulated in both, alerts are those that it shows on average.
package struct AnalysisComparison: Sendable {
  /// One of the two analyses, as far as a comparison needs it.
  ///
  /// It is read back from the file that an analysis wrote. Only tracks and stories named there can
  /// be compared.
  package struct Side: Sendable {
    /// The rule in words, as the comparison's heading shows it.
    package var rule: String
    /// The tracks that were analyzed, each with a unique name.
    package var tracks: [TrackAccount] = []
    /// The number of alerts, by track and place id.
    package var alerts: [String: [String: Int]] = [:]
    /// The titles of places, by id; a place without a title may be missing.
    package var titles: [String: String] = [:]
    /// The first simulated phone; nil if none was asked.
    package var profile: String?
    /// The alerts that it shows on average, by track and place id.
    package var shown: [String: [String: Double]] = [:]

    /// Creates a side without tracks, to be filled from an analysis.
    package init(rule: String = "") { self.rule = rule }
  }

  /// A number in both analyses, and how far apart the two can be by chance.
  ///
  /// Nil stands for a number that cannot be computed, such as a share of nothing.
  package struct Measure: Equatable, Sendable {
    /// The number in the first analysis.
    package var first: Double?
    /// The number in the second analysis.
    package var second: Double?
    /// The 95 % interval of the difference; nil for fewer than two pairs.
    package var interval: ClosedRange<Double>?

    /// The second number minus the first; nil unless both are known.
    package var difference: Double? {
      guard let first, let second else { return nil }
      return second - first
    }

    /// Whether both are the same on every track, so that chance has no part in it.
    package var isEqual: Bool { difference == 0 && (interval ?? 0...0) == 0...0 }

    /// Whether the interval excludes 0, so that the difference is hardly chance.
    package var isCertain: Bool { interval.map { $0.lowerBound > 0 || $0.upperBound < 0 } ?? false }
  }

  /// What one of two unpaired analyses consists of.
  ///
  /// Reports print its size, because an interval from few members tends to be too narrow.
  package struct Sample: Equatable, Sendable {
    /// The number of tracks.
    package var tracks: Int
    /// The number of persons; nil if a track has none, so that each track counts as one.
    package var persons: Int?
    /// The number of days on which each person has fixes, summed over persons.
    package var personDays: Int

    /// The number of members that are resampled: persons, or else tracks.
    package var count: Int { persons ?? tracks }
  }

  /// A story that does not alert on the same tracks in both analyses.
  ///
  /// Reports list these stories, the greatest changes first.
  package struct StoryChange: Equatable, Sendable {
    /// The place's id.
    package var place: String
    /// The title in the second analysis, or else in the first; empty if neither names it.
    package var title: String
    /// The number of tracks on which it alerts only in the second analysis.
    package var gained: Int
    /// The number of tracks on which it alerts only in the first analysis.
    package var lost: Int
    /// The number of tracks on which it alerts in both analyses.
    package var kept: Int
    /// The alerts that the phone shows on all tracks; nil without a phone.
    package var shown: Measure?

    /// Whether it alerts more often in the second analysis, on some track or on the phone.
    package var isGained: Bool { shown?.difference.map { $0 > 0 } ?? (gained > 0) }
    /// Whether it alerts less often in the second analysis, on some track or on the phone.
    package var isLost: Bool { shown?.difference.map { $0 < 0 } ?? (lost > 0) }
  }

  /// The rules of both analyses in words.
  package let rules: (first: String, second: String)
  /// The simulated phones whose alerts are compared; nil if those of the rule are.
  package let phones: (first: String, second: String)?
  /// Whether only one of the analyses simulated a phone.
  package let hasOnePhone: Bool
  /// The alerts that the phones show on the paired tracks.
  package let shown: (first: Double, second: Double)?
  /// The number of tracks in both analyses; 0 if the analyses are unpaired.
  package let pairs: Int
  /// Tracks that only the first analysis has, sorted by name; empty if the analyses are unpaired.
  package let onlyFirst: [String]
  /// Tracks that only the second analysis has, sorted by name; empty if the analyses are unpaired.
  package let onlySecond: [String]
  /// The number of persons resampled; nil if tracks were resampled instead.
  package let persons: Int?
  /// The analyses if they have no track in common; nil if tracks are paired.
  package let unpaired: (first: Sample, second: Sample)?
  /// Whether an unpaired sample has so few members that bootstrap intervals tend to be too narrow.
  package var hasFew: Bool { unpaired.map { min($0.first.count, $0.second.count) < 20 } ?? false }
  /// Whether all tracks have the same results in both analyses.
  package let isIdentical: Bool
  /// The share of due alerts that come on the phone.
  ///
  /// It is empty if phones are compared.
  package let recall: Measure
  /// The alerts per reader and day on which the reader has fixes.
  package let alertsPerPersonDay: Measure
  /// The lookups per kilometer of path; empty if phones are compared, which have lookups of their
  /// own.
  package let refreshesPerKilometer: Measure
  /// The stories that alert on other tracks, or a different number of times, greatest changes
  /// first; empty if the analyses are unpaired.
  package let stories: [StoryChange]

  /// Compares two analyses.
  ///
  /// The same seed draws the same samples, so equal analyses give equal comparisons.
  ///
  /// - Complexity: O(n log n) for n tracks, plus 1,000 resamplings of the tracks or persons for
  ///   each of up to three measures.
  package init(_ first: Side, _ second: Side, seed: UInt64 = 1) {
    rules = (first.rule, second.rule)
    let others = Dictionary(
      second.tracks.map { ($0.track, $0) }, uniquingKeysWith: { one, _ in one })
    let pairs = first.tracks.filter { others[$0.track] != nil }
    let paired = Set(pairs.map(\.track))
    self.pairs = pairs.count
    isIdentical =
      !pairs.isEmpty && first.tracks == second.tracks && first.alerts == second.alerts
      && first.shown == second.shown
    let both = first.profile.flatMap { one in second.profile.map { (first: one, second: $0) } }
    (phones, hasOnePhone) = (both, (first.profile == nil) != (second.profile == nil))
    stories =
      both == nil
      ? Self.changes(first, second, on: paired) : Self.shownChanges(first, second, on: paired)
    let (one, other) = (
      Units(pairs.isEmpty ? first.tracks : pairs, both == nil ? nil : first.shown),
      Units(second.tracks, both == nil ? nil : second.shown)
    )
    func total(_ side: Side) -> Double {
      side.shown.filter { pairs.isEmpty || paired.contains($0.key) }.sorted { $0.key < $1.key }
        .reduce(0) { $0 + $1.value.values.sorted().reduce(0, +) }
    }
    shown = both.map { _ in (total(first), total(second)) }
    let sums: (first: [SIMD8<Double>], second: [SIMD8<Double>])
    if pairs.isEmpty {
      (onlyFirst, onlySecond, persons) = ([], [], nil)
      unpaired = (one.sample, other.sample)
      sums = (one.sums, other.sums)
    } else {
      onlyFirst = first.tracks.map(\.track).filter { !paired.contains($0) }.sorted()
      onlySecond = second.tracks.map(\.track).filter { !paired.contains($0) }.sorted()
      (persons, unpaired) = (one.sample.persons, nil)
      sums = (one.sums, one.tracks.map { other.sum($0.compactMap { others[$0.track] }) })
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
    // What a phone shows depends on its own lookups, and not on those of the rule.
    recall = both == nil ? measure(0) : Measure()
    alertsPerPersonDay = measure(2)
    refreshesPerKilometer = both == nil ? measure(4, scale: 1_000_000) : Measure()
  }

  /// The tracks to resample together: those of a person if every track has one, or single tracks.
  private struct Units {
    let tracks: [[TrackAccount]]
    let hasPersons: Bool
    /// The alerts that a phone shows; nil counts those of the rule.
    let shown: [String: [String: Double]]?

    init(_ all: [TrackAccount], _ shown: [String: [String: Double]]?) {
      self.shown = shown
      let all = all.sorted { $0.track.utf8.lexicographicallyPrecedes($1.track.utf8) }
      let persons = Dictionary(grouping: all) { $0.person ?? "" }
      hasPersons = !all.isEmpty && all.allSatisfy { $0.person != nil }
      tracks =
        hasPersons
        ? persons.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
        : all.map { [$0] }
    }

    var sums: [SIMD8<Double>] { tracks.map(sum) }

    var sample: Sample {
      Sample(
        tracks: tracks.reduce(0) { $0 + $1.count }, persons: hasPersons ? tracks.count : nil,
        personDays: Int(sums.reduce(0) { $0 + $1[3] }))
    }

    /// The numerator and denominator of each measure, one after the other.
    func sum(_ tracks: [TrackAccount]) -> SIMD8<Double> {
      var sum = SIMD8<Double>.zero
      for track in tracks {
        sum[0] += Double(track.counts.foundAlerts)
        sum[1] += Double(track.counts.dueAlerts)
        // In one order, so that equal analyses have equal sums.
        sum[2] +=
          shown.map { $0[track.track]?.values.sorted().reduce(0, +) ?? 0 }
          ?? Double(track.alertsByDay.values.reduce(0, +))
        sum[4] += Double(track.refreshes)
        sum[5] += Double(track.lengthMillimeters)
      }
      sum[3] = Double(Set(tracks.flatMap(\.alertsByDay.keys)).count)
      return sum
    }
  }

  /// The stories for which the phones show more or fewer alerts, the greatest differences first.
  private static func shownChanges(
    _ first: Side, _ second: Side, on tracks: Set<String>
  ) -> [StoryChange] {
    var sums: [String: (before: Double, after: Double, differences: [Double])] = [:]
    for track in tracks.sorted() {
      let (before, after) = (first.shown[track] ?? [:], second.shown[track] ?? [:])
      for place in Set(before.keys).union(after.keys) {
        let (one, other) = (before[place] ?? 0, after[place] ?? 0)
        var sum = sums[place] ?? (0, 0, [])
        sum.before += one
        sum.after += other
        sum.differences.append(other - one)
        sums[place] = sum
      }
    }
    let changes = sums.compactMap { place, sum -> StoryChange? in
      guard sum.differences.contains(where: { $0 != 0 }) else { return nil }
      let shown = Measure(
        first: sum.before, second: sum.after,
        interval: interval(ofSum: sum.differences, among: tracks.count))
      let title = second.titles[place] ?? first.titles[place] ?? ""
      return StoryChange(place: place, title: title, gained: 0, lost: 0, kept: 0, shown: shown)
    }
    func size(_ change: StoryChange) -> Double { abs(change.shown?.difference ?? 0) }
    return changes.sorted { (size($1), $0.place) < (size($0), $1.place) }
  }

  /// The 95 % interval of a sum of differences between pairs of tracks.
  ///
  /// All other pairs differ by 0. It is that of resampling the pairs, without drawing for each of many stories.
  private static func interval(ofSum differences: [Double], among count: Int) -> ClosedRange<
    Double
  >? {
    guard count > 1 else { return nil }
    let sum = differences.reduce(0, +)
    let squares = differences.reduce(0) { $0 + $1 * $1 }
    let half = 1.959963984540054 * max(0, squares - sum * sum / Double(count)).squareRoot()
    return sum - half...sum + half
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
