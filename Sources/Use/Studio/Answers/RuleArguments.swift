#if Command
import FencepostSession
import FencepostMonitoring
import FencepostNotifications

/// The rules of a session as command-line options, omitting defaults.
///
/// The page shows them, so that a result can be repeated in a terminal, and files of rules consist
/// of them. Defaults are those of the phone, if there is one.
enum RuleArguments {
  /// The options of `replay`, with nil as the value of a flag.
  private static func options(_ setting: StudioSetting) -> [(name: String, value: String?)] {
    var options: [(name: String, value: String?)] = []
    if let profile = setting.profile { options.append(("--profile", profile)) }
    for rule in Rules.table where isNeeded(rule, setting.session, setting.usual) {
      let value = rule.value(setting.session)
      switch (rule.name, value) {
      case (_, .flag): options.append(("--\(rule.name)", nil))
      // Requiring one fix is the same as requiring none.
      case ("confirm-fixes", .nothing): options.append(("--\(rule.name)", "1"))
      default: options.append(("--\(rule.name)", rule.argument(for: value)))
      }
      let zone: ClockZone? =
        switch value {
        case .quietHours(let hours): hours.zone
        case .dates(.day(_, let zone)): zone
        default: nil
        }
      if let zone, !options.contains(where: { $0.name == "--time-zone" }) {
        options.append(("--time-zone", zone.identifier))
      }
    }
    return options
  }

  /// The options of `replay` and their values as separate words.
  static func words(_ setting: StudioSetting) -> [String] {
    options(setting).flatMap { [$0.name] + ($0.value.map { [$0] } ?? []) }
  }

  /// The options by their names in a file for `--rules`, including those of the simulation.
  static func entries(_ setting: StudioSetting) -> [(name: String, value: String)] {
    let usual = StudioSetting()
    var entries: [(name: String, value: String)] = options(setting).map {
      (name: String($0.name.dropFirst(2)), value: $0.value ?? "true")
    }
    if setting.trials != usual.trials { entries.append(("trials", "\(setting.trials)")) }
    if setting.seed != usual.seed { entries.append(("seed", "\(setting.seed)")) }
    return entries
  }

  /// Whether a rule must be given, because it would otherwise have another value.
  private static func isNeeded(
    _ rule: Rule, _ session: TrackSessionOptions, _ usual: TrackSessionOptions
  ) -> Bool {
    let isChanged = rule.value(session) != rule.value(usual)
    let monitoring = session.monitoring
    let isAccuracyOwn =
      monitoring.test == .fixes && monitoring.accuracy != usual.monitoring.accuracy
    switch rule.name {
    // The adaptive rule knows no other rank.
    case "rank": return isChanged && monitoring.refresh == .fixed
    // No option turns off a phone's dwell, which matters only if dwells alert.
    case "dwell":
      return monitoring.confirmation.dwellMilliseconds != nil
        && (isChanged || session.alertsOn == .dwell)
    case "test": return isChanged || isAccuracyOwn
    case "accuracy": return isAccuracyOwn
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
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:,+=@%".utf8)
    return words.map { word in
      if !word.isEmpty, word.utf8.allSatisfy({ plain.contains($0) }) { return word }
      let parts = word.split(separator: "'", omittingEmptySubsequences: false)
      return "'" + parts.joined(separator: "'\\''") + "'"
    }.joined(separator: " ")
  }
}
#endif
