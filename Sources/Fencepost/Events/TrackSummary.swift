public import FencepostMonitoring

/// The account of a whole track.
public struct TrackSummary: Sendable {
  /// Name of the track: its file as the user wrote it, or the stream's name.
  public var track: String
  /// The device within the stream, where the stream carries several; else nil.
  public var device: String?
  /// Number of accepted fixes.
  public var fixes: Int
  /// Number of segments that held at least one accepted fix.
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
  /// Number of alerts.
  public var alerts: Int
  /// Number of enters that the notification policy held back, by reason.
  public var suppressed: [String: Int]
  /// Number of places of the store that were not monitored at any time; nil when nobody counted.
  public var neverMonitored: Int?
  /// Whether at no moment an unmonitored circle was within reach; nil when that was not watched.
  public var certified: Bool?
  /// Where ``certified`` does not hold, in order along the path.
  public var uncertified: [UncertifiedSpan]
  /// Length of all ``uncertified`` stretches together, in metres.
  public var uncertifiedMeters: Double { uncertified.reduce(0) { $0 + $1.lengthMeters } }
  /// How reminders and places shared the phone's slots; nil where there were no reminders.
  public var budget: BudgetSummary?
  /// The order in which the source had the fixes, where it was not that of their times; nil otherwise.
  public var order: Order?
  /// The sentence that ended the track early, if one did.
  public var error: String?

  /// An order of fixes.
  public enum Order: String, Sendable {
    /// The source begins with the newest and was read from its end.
    case newestFirst = "newest-first"
  }

  /// Makes a summary of its parts; what is left out is zero or absent.
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
