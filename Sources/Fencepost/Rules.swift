import FencepostMonitoring
package import FencepostNotifications

/// One option of a session's rules, for code that names, compares or prints all of them.
package struct RuleOption: Sendable {
  package enum Value: Equatable, Sendable {
    case word(String)
    /// A count of at least 1; nil if unlimited.
    case count(Int?)
    /// A distance in meters.
    case meters(Double)
    /// A duration in milliseconds; nil for none.
    case milliseconds(Int64?)
    /// A speed in meters per second; nil for none.
    case metersPerSecond(Double?)
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
  package let value: @Sendable (TrackSession.Options) -> Value
  /// Copies the value from the first rules to the second.
  package let copy: @Sendable (TrackSession.Options, inout TrackSession.Options) -> Void

  /// Describes an option whose value `place` hands to the closure that it is called with.
  private init<Stored>(
    _ name: String, _ value: @escaping @Sendable (Stored) -> Value,
    _ place: @escaping @Sendable (inout TrackSession.Options, (inout Stored) -> Void) -> Void
  ) {
    self.name = name
    self.value = { options in
      var (options, found) = (options, Value.flag(false))
      place(&options) { found = value($0) }
      return found
    }
    copy = { first, second in
      var first = first
      place(&first) { stored in place(&second) { $0 = stored } }
    }
  }

  package static let all = [
    RuleOption("--limit", { .count($0) }) { $1(&$0.monitoring.limit) },
    RuleOption("--significant-change", { .meters($0) }) {
      $1(&$0.monitoring.significantChangeMeters)
    },
    RuleOption("--min-interval", { .milliseconds($0) }) {
      $1(&$0.monitoring.minIntervalMilliseconds)
    },
    RuleOption("--rank", { .word($0.rawValue) }) { $1(&$0.monitoring.rank) },
    RuleOption("--refresh", { .word($0.rawValue) }) { $1(&$0.monitoring.refresh) },
    RuleOption("--refresh-floor", { .meters($0) }) { $1(&$0.monitoring.refreshFloorMeters) },
    RuleOption("--tripwire", { .flag($0) }) { $1(&$0.monitoring.hasTripwire) },
    RuleOption("--initial", { .word($0.rawValue) }) { $1(&$0.monitoring.initial) },
    RuleOption("--exit-margin", { .meters($0) }) { $1(&$0.monitoring.exitMarginMeters) },
    RuleOption("--max-gap", { .milliseconds($0) }) { $1(&$0.monitoring.maxGapMilliseconds) },
    RuleOption("--max-speed", { .metersPerSecond($0) }) {
      $1(&$0.monitoring.maxSpeedMetersPerSecond)
    },
    RuleOption("--join-segments", { .flag($0) }) { $1(&$0.monitoring.joinsSegments) },
    RuleOption("--test", { .word($0.rawValue) }) { $1(&$0.monitoring.test) },
    RuleOption("--accuracy", { .word($0.rawValue) }) { $1(&$0.monitoring.accuracy) },
    RuleOption("--trust-accuracy", { .flag($0) }) { $1(&$0.monitoring.trustsAccuracy) },
    RuleOption("--hold", { .milliseconds($0) }) {
      $1(&$0.monitoring.confirmation.holdMilliseconds)
    },
    RuleOption("--confirm-fixes", { .count($0) }) { $1(&$0.monitoring.confirmation.fixes) },
    RuleOption("--dwell", { .milliseconds($0) }) {
      $1(&$0.monitoring.confirmation.dwellMilliseconds)
    },
    RuleOption("--alert-on", { .word($0.rawValue) }) { $1(&$0.alertsOn) },
    RuleOption("--cooldown", { .cooldown($0) }) { $1(&$0.alerts.cooldown) },
    RuleOption("--quiet-hours", { .quietHours($0) }) { $1(&$0.alerts.quietHours) },
    RuleOption("--max-alert-speed", { .metersPerSecond($0) }) {
      $1(&$0.alerts.maxAlertSpeedMetersPerSecond)
    },
    RuleOption("--dates", { .dates($0) }) { $1(&$0.alerts.dates) },
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
    case .quietHours(let hours?): hours.text
    case .dates(let dates): dates?.text ?? "recorded"
    }
  }
}
