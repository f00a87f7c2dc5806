/// What one track brought, or many together, as integers so that sums are exact in any order.
package struct TrackSums: NamedCounts, Equatable, Sendable {
  package var fixes = 0
  /// Accepted fixes outside the period or box of the analysis, not counted in ``fixes``.
  package var fixesOutside = 0
  package var rejected = 0
  /// Rejected fixes by reason; empty if read from an older analysis.
  package var rejectedByReason: [String: Int] = [:]
  /// The length of the paths in millimeters, without gaps.
  package var lengthMillimeters = 0
  /// The time between joined fixes in milliseconds.
  package var travelMilliseconds = 0
  /// The number of lookups.
  package var refreshes = 0
  package var failedRefreshes = 0
  package var counts = EntryCounts()
  /// The verdicts, one per story and track.
  package var verdicts = VerdictCounts()
  /// The maximum number of circles that contained the phone at once.
  package var mostCircles = 0
  /// Alerts by hour of the day, 24 numbers.
  package var alertsByHour = [Int](repeating: 0, count: 24)
  package var measures = EntryMeasures()
  /// What the stories cost reminders; nil in an analysis of stories alone.
  package var reminders: ReminderCost?

  package init() {}

  package static let ofFixes: [Count<Self>] = [("fixes", \.fixes), ("rejected", \.rejected)]
  package static let ofPaths: [Count<Self>] = [
    ("lengthMillimeters", \.lengthMillimeters), ("travelMilliseconds", \.travelMilliseconds),
    ("refreshes", \.refreshes), ("failedRefreshes", \.failedRefreshes),
  ]
  package static let counts = ofFixes + ofPaths + [("fixesOutside", \.fixesOutside)]

  package static func += (sums: inout TrackSums, other: TrackSums) {
    sums.addCounts(of: other)
    sums.rejectedByReason.merge(other.rejectedByReason, uniquingKeysWith: +)
    sums.counts += other.counts
    sums.verdicts += other.verdicts
    sums.mostCircles = max(sums.mostCircles, other.mostCircles)
    for hour in 0..<24 { sums.alertsByHour[hour] += other.alertsByHour[hour] }
    sums.measures += other.measures
    if let cost = other.reminders { sums.reminders = (sums.reminders ?? .init()) + cost }
  }
}

/// One track or many, whose ``sums`` read like members of its own.
@dynamicMemberLookup package protocol SummedTracks { var sums: TrackSums { get set } }

extension SummedTracks {
  package subscript<Value>(dynamicMember path: KeyPath<TrackSums, Value>) -> Value {
    sums[keyPath: path]
  }

  package subscript<Value>(dynamicMember path: WritableKeyPath<TrackSums, Value>) -> Value {
    get { sums[keyPath: path] }
    set { sums[keyPath: path] = newValue }
  }

  /// Alerts per hour of travel; nil if the tracks have no times.
  package var alertsPerHour: Double? {
    sums.travelMilliseconds > 0
      ? Double(sums.counts.alerts) * 3_600_000 / Double(sums.travelMilliseconds) : nil
  }

  /// Lookups per kilometer, which cost battery; nil if the paths have no length.
  package var refreshesPerKilometer: Double? {
    sums.lengthMillimeters > 0
      ? Double(sums.refreshes) * 1_000_000 / Double(sums.lengthMillimeters) : nil
  }
}
