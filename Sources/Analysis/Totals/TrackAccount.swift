package import Fencepost

/// The summary of one track, which totals add up.
package struct TrackAccount: Equatable, Sendable {
  /// The track's name: its file as the user wrote it.
  package var track: String
  package var person: String?
  package var sums = TrackSums()
  /// Notes about the whole track, without a final period; not part of reports.
  package var notices: [String] = []
  /// The earliest accepted time in milliseconds since 1970; nil if there are no times.
  package var firstMilliseconds: Int64?
  /// The latest accepted time in milliseconds since 1970; nil if there are no times.
  package var lastMilliseconds: Int64?
  /// The number of stories that alert for the oracle.
  package var oracleStories = 0
  /// The number of those stories that alert on the phone, at any entry.
  package var foundStories = 0
  /// Whether certainly nothing was missed; nil if the rule cannot tell.
  package var isCertified: Bool?
  /// Alerts by local day, in days since 1970; days with fixes but no alerts have 0.
  package var alertsByDay: [Int: Int] = [:]
  package var extent = TrackExtent()
  /// Time-based rules that could not be applied to entries without a time.
  package var rulesWithoutTime: RulesWithoutTime = []

  package init(track: String) { self.track = track }
}
