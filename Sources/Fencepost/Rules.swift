import FencepostMonitoring
public import FencepostNotifications

/// One value of a session's rules, by the option that sets it: what names, compares and prints rules walks ``all``.
public struct RuleOption: Sendable {
  /// A value of a rule.
  public enum Value: Equatable, Sendable {
    /// One of a few words.
    case word(String)
    /// A number of things, 1 or more; nil for any number.
    case count(Int?)
    /// A distance in metres.
    case meters(Double)
    /// A length of time in milliseconds; nil for none.
    case milliseconds(Int64?)
    /// A speed in metres a second; nil for none.
    case metersPerSecond(Double?)
    /// Whether something holds.
    case flag(Bool)
    /// How long a place that alerted stays silent.
    case cooldown(Cooldown)
    /// When nothing alerts; nil for never.
    case quietHours(QuietHours?)
  }

  /// The option: `--limit`.
  public let name: String
  /// The value in the rules of a session.
  public let value: @Sendable (TrackSession.Options) -> Value
  /// Puts the value of the first rules into the others.
  public let copy: @Sendable (TrackSession.Options, inout TrackSession.Options) -> Void

  private init<Stored>(
    _ name: String, _ path: any WritableKeyPath<TrackSession.Options, Stored> & Sendable,
    _ value: @escaping @Sendable (Stored) -> Value
  ) {
    self.name = name
    self.value = { value($0[keyPath: path]) }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
  }

  /// Every option of a session's rules.
  public static let all = [
    RuleOption("--limit", \.monitoring.limit) { .count($0) },
    RuleOption("--significant-change", \.monitoring.significantChangeMeters) { .meters($0) },
    RuleOption("--min-interval", \.monitoring.minIntervalMilliseconds) { .milliseconds($0) },
    RuleOption("--rank", \.monitoring.rank) { .word($0.rawValue) },
    RuleOption("--refresh", \.monitoring.refresh) { .word($0.rawValue) },
    RuleOption("--refresh-floor", \.monitoring.refreshFloorMeters) { .meters($0) },
    RuleOption("--tripwire", \.monitoring.hasTripwire) { .flag($0) },
    RuleOption("--initial", \.monitoring.initial) { .word($0.rawValue) },
    RuleOption("--exit-margin", \.monitoring.exitMarginMeters) { .meters($0) },
    RuleOption("--max-gap", \.monitoring.maxGapMilliseconds) { .milliseconds($0) },
    RuleOption("--max-speed", \.monitoring.maxSpeedMetersPerSecond) { .metersPerSecond($0) },
    RuleOption("--join-segments", \.monitoring.joinsSegments) { .flag($0) },
    RuleOption("--test", \.monitoring.test) { .word($0.rawValue) },
    RuleOption("--accuracy", \.monitoring.accuracy) { .word($0.rawValue) },
    RuleOption("--trust-accuracy", \.monitoring.trustsAccuracy) { .flag($0) },
    RuleOption("--hold", \.monitoring.confirmation.holdMilliseconds) { .milliseconds($0) },
    RuleOption("--confirm-fixes", \.monitoring.confirmation.fixes) { .count($0) },
    RuleOption("--dwell", \.monitoring.confirmation.dwellMilliseconds) { .milliseconds($0) },
    RuleOption("--alert-on", \.alertsOn) { .word($0.rawValue) },
    RuleOption("--cooldown", \.alerts.cooldown) { .cooldown($0) },
    RuleOption("--quiet-hours", \.alerts.quietHours) { .quietHours($0) },
    RuleOption("--max-alert-speed", \.alerts.maxAlertSpeedMetersPerSecond) { .metersPerSecond($0) },
  ]
}

extension RuleOption.Value {
  /// A number without the zero of a whole one.
  public static func plain(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The value as a command takes it: `500m`, `90000ms`, `none`; empty for a flag.
  public var argument: String {
    switch self {
    case .word(let word): word
    case .count(let count): count.map { "\($0)" } ?? "none"
    case .meters(let meters): Self.plain(meters) + "m"
    case .milliseconds(let milliseconds): milliseconds.map { "\($0)ms" } ?? "none"
    case .metersPerSecond(let speed): speed.map { Self.plain($0) + "m/s" } ?? "none"
    case .flag: ""
    case .cooldown(.none), .quietHours(nil): "none"
    case .cooldown(.forever): "forever"
    case .cooldown(.seconds(let seconds)): "\(seconds)s"
    case .quietHours(let hours?): "\(hours.start.text)-\(hours.end.text)"
    }
  }
}

extension TimeOfDay {
  /// `HH:MM`, and the seconds where there are any.
  public var text: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(hour)):\(two(minute))" + (second == 0 ? "" : ":\(two(second))")
  }
}
