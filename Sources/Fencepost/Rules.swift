import FencepostMonitoring
package import FencepostNotifications

/// One option of a session's rules, for code that names, compares or prints all of them.
package struct RuleOption: Sendable {
  /// The value of an option.
  package enum Value: Equatable, Sendable {
    /// One of a few fixed words.
    case word(String)
    /// A count of at least 1; nil if unlimited.
    case count(Int?)
    /// A distance in meters.
    case meters(Double)
    /// A duration in milliseconds; nil for none.
    case milliseconds(Int64?)
    /// A speed in meters per second; nil for none.
    case metersPerSecond(Double?)
    /// On or off.
    case flag(Bool)
    /// How long a place stays silent after it alerted.
    case cooldown(Cooldown)
    /// The hours without alerts; nil for none.
    case quietHours(QuietHours?)
    /// When the dates of stories count; nil for the time of each entry.
    case dates(StoryDates?)
  }

  /// The name of the command-line option, such as `--limit`.
  package let name: String
  /// Reads the value from a session's rules.
  package let value: @Sendable (TrackSession.Options) -> Value
  /// Copies the value from the first rules to the second.
  package let copy: @Sendable (TrackSession.Options, inout TrackSession.Options) -> Void

  private init<Stored>(
    _ name: String, _ path: any WritableKeyPath<TrackSession.Options, Stored> & Sendable,
    _ value: @escaping @Sendable (Stored) -> Value
  ) {
    self.name = name
    self.value = { value($0[keyPath: path]) }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
  }

  /// All options of a session's rules.
  package static let all = [
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
    RuleOption("--dates", \.alerts.dates) { .dates($0) },
  ]
}

extension RuleOption.Value {
  /// A number as text, without `.0` if it is whole.
  package static func plain(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The value as a command-line argument, such as `500m`, `90000ms` or `none`; empty for a flag.
  package var argument: String {
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
    case .dates(let dates): dates?.text ?? "recorded"
    }
  }
}

extension TimeOfDay {
  /// The time as `HH:MM`, or `HH:MM:SS` if the seconds are not zero.
  package var text: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(hour)):\(two(minute))" + (second == 0 ? "" : ":\(two(second))")
  }
}
