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
