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
    var settings = RuleOption.all.map {
      LiveSetting(name: $0.name, value: Self.text($0.value(session)))
    }
    settings.insert(LiveSetting(name: "places", value: placesName), at: 0)
    settings.append(LiveSetting(name: "--device-field", value: deviceField ?? "none"))
    return settings
  }

  private static func text(_ value: RuleOption.Value) -> String {
    switch value {
    case .meters(let meters): "\(RuleOption.Value.plain(meters)) m"
    case .metersPerSecond(let speed?): "\(RuleOption.Value.plain(speed)) m/s"
    case .milliseconds(let milliseconds): duration(milliseconds)
    case .flag(let isOn): isOn ? "on" : "off"
    case .cooldown(.seconds(let seconds)): duration(seconds * 1000)
    case .quietHours(let hours?):
      "\(clock(hours.start))-\(clock(hours.end)) \(hours.zone.identifier)"
    default: value.argument
    }
  }

  /// A time of day as `HH:MM`.
  private static func clock(_ time: TimeOfDay) -> String { String(time.text.prefix(5)) }

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
      ? "the watched places are looked up again, the summary restarts, and cool-downs are kept"
      : "the summary covers both"
    return Change(
      isRule: isRule, isPlaces: changed.contains { $0.0 == "places" },
      sentence: "the settings have changed since the state was saved: \(list); \(effect)")
  }
}
