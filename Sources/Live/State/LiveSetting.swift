import Fencepost
import FencepostMonitoring
import FencepostNotifications

/// An option that decides what a session finds or counts, as it is saved with the session's state.
struct LiveSetting: Codable, Equatable {
  /// What users call it.
  var name: String
  /// Its value, as users write it.
  var value: String
}

extension LiveOptions {
  /// The settings by which a session finds and counts.
  var settings: [LiveSetting] {
    (monitoringSettings + confirmationSettings + alertSettings).map {
      LiveSetting(name: $0.0, value: $0.1)
    }
  }

  private var monitoringSettings: [(String, String)] {
    let rule = session.monitoring
    return [
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
    ]
  }

  private var confirmationSettings: [(String, String)] {
    let rule = session.monitoring
    return [
      ("--test", rule.test.rawValue), ("--accuracy", rule.accuracy.rawValue),
      ("--trust-accuracy", Self.flag(rule.trustsAccuracy)),
      ("--hold", Self.duration(rule.confirmation.holdMilliseconds)),
      ("--confirm-fixes", rule.confirmation.fixes.map { "\($0)" } ?? "none"),
      ("--dwell", Self.duration(rule.confirmation.dwellMilliseconds)),
    ]
  }

  private var alertSettings: [(String, String)] {
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
    return [
      ("--alert-on", session.alertsOn.rawValue), ("--cooldown", cooldown),
      ("--quiet-hours", quiet ?? "none"),
      ("--max-alert-speed", Self.speed(alerts.maxAlertSpeedMetersPerSecond)),
    ]
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

extension LiveDocument.Identity {
  /// What differs between the settings that a state was saved under and those of now.
  struct Change {
    /// Whether the monitored set is void, and with it all that was counted.
    var isRule: Bool
    /// Whether the places are those of another store or file.
    var isPlaces: Bool
    /// What to tell the user; nil if there is nothing to tell.
    var sentence: String?
  }

  /// Compares the settings of a state with those of now.
  func change(to now: LiveDocument.Identity) -> Change {
    let changed = changedSettings(now)
    let isRule = rule != now.rule
    let list = changed.map { "\($0.name) \($0.now) (before: \($0.before))" }
    let isPlaces = changed.contains { $0.name == "places" }
    guard isRule || !changed.isEmpty else { return Change(isRule: false, isPlaces: false) }
    let what = "the state was saved under other rules" + (list.isEmpty ? "" : ", now ")
    let effect =
      isRule
      ? "what is monitored is found anew, the summary counts from here on, cool-downs stay"
      : "the summary counts what came under either"
    return Change(
      isRule: isRule, isPlaces: isPlaces,
      sentence: "\(what)\(list.joined(separator: ", ")): \(effect)")
  }

  /// The settings with another value; none of a state that has not saved them.
  private func changedSettings(
    _ now: LiveDocument.Identity
  ) -> [(name: String, now: String, before: String)] {
    (now.settings ?? []).compactMap { setting in
      guard let before = settings?.first(where: { $0.name == setting.name })?.value,
        before != setting.value
      else { return nil }
      return (setting.name, setting.value, before)
    }
  }
}
