package import Fencepost

/// The numbers of one track or of many: integers, so that parts add up exactly in any order.
public struct TrackNumbers: Equatable, Sendable {
  /// Number of accepted fixes.
  public var fixes = 0
  /// Number of accepted fixes outside of the period and box of the analysis, which are not among ``fixes``.
  public var fixesOutside = 0
  /// Number of rejected fixes.
  public var rejected = 0
  /// Number of rejected fixes by reason; empty if an older analysis has only the number.
  public var rejectedByReason: [String: Int] = [:]
  /// Length of the joined paths in millimetres.
  public var lengthMillimeters = 0
  /// Time between joined fixes in milliseconds.
  public var travelMilliseconds = 0
  /// Number of refreshes.
  public var refreshes = 0
  /// Number of refreshes that failed.
  public var failedRefreshes = 0
  /// The counts of entries.
  public var counts = EntryCounts()
  /// Number of stories by verdict, summed over tracks.
  public var verdicts = VerdictCounts()
  /// Most circles that contained a device at once.
  public var mostCircles = 0
  /// Alerts by hour of the day, 24 numbers.
  public var alertsByHour = [Int](repeating: 0, count: 24)
  /// How fast, how late and how long.
  public var measures = EntryMeasures()

  /// Makes numbers of zero.
  public init() {}

  /// Adds the numbers of other tracks.
  public static func += (sum: inout TrackNumbers, other: TrackNumbers) {
    sum.fixes += other.fixes
    sum.fixesOutside += other.fixesOutside
    sum.rejected += other.rejected
    sum.rejectedByReason.merge(other.rejectedByReason, uniquingKeysWith: +)
    sum.lengthMillimeters += other.lengthMillimeters
    sum.travelMilliseconds += other.travelMilliseconds
    sum.refreshes += other.refreshes
    sum.failedRefreshes += other.failedRefreshes
    sum.counts += other.counts
    sum.verdicts += other.verdicts
    sum.mostCircles = max(sum.mostCircles, other.mostCircles)
    for hour in sum.alertsByHour.indices { sum.alertsByHour[hour] += other.alertsByHour[hour] }
    sum.measures += other.measures
  }

  /// Alerts an hour of travel; nil without times.
  public var alertsPerHour: Double? {
    travelMilliseconds > 0
      ? Double(counts.alerts) * 3_600_000 / Double(travelMilliseconds) : nil
  }

  /// Refreshes a kilometre, which cost battery; nil without a path.
  public var refreshesPerKilometer: Double? {
    lengthMillimeters > 0 ? Double(refreshes) * 1_000_000 / Double(lengthMillimeters) : nil
  }

  mutating func add(_ device: DeviceRun) {
    refreshes += device.refreshes
    failedRefreshes += device.failedRefreshes
    for entry in device.entries { counts.add(entry) }
  }
}

/// One track and its ``TrackNumbers``, of which totals are made.
@dynamicMemberLookup
public struct TrackAccount: Equatable, Sendable {
  /// Name of the track: its file as the user wrote it.
  public var track: String
  /// Whose track it is; nil if it is nobody's in particular.
  public var person: String?
  /// The numbers that totals add up.
  public var numbers = TrackNumbers()
  /// Sentences without full stops about the track as a whole, for messages; reports lack them.
  public var notices: [String] = []
  /// Earliest accepted time in milliseconds since 1970; nil without times.
  public var firstMilliseconds: Int64?
  /// Latest accepted time in milliseconds since 1970; nil without times.
  public var lastMilliseconds: Int64?
  /// Number of stories that alert for the oracle.
  public var oracleStories = 0
  /// Number of these that alerted on the device, at any entry.
  public var foundStories = 0
  /// Whether certainly nothing was missed; nil if the rule cannot know.
  public var isCertified: Bool?
  /// Alerts by local day, in days since 1970; 0 for a day with fixes and without alerts.
  public var alertsByDay: [Int: Int] = [:]
  /// Where its fixes are.
  package var extent = TrackExtent()
  /// Rules about time that its entries escape, having none.
  package var rulesWithoutTime: RulesWithoutTime = []

  /// Makes an account of zero.
  public init(track: String) {
    self.track = track
  }

  /// One of the ``numbers``.
  public subscript<Number>(dynamicMember path: WritableKeyPath<TrackNumbers, Number>) -> Number {
    get { numbers[keyPath: path] }
    set { numbers[keyPath: path] = newValue }
  }

  /// Counts the verdicts; every other story was never crossed.
  mutating func add(_ crossed: [StoryVerdict], of storyCount: Int) {
    numbers.verdicts[.neverCrossed] = storyCount - crossed.count
    for verdict in crossed {
      numbers.verdicts[verdict.verdict] += 1
      guard verdict.counts.oracleAlerts > 0 else { continue }
      oracleStories += 1
      if verdict.counts.alerts > 0 { foundStories += 1 }
    }
  }
}
