/// Two analyses of the same tracks, paired by track: other rules, profiles or places, and what they change.
///
/// Chance enters by which tracks were recorded. Because both analyses have the same tracks, the interval is that of the
/// difference, found by drawing pairs; it is much narrower than the two analyses' own intervals.
public struct AnalysisComparison: Sendable {
  /// One analysis.
  public struct Side: Sendable {
    /// Its rules in a few words.
    public var rule: String
    /// Its tracks.
    public var tracks: [TrackAccount] = []
    /// The alerts: track, place's id, and how many.
    public var alerts: [String: [String: Int]] = [:]
    /// The titles of its places, by id.
    public var titles: [String: String] = [:]

    /// Begins without tracks.
    public init(rule: String = "") {
      self.rule = rule
    }
  }

  /// A number in both analyses, and its difference.
  public struct Measure: Sendable {
    /// In the first; nil where it does not exist.
    public var first: Double?
    /// In the second; nil where it does not exist.
    public var second: Double?
    /// The 95 % interval of the difference, second less first; nil for fewer than two pairs.
    public var interval: ClosedRange<Double>?

    /// Second less first.
    public var difference: Double? {
      guard let first, let second else { return nil }
      return second - first
    }

    /// Whether the interval leaves 0 out.
    public var isCertain: Bool {
      interval.map { $0.lowerBound > 0 || $0.upperBound < 0 } ?? false
    }
  }

  /// A story with other alerts in the second analysis than in the first.
  public struct StoryChange: Equatable, Sendable {
    /// The place's id.
    public var place: String
    /// Its title.
    public var title: String
    /// On how many tracks it alerts only in the second.
    public var gained: Int
    /// On how many tracks it alerts only in the first.
    public var lost: Int
    /// On how many tracks it alerts in both.
    public var kept: Int
  }

  /// The rules of both.
  public let rules: (first: String, second: String)
  /// Number of tracks in both.
  public let pairs: Int
  /// Tracks in the first alone, by name.
  public let onlyFirst: [String]
  /// Tracks in the second alone, by name.
  public let onlySecond: [String]
  /// Number of persons that pairs were drawn by; nil if tracks were.
  public let persons: Int?
  /// Alerts of the oracle that the device gave too.
  public let recall: Measure
  /// Alerts a person-day.
  public let alertsPerPersonDay: Measure
  /// Refreshes a kilometre.
  public let refreshesPerKilometer: Measure
  /// The stories that differ, those with most changes first.
  public let stories: [StoryChange]

  /// Compares two analyses.
  ///
  /// - Parameters:
  ///   - first: The one.
  ///   - second: The other.
  ///   - seed: Of the random numbers of the intervals.
  public init(_ first: Side, _ second: Side, seed: UInt64 = 1) {
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
    func ratio(_ account: TrackAccount) -> Ratio {
      Ratio(found: numerator(account), all: denominator(account))
    }
    let sums = units.map { unit in
      unit.reduce(into: (first: Ratio(), second: Ratio())) { sum, pair in
        sum.first += ratio(pair.0)
        sum.second += ratio(pair.1)
      }
    }
    func ratios(_ drawn: some Sequence<Int>) -> (Double, Double) {
      let (first, second) = drawn.reduce(into: (Ratio(), Ratio())) { sum, unit in
        sum.0 += sums[unit].first
        sum.1 += sums[unit].second
      }
      return (first.value(scale: scale), second.value(scale: scale))
    }
    let (first, second) = ratios(sums.indices)
    let interval = Bootstrap(seed: seed).interval(of: sums.count) { drawn in
      let (first, second) = ratios(drawn)
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
