package import FencepostFixes
public import FencepostMonitoring

/// The summary of a track.
public struct TrackSummary: Codable, Equatable, Sendable {
  /// The name of the track: its file as the user wrote it, or the name of the stream.
  public var track: String
  /// The device, if the stream carries several; otherwise nil.
  public var device: String?
  /// The number of accepted fixes.
  public var fixes = 0
  /// The number of segments with at least one accepted fix.
  public var segments = 0
  /// The number of rejected fixes for each reason.
  public var rejected: [String: Int] = [:]
  /// The earliest accepted time in milliseconds since 1970-01-01T00:00:00Z; nil without times.
  package var firstMilliseconds: Int64?
  /// The latest accepted time in milliseconds since 1970-01-01T00:00:00Z; nil without times.
  package var lastMilliseconds: Int64?
  /// The length of the path in meters, without its breaks.
  public var lengthMeters = 0.0
  /// The number of lookups.
  public var refreshes = 0
  /// The number of entries.
  public var enters = 0
  /// The number of exits.
  public var exits = 0
  /// The number of dwells; nil if the rules have no dwell time.
  public var dwells: Int?
  /// The number of alerts.
  public var alerts = 0
  /// The number of alerts held back for each reason.
  public var suppressed: [String: Int] = [:]
  /// The number of places that were never watched; nil if unknown.
  public var neverMonitored: Int?
  /// Whether no unwatched circle ever came within reach; nil if the rules cannot tell.
  public var certified: Bool?
  /// The stretches where ``certified`` does not hold, in path order.
  public var uncertified: [UncertifiedSpan] = []
  /// The total length of the ``uncertified`` stretches in meters.
  public var uncertifiedMeters: Double { uncertified.reduce(0) { $0 + $1.lengthMeters } }
  /// The entries missed because of the limit on watched circles; nil if misses were not counted.
  public var misses: MissCounts?
  /// How reminders and places shared the phone's slots; nil without reminders.
  package var budget: BudgetSummary?
  /// The order of the fixes in the source; nil if they were in time order.
  public var order: Order?
  /// The fixes that came too late to be sorted; nil if fixes were not sorted.
  package var lateness: Lateness?
  /// The time rules that could not apply to entries without a time; used only in messages.
  package var rulesWithoutTime: RulesWithoutTime = []
  /// The message of the error that ended the track early; nil if none did.
  public var error: String?

  /// An unusual order of fixes.
  public enum Order: String, Codable, Sendable {
    /// Newest first; the source was read backward.
    case newestFirst = "newest-first"
  }

  package init(track: String, device: String? = nil) {
    self.track = track
    self.device = device
  }
}
