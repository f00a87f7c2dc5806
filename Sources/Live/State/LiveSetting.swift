import Fencepost
import FencepostMonitoring
import FencepostNotifications

/// An option that affects what a session finds or counts, saved with the session's state.
struct LiveSetting: Codable, Equatable {
  var name: String
  var value: String
}

extension LiveOptions {
  var settings: [LiveSetting] {
    var settings = RuleOption.all.map {
      LiveSetting(name: $0.name, value: Self.text($0.value(session)))
    }
    settings.insert(LiveSetting(name: "places", value: placesName), at: 0)
    settings.append(LiveSetting(name: "--device-field", value: deviceField ?? "none"))
    settings.append(LiveSetting(name: Self.remindersName, value: remindersText))
    return settings
  }

  static let remindersName = "--reminders"

  private static func text(_ value: RuleOption.Value) -> String {
    switch value {
    case .meters(let meters): "\(RuleOption.Value.plain(meters)) m"
    case .metersPerSecond(let speed?): "\(RuleOption.Value.plain(speed)) m/s"
    case .milliseconds(let milliseconds): duration(milliseconds)
    case .flag(let isOn): isOn ? "on" : "off"
    case .cooldown(.seconds(let seconds)): duration(seconds * 1000)
    case .quietHours(let hours?):
      "\(clock(hours.start))-\(clock(hours.end)) \(hours.zone.identifier)"
    case .dates(.day(_, let zone)?): "\(value.argument) \(zone.identifier)"
    default: value.argument
    }
  }

  private static func clock(_ time: TimeOfDay) -> String { String(time.text.prefix(5)) }

  /// A duration in its largest whole unit, or `none`.
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
  /// The difference between the saved settings and the current ones.
  struct Change {
    /// Whether the monitored set and all counts are void.
    var isRule = false
    var isPlaces = false
    /// The changed settings and the effect; nil without a change.
    var what: String?
  }

  /// Settings that do not affect the monitored set, which stays when they change.
  private static let harmless: Set<String> = [
    "places", "--min-interval", "--initial", "--max-gap", "--max-speed", "--join-segments",
    "--alert-on", "--cooldown", "--quiet-hours", "--max-alert-speed", "--dates",
  ]

  func change(to now: LiveState.Identity) -> Change {
    let changed = now.settings.compactMap { setting in
      let saved = settings.first { $0.name == setting.name }?.value
      // States were saved before there were reminders.
      let before = saved ?? (setting.name == LiveOptions.remindersName ? "none" : nil)
      return before == setting.value ? nil : (setting.name, setting.value, before ?? "unknown")
    }
    guard !changed.isEmpty else { return Change() }
    let isRule = changed.contains { !Self.harmless.contains($0.0) }
    let list = changed.map { "\($0.0) \($0.1) (before: \($0.2))" }.joined(separator: ", ")
    let effect =
      isRule
      ? "the watched stories are looked up again, the summary restarts, and cooldowns are kept"
      : "the summary covers both"
    return Change(
      isRule: isRule, isPlaces: changed.contains { $0.0 == "places" },
      what: "\(list); \(effect)")
  }
}
