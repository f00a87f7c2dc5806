/// The numbers of one track: all that totals need of it.
public struct TrackAccount: Equatable, Sendable {
  /// Name of the track: its file as the user wrote it.
  public var track: String
  /// Number of accepted fixes.
  public var fixes = 0
  /// Number of rejected fixes.
  public var rejected = 0
  /// What the user should know of the track as a whole, as sentences without full stops; in no report.
  public var notices: [String] = []
  /// The same by reason; empty where an older analysis gave the number only.
  public var rejectedByReason: [String: Int] = [:]
  /// Earliest accepted time in milliseconds since 1970; nil without times.
  public var firstMilliseconds: Int64?
  /// Latest accepted time in milliseconds since 1970; nil without times.
  public var lastMilliseconds: Int64?
  /// Length of the joined path in millimetres: whole, so that sums are exact.
  public var lengthMillimeters = 0
  /// Time between fixes that are joined, in milliseconds.
  public var travelMilliseconds = 0
  /// How often the store was asked.
  public var refreshes = 0
  /// How often the store did not answer.
  public var failedRefreshes = 0
  /// What became of the entries.
  public var counts = EntryCounts()
  /// How many stories had each verdict.
  public var stories = VerdictCounts()
  /// How many stories alert where every place is monitored.
  public var oracleStories = 0
  /// How many of these alerted on the device, at whichever entry.
  public var foundStories = 0
  /// Most circles that contained the device at once.
  public var mostCircles = 0
  /// Whether nothing can have been missed; nil where the rule cannot know.
  public var isCertified: Bool?
  /// Alerts by hour of the day, 24 numbers.
  public var alertsByHour = [Int](repeating: 0, count: 24)

  /// Makes an account of zero.
  public init(track: String) {
    self.track = track
  }
}
