package import FencepostPhones

/// Whole numbers that add up over tracks, listed once under the names that documents give them.
///
/// The lists serve to add, to write and to read the numbers.
package protocol NamedCounts { static var counts: [Count<Self>] { get } }

/// The name of a number in documents, and where the number is kept.
package typealias Count<Root> = (
  name: StaticString, path: any WritableKeyPath<Root, Int> & Sendable
)

extension NamedCounts {
  /// Adds the listed numbers of another value, but nothing else that it has.
  package mutating func addCounts(of other: Self) {
    for count in Self.counts { self[keyPath: count.path] += other[keyPath: count.path] }
  }
}

extension TrackSums: NamedCounts {
  /// The counts of fixes, accepted and rejected.
  package static let ofFixes: [Count<Self>] = [("fixes", \.fixes), ("rejected", \.rejected)]
  /// The lengths, times and lookups along paths.
  package static let ofPaths: [Count<Self>] = [
    ("lengthMillimeters", \.lengthMillimeters), ("travelMilliseconds", \.travelMilliseconds),
    ("refreshes", \.refreshes), ("failedRefreshes", \.failedRefreshes),
  ]
  /// Those that documents leave out where they are 0.
  package static let ofBreaks: [Count<Self>] = [
    ("fixesOutside", \.fixesOutside), ("gaps", \.gaps), ("jumps", \.jumps),
  ]
  /// All whole numbers of the track itself, without those of its entries.
  package static let counts = ofFixes + ofPaths + ofBreaks

  /// Adds another track, and keeps the greater of the two ``TrackSums/mostCircles``.
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
///
/// `totals.fixes` is `totals.sums.fixes`, and rates such as alerts per hour are computed once for
/// all conforming types.
@dynamicMemberLookup package protocol SummedTracks { var sums: TrackSums { get set } }

extension SummedTracks {
  /// Reads a member of ``sums``.
  package subscript<Value>(dynamicMember path: KeyPath<TrackSums, Value>) -> Value {
    sums[keyPath: path]
  }

  /// Reads or changes a member of ``sums``.
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

extension TrackAccount: SummedTracks {}

extension EntryCounts: NamedCounts {
  /// The entries by how the phone noticed them, and its alerts.
  package static let ofPhone: [Count<Self>] = [
    ("entries", \.entries), ("found", \.found), ("late", \.late), ("missed", \.missed),
    ("extra", \.extra), ("alerts", \.alerts), ("delayed", \.delayed),
  ]
  /// The alerts that are due if every place is watched; documents keep an older name for them.
  package static let ofUnlimited: [Count<Self>] = [
    ("oracleAlerts", \.dueAlerts), ("foundAlerts", \.foundAlerts),
  ]
  /// All whole numbers; those of entries held back are by reason, and not among them.
  package static let counts = ofPhone + ofUnlimited

  /// Adds the counts of other tracks.
  package static func += (counts: inout EntryCounts, other: EntryCounts) {
    counts.addCounts(of: other)
    counts.suppressed.merge(other.suppressed, uniquingKeysWith: +)
  }
}

extension EntryMeasures {
  /// The distributions under the names of their bins in documents.
  package static let sketches:
    [(name: StaticString, path: any WritableKeyPath<Self, QuantileSketch> & Sendable)] = [
      ("alertSpeedBins", \.alertSpeed), ("latenessBins", \.latenessSeconds),
      ("insideBins", \.insideSeconds), ("dwellBins", \.dwellSeconds),
    ]

  /// Merges the bins of other tracks.
  package static func += (measures: inout EntryMeasures, other: EntryMeasures) {
    for (_, path) in sketches { measures[keyPath: path].merge(other[keyPath: path]) }
  }
}
