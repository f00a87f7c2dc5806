import Fencepost
import FencepostMonitoring
import FencepostNotifications

/// An option that decides what a session finds or counts, as it is saved with the session's state.
struct LiveSetting: Codable, Equatable {
  var name: String
  /// Its value, as users write it.
  var value: String
}

extension LiveOptions {
  /// The settings by which a session finds and counts.
  var settings: [LiveSetting] {
    let rule = session.monitoring
    let alerts = session.alerts
    let cooldown =
      switch alerts.cooldown {
      case .none: "none"
      case .forever: "forever"
      case .seconds(let seconds): Self.duration(seconds * 1000)
      }
    let quiet = alerts.quietHours.map {
      "\(Self.clock($0.start))-\(Self.clock($0.end)) \($0.zone.identifier)"
    }
    let settings: [(String, String)] = [
      ("places", placesName),
      ("--limit", rule.limit.map(String.init) ?? "none"),
      ("--significant-change", Self.meters(rule.significantChangeMeters)),
      ("--min-interval", Self.duration(rule.minIntervalMilliseconds)),
      ("--rank", rule.rank.rawValue), ("--refresh", rule.refresh.rawValue),
      ("--refresh-floor", Self.meters(rule.refreshFloorMeters)),
      ("--tripwire", Self.flag(rule.hasTripwire)), ("--initial", rule.initial.rawValue),
      ("--exit-margin", Self.meters(rule.exitMarginMeters)),
      ("--max-gap", Self.duration(rule.maxGapMilliseconds)),
      ("--max-speed", Self.speed(rule.maxSpeedMetersPerSecond)),
      ("--join-segments", Self.flag(rule.joinsSegments)),
      ("--device-field", deviceField ?? "none"),
      ("--test", rule.test.rawValue), ("--accuracy", rule.accuracy.rawValue),
      ("--trust-accuracy", Self.flag(rule.trustsAccuracy)),
      ("--hold", Self.duration(rule.confirmation.holdMilliseconds)),
      ("--confirm-fixes", rule.confirmation.fixes.map { "\($0)" } ?? "none"),
      ("--dwell", Self.duration(rule.confirmation.dwellMilliseconds)),
      ("--alert-on", session.alertsOn.rawValue), ("--cooldown", cooldown),
      ("--quiet-hours", quiet ?? "none"),
      ("--max-alert-speed", Self.speed(alerts.maxAlertSpeedMetersPerSecond)),
    ]
    return settings.map { LiveSetting(name: $0.0, value: $0.1) }
  }

  private static func flag(_ isOn: Bool) -> String { isOn ? "on" : "off" }
  private static func meters(_ meters: Double) -> String { "\(plain(meters)) m" }
  private static func speed(_ speed: Double?) -> String {
    speed.map { "\(plain($0)) m/s" } ?? "none"
  }

  /// A number without the zero of a whole one.
  private static func plain(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A time of day as `HH:MM`.
  private static func clock(_ time: TimeOfDay) -> String {
    [time.hour, time.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// A length of time in its largest whole unit; none without one.
  private static func duration(_ milliseconds: Int64?) -> String {
    guard let milliseconds else { return "none" }
    let units: [(String, Int64)] = [
      ("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000),
    ]
    let unit = units.first { milliseconds > 0 && milliseconds % $0.1 == 0 } ?? ("ms", 1)
    return milliseconds == 0 ? "0s" : "\(milliseconds / unit.1)\(unit.0)"
  }
}

extension LiveState.Identity {
  /// What differs between the settings that a state was saved under and those of now.
  struct Change {
    /// Whether the monitored set is void, and with it all that was counted.
    var isRule = false
    /// Whether the places are those of another store or file.
    var isPlaces = false
    /// What to tell the user; nil if there is nothing to tell.
    var sentence: String?
  }

  /// Settings that decide nothing about what is monitored, so that it can stay when they change.
  private static let harmless: Set<String> = [
    "places", "--min-interval", "--initial", "--max-gap", "--max-speed", "--join-segments",
    "--alert-on", "--cooldown", "--quiet-hours", "--max-alert-speed",
  ]

  /// Compares the settings of a state with those of now.
  func change(to now: LiveState.Identity) -> Change {
    let changed = now.settings.compactMap { setting in
      let before = settings.first { $0.name == setting.name }?.value
      return before == setting.value ? nil : (setting.name, setting.value, before ?? "unknown")
    }
    guard !changed.isEmpty else { return Change() }
    let isRule = changed.contains { !Self.harmless.contains($0.0) }
    let list = changed.map { "\($0.0) \($0.1) (before: \($0.2))" }.joined(separator: ", ")
    let effect =
      isRule
      ? "what is monitored is found anew, the summary counts from here on, cool-downs stay"
      : "the summary counts what came under either"
    return Change(
      isRule: isRule, isPlaces: changed.contains { $0.0 == "places" },
      sentence: "the state was saved under other rules, now \(list): \(effect)")
  }
}
