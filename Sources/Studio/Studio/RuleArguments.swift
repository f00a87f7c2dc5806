import Fencepost
import FencepostMonitoring
import FencepostNotifications

/// The rules of a session as the options of a command, without those that say what is so anyway.
enum RuleArguments {
  /// The options and their values, a word each.
  static func words(_ session: TrackSession.Options) -> [String] {
    monitoring(session.monitoring) + confirmation(session) + alerts(session.alerts)
  }

  private static func monitoring(_ rule: MonitoringOptions) -> [String] {
    let usual = MonitoringOptions()
    var words: [String] = []
    if rule.limit != usual.limit { words += ["--limit", rule.limit.map(String.init) ?? "none"] }
    if rule.significantChangeMeters != usual.significantChangeMeters {
      words += ["--significant-change", number(rule.significantChangeMeters) + "m"]
    }
    // The adaptive rule knows no other rank.
    if rule.rank != usual.rank, rule.refresh == .fixed { words += ["--rank", rule.rank.rawValue] }
    if rule.refresh != usual.refresh { words += ["--refresh", rule.refresh.rawValue] }
    if rule.minIntervalMilliseconds != 0 {
      words += ["--min-interval", "\(rule.minIntervalMilliseconds)ms"]
    }
    if rule.hasTripwire { words.append("--tripwire") }
    if rule.refreshFloorMeters != 0 {
      words += ["--refresh-floor", number(rule.refreshFloorMeters) + "m"]
    }
    if rule.initial != usual.initial { words += ["--initial", rule.initial.rawValue] }
    if rule.exitMarginMeters != 0 {
      words += ["--exit-margin", number(rule.exitMarginMeters) + "m"]
    }
    if rule.maxGapMilliseconds != usual.maxGapMilliseconds {
      words += ["--max-gap", rule.maxGapMilliseconds.map { "\($0)ms" } ?? "none"]
    }
    if rule.maxSpeedMetersPerSecond != usual.maxSpeedMetersPerSecond {
      words += ["--max-speed", rule.maxSpeedMetersPerSecond.map { number($0) + "m/s" } ?? "none"]
    }
    if rule.joinsSegments { words.append("--join-segments") }
    return words
  }

  private static func confirmation(_ session: TrackSession.Options) -> [String] {
    let rule = session.monitoring
    var words: [String] = []
    if rule.confirmation.holdMilliseconds != 0 {
      words += ["--hold", "\(rule.confirmation.holdMilliseconds)ms"]
    }
    if let fixes = rule.confirmation.fixes { words += ["--confirm-fixes", "\(fixes)"] }
    if let dwell = rule.confirmation.dwellMilliseconds { words += ["--dwell", "\(dwell)ms"] }
    if rule.test != .path { words += ["--test", rule.test.rawValue] }
    if rule.accuracy != .ignore { words += ["--accuracy", rule.accuracy.rawValue] }
    if rule.trustsAccuracy { words.append("--trust-accuracy") }
    if session.alertsOn != .enter { words += ["--alert-on", session.alertsOn.rawValue] }
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
