package import Fencepost

/// The summary of one track, which totals add up.
package struct TrackAccount: Equatable, Sendable {
  /// The track's name: its file as the user wrote it.
  package var track: String
  /// The person's name; nil for a track without one.
  package var person: String?
  package var fixes = 0
  /// Accepted fixes outside the period or box of the analysis, not counted in ``fixes``.
  package var fixesOutside = 0
  package var rejected = 0
  /// Notes about the whole track, without a final period; not part of reports.
  package var notices: [String] = []
  /// Rejected fixes by reason; empty if read from an older analysis.
  package var rejectedByReason: [String: Int] = [:]
  /// The earliest accepted time in milliseconds since 1970; nil if there are no times.
  package var firstMilliseconds: Int64?
  /// The latest accepted time in milliseconds since 1970; nil if there are no times.
  package var lastMilliseconds: Int64?
  /// The length of the path in millimeters, without gaps; an integer so that sums are exact.
  package var lengthMillimeters = 0
  /// The time between joined fixes in milliseconds.
  package var travelMilliseconds = 0
  /// The number of lookups.
  package var refreshes = 0
  package var failedRefreshes = 0
  package var counts = EntryCounts()
  package var stories = VerdictCounts()
  /// The number of stories that alert for the oracle.
  package var oracleStories = 0
  /// The number of those stories that alert on the phone, at any entry.
  package var foundStories = 0
  /// The maximum number of circles that contained the phone at once.
  package var mostCircles = 0
  /// Whether certainly nothing was missed; nil if the rule cannot tell.
  package var isCertified: Bool?
  /// Alerts by hour of the day, 24 numbers.
  package var alertsByHour = [Int](repeating: 0, count: 24)

  /// Alerts by local day, in days since 1970; days with fixes but no alerts have 0.
  package var alertsByDay: [Int: Int] = [:]

  package var extent = TrackExtent()
  /// Time-based rules that could not be applied to entries without a time.
  package var rulesWithoutTime: RulesWithoutTime = []

  package var measures = EntryMeasures()

  /// What the stories cost reminders; nil in an analysis of stories alone.
  package var reminders: ReminderCost?

  package init(track: String) {
    self.track = track
  }
}
