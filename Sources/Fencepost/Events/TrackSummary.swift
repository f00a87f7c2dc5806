public import FencepostFixes
public import FencepostMonitoring

/// The summary of a track.
public struct TrackSummary: Sendable {
  /// Name of the track: its file as the user wrote it, or the stream's name.
  public var track: String
  /// The device within the stream, if the stream carries several; else nil.
  public var device: String?
  /// Number of accepted fixes.
  public var fixes: Int
  /// Number of segments with at least one accepted fix.
  public var segments: Int
  /// Number of rejected fixes by reason.
  public var rejected: [String: Int]
  /// Earliest accepted time in milliseconds since 1970-01-01T00:00:00Z; nil without times.
  public var firstMilliseconds: Int64?
  /// Latest accepted time in milliseconds since 1970-01-01T00:00:00Z; nil without times.
  public var lastMilliseconds: Int64?
  /// Length of the joined path in metres.
  public var lengthMeters: Double
  /// Number of times that the store was asked.
  public var refreshes: Int
  /// Number of enters.
  public var enters: Int
  /// Number of exits.
  public var exits: Int
  /// Number of dwells; nil if none are looked for.
  public var dwells: Int?
  /// Number of alerts.
  public var alerts: Int
  /// Number of events that the notification policy suppressed, by reason.
  public var suppressed: [String: Int]
  /// Number of places of the store that were never monitored; nil if not counted.
  public var neverMonitored: Int?
  /// Whether no unmonitored circle was ever within reach; nil if the rule cannot know.
  public var certified: Bool?
  /// Where ``certified`` does not hold, in order along the path.
  public var uncertified: [UncertifiedSpan]
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

  /// Makes a summary of its parts.
  public init(
    track: String,
    device: String? = nil,
    fixes: Int = 0,
    segments: Int = 0,
    rejected: [String: Int] = [:],
    firstMilliseconds: Int64? = nil,
    lastMilliseconds: Int64? = nil,
    lengthMeters: Double = 0,
    refreshes: Int = 0,
    enters: Int = 0,
    exits: Int = 0,
    alerts: Int = 0,
    suppressed: [String: Int] = [:],
    neverMonitored: Int? = nil,
    certified: Bool? = nil,
    uncertified: [UncertifiedSpan] = [],
    error: String? = nil
  ) {
    self.track = track
    self.device = device
    self.fixes = fixes
    self.segments = segments
    self.rejected = rejected
    self.firstMilliseconds = firstMilliseconds
    self.lastMilliseconds = lastMilliseconds
    self.lengthMeters = lengthMeters
    self.refreshes = refreshes
    self.enters = enters
    self.exits = exits
    self.alerts = alerts
    self.suppressed = suppressed
    self.neverMonitored = neverMonitored
    self.certified = certified
    self.uncertified = uncertified
    self.error = error
  }
}
