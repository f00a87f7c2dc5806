import Fencepost
import FencepostMonitoring
import FencepostNotifications

/// The rules of a session as the options of a command, without those that say what is so anyway.
enum RuleArguments {
  /// The options of `replay` and their values, a word each.
  static func words(_ setting: StudioSetting) -> [String] {
    let (session, usual) = (setting.session, setting.usual)
    return (setting.profile.map { ["--profile", $0] } ?? [])
      + monitoring(session.monitoring, usual.monitoring) + confirmation(session, usual)
      + alerts(session.alerts)
  }

  /// The options of `analyze` that simulate the phone; none without one.
  static func chanceWords(_ setting: StudioSetting) -> [String] {
    guard setting.phone != nil else { return [] }
    return words(setting) + ["--trials", "\(setting.trials)", "--seed", "\(setting.seed)"]
  }

  private static func monitoring(
    _ rule: MonitoringOptions, _ usual: MonitoringOptions
  ) -> [String] {
    var words: [String] = []
    if rule.limit != usual.limit { words += ["--limit", rule.limit.map(String.init) ?? "none"] }
    if rule.significantChangeMeters != usual.significantChangeMeters {
      words += ["--significant-change", number(rule.significantChangeMeters) + "m"]
    }
    // The adaptive rule knows no other rank.
    if rule.rank != usual.rank, rule.refresh == .fixed { words += ["--rank", rule.rank.rawValue] }
    if rule.refresh != usual.refresh { words += ["--refresh", rule.refresh.rawValue] }
    if rule.minIntervalMilliseconds != usual.minIntervalMilliseconds {
      words += ["--min-interval", "\(rule.minIntervalMilliseconds)ms"]
    }
    if rule.hasTripwire { words.append("--tripwire") }
    if rule.refreshFloorMeters != 0 {
      words += ["--refresh-floor", number(rule.refreshFloorMeters) + "m"]
    }
    if rule.initial != usual.initial { words += ["--initial", rule.initial.rawValue] }
    if rule.exitMarginMeters != usual.exitMarginMeters {
      words += ["--exit-margin", number(rule.exitMarginMeters) + "m"]
    }
    return words + breaks(rule, usual)
  }

  private static func breaks(_ rule: MonitoringOptions, _ usual: MonitoringOptions) -> [String] {
    var words: [String] = []
    if rule.maxGapMilliseconds != usual.maxGapMilliseconds {
      words += ["--max-gap", rule.maxGapMilliseconds.map { "\($0)ms" } ?? "none"]
    }
    if rule.maxSpeedMetersPerSecond != usual.maxSpeedMetersPerSecond {
      words += ["--max-speed", rule.maxSpeedMetersPerSecond.map { number($0) + "m/s" } ?? "none"]
    }
    if rule.joinsSegments { words.append("--join-segments") }
    return words
  }

  private static func confirmation(
    _ session: TrackSession.Options, _ usual: TrackSession.Options
  ) -> [String] {
    let (rule, before) = (session.monitoring, usual.monitoring)
    var words: [String] = []
    if rule.confirmation.holdMilliseconds != before.confirmation.holdMilliseconds {
      words += ["--hold", "\(rule.confirmation.holdMilliseconds)ms"]
    }
    if rule.confirmation.fixes != before.confirmation.fixes {
      words += ["--confirm-fixes", "\(rule.confirmation.fixes ?? 1)"]
    }
    // Nothing says that a phone’s dwell is not wanted; it matters only where dwells alert.
    if let dwell = rule.confirmation.dwellMilliseconds,
      dwell != before.confirmation.dwellMilliseconds || session.alertsOn == .dwell
    {
      words += ["--dwell", "\(dwell)ms"]
    }
    let isAccuracyOwn = rule.test == .fixes && rule.accuracy != before.accuracy
    if rule.test != before.test || isAccuracyOwn { words += ["--test", rule.test.rawValue] }
    if isAccuracyOwn { words += ["--accuracy", rule.accuracy.rawValue] }
    if rule.trustsAccuracy { words.append("--trust-accuracy") }
    if session.alertsOn != usual.alertsOn { words += ["--alert-on", session.alertsOn.rawValue] }
    return words
  }

  private static func alerts(_ alerts: AlertPolicy.Options) -> [String] {
    var words: [String] = []
    if alerts.cooldown != AlertPolicy.Options().cooldown {
      let text =
        switch alerts.cooldown {
        case .none: "none"
        case .forever: "forever"
        case .seconds(let seconds): "\(seconds)s"
        }
      words += ["--cooldown", text]
    }
    if let quiet = alerts.quietHours {
      words += [
        "--quiet-hours", StudioRules.text(quiet.start) + "-" + StudioRules.text(quiet.end),
        "--time-zone", quiet.zone.identifier,
      ]
    }
    if let speed = alerts.maxAlertSpeedMetersPerSecond {
      words += ["--max-alert-speed", number(speed) + "m/s"]
    }
    return words
  }

  /// A number with the digits that it needs, never with an exponent for sizes that rules have.
  private static func number(_ value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A command's words as a shell takes them.
  static func quoted(_ words: [String]) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:,+=@%")
    return words.map { word in
      !word.isEmpty && word.allSatisfy(plain.contains)
        ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }.joined(separator: " ")
  }
}
