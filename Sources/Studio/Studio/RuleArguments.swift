import Fencepost
import FencepostMonitoring
import FencepostNotifications

/// The rules of a session as command-line options, omitting defaults.
enum RuleArguments {
  /// The options of `replay` and their values as separate words.
  static func words(_ setting: StudioSetting) -> [String] {
    var words = setting.profile.map { ["--profile", $0] } ?? []
    for option in RuleOption.all where isNeeded(option, setting.session, setting.usual) {
      let value = option.value(setting.session)
      words.append(option.name)
      switch value {
      case .flag: break
      // One fix confirms no more than none does.
      case .count(nil) where option.name == "--confirm-fixes": words.append("1")
      case .quietHours(let hours?):
        words += [value.argument, "--time-zone", hours.zone.identifier]
      default: words.append(value.argument)
      }
    }
    return words
  }

  private static func isNeeded(
    _ option: RuleOption, _ session: TrackSession.Options, _ usual: TrackSession.Options
  ) -> Bool {
    let isChanged = option.value(session) != option.value(usual)
    let rule = session.monitoring
    let isAccuracyOwn = rule.test == .fixes && rule.accuracy != usual.monitoring.accuracy
    switch option.name {
    // The adaptive rule knows no other rank.
    case "--rank": return isChanged && rule.refresh == .fixed
    // No option turns off a phone's dwell, which matters only if dwells alert.
    case "--dwell":
      return rule.confirmation.dwellMilliseconds != nil && (isChanged || session.alertsOn == .dwell)
    case "--test": return isChanged || isAccuracyOwn
    case "--accuracy": return isAccuracyOwn
    default: return isChanged
    }
  }

  /// The options of `analyze` that simulate the phone; empty without one.
  static func chanceWords(_ setting: StudioSetting) -> [String] {
    guard setting.phone != nil else { return [] }
    return words(setting) + ["--trials", "\(setting.trials)", "--seed", "\(setting.seed)"]
  }

  /// A command's words, quoted for a shell.
  static func quoted(_ words: [String]) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:,+=@%")
    return words.map { word in
      !word.isEmpty && word.allSatisfy(plain.contains)
        ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }.joined(separator: " ")
  }
}
