/// What one track brought, or many together, as integers so that sums are exact in any order.
package struct TrackSums: Equatable, Sendable {
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
  package var refreshes = 0
  package var failedRefreshes = 0
  package var counts = EntryCounts()
  package var verdicts = VerdictCounts()
  /// The maximum number of circles that contained the phone at once.
  package var mostCircles = 0
  package var alertsByHour = [Int](repeating: 0, count: 24)
  package var measures = EntryMeasures()
  /// What the stories cost reminders; nil in an analysis of stories alone.
  package var reminders: ReminderCost?

  package init() {}
}
