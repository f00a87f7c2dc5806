package import Fencepost

/// The numbers of one track, of which totals are made.
package struct TrackAccount: Equatable, Sendable {
  /// Name of the track: its file as the user wrote it.
  package var track: String
  /// Whose track it is; nil if it is nobody's in particular.
  package var person: String?
  /// Number of accepted fixes.
  package var fixes = 0
  /// Number of accepted fixes that are not in the period or box of the analysis, and not among ``fixes``.
  package var fixesOutside = 0
  /// Number of rejected fixes.
  package var rejected = 0
  /// Sentences without full stops about the track as a whole, for messages; reports lack them.
  package var notices: [String] = []
  /// Number of rejected fixes by reason; empty if an older analysis has only the number.
  package var rejectedByReason: [String: Int] = [:]
  /// Earliest accepted time in milliseconds since 1970; nil without times.
  package var firstMilliseconds: Int64?
  /// Latest accepted time in milliseconds since 1970; nil without times.
  package var lastMilliseconds: Int64?
  /// Length of the joined path in millimetres; an integer, so that sums are exact.
  package var lengthMillimeters = 0
  /// Time between joined fixes in milliseconds.
  package var travelMilliseconds = 0
  /// Number of refreshes.
  package var refreshes = 0
  /// Number of refreshes that failed.
  package var failedRefreshes = 0
  /// The counts of entries.
  package var counts = EntryCounts()
  /// Number of stories by verdict.
  package var stories = VerdictCounts()
  /// Number of stories that alert for the oracle.
  package var oracleStories = 0
  /// Number of these that alerted on the device, at any entry.
  package var foundStories = 0
  /// Most circles that contained the device at once.
  package var mostCircles = 0
  /// Whether certainly nothing was missed; nil if the rule cannot know.
  package var isCertified: Bool?
  /// Alerts by hour of the day, 24 numbers.
  package var alertsByHour = [Int](repeating: 0, count: 24)

  /// Alerts by local day, in days since 1970; 0 for a day with fixes and without alerts.
  package var alertsByDay: [Int: Int] = [:]

  /// Where its fixes are.
  package var extent = TrackExtent()
  /// Rules about time that its entries escape, having none.
  package var rulesWithoutTime: RulesWithoutTime = []

  /// How fast, how late and how long.
  package var measures = EntryMeasures()

  /// Makes an account of zero.
  package init(track: String) {
    self.track = track
  }
}
