public import FencepostFixes
public import FencepostMonitoring

/// The summary of a track.
public struct TrackSummary: Sendable {
  /// Name of the track: its file as the user wrote it, or the stream's name.
  public var track: String
  /// The device within the stream, if the stream carries several; else nil.
  public var device: String?
  /// Number of accepted fixes.
  public var fixes = 0
  /// Number of segments with at least one accepted fix.
  public var segments = 0
  /// Number of rejected fixes by reason.
  public var rejected: [String: Int] = [:]
  /// Earliest accepted time in milliseconds since 1970-01-01T00:00:00Z; nil without times.
  public var firstMilliseconds: Int64?
  /// Latest accepted time in milliseconds since 1970-01-01T00:00:00Z; nil without times.
  public var lastMilliseconds: Int64?
  /// Length of the joined path in metres.
  public var lengthMeters = 0.0
  /// Number of times that the store was asked.
  public var refreshes = 0
  /// Number of enters.
  public var enters = 0
  /// Number of exits.
  public var exits = 0
  /// Number of dwells; nil if none are looked for.
  public var dwells: Int?
  /// Number of alerts.
  public var alerts = 0
  /// Number of events that the notification policy suppressed, by reason.
  public var suppressed: [String: Int] = [:]
  /// Number of places of the store that were never monitored; nil if not counted.
  public var neverMonitored: Int?
  /// Whether no unmonitored circle was ever within reach; nil if the rule cannot know.
  public var certified: Bool?
  /// Where ``certified`` does not hold, in order along the path.
  public var uncertified: [UncertifiedSpan] = []
  /// Total length of the ``uncertified`` stretches in metres.
  public var uncertifiedMeters: Double { uncertified.reduce(0) { $0 + $1.lengthMeters } }
  /// The entries that the limit of watched places cost; nil if they were not looked for.
  public var misses: MissCounts?
  /// How reminders and places shared the phone's slots; nil without reminders.
  public var budget: BudgetSummary?
  /// The order of the fixes in the source; nil if it was the order of their times.
  public var order: Order?
  /// How many fixes came too late to be put in order, and how late; nil if fixes were taken as they came.
  public var lateness: Lateness?
  /// The rules about time that entries escaped, having none; for messages, reports lack them.
  public var rulesWithoutTime: RulesWithoutTime = []
  /// The sentence that ended the track early, if one did.
  public var error: String?

  /// An order of fixes.
  public enum Order: String, Sendable {
    /// The source begins with the newest and was read from its end.
    case newestFirst = "newest-first"
  }

  /// Makes the summary of a track without fixes.
  public init(track: String, device: String? = nil) {
    self.track = track
    self.device = device
  }
}
