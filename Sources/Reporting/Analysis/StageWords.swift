package import Fencepost
package import FencepostMonitoring

/// Describes in words what must happen before a crossing counts.
package enum StageWords {
  /// The options that differ from the defaults, each after a comma, or an empty text.
  ///
  /// An example is `, crossings held for 30 s, alerts on dwells of 5 min`.
  package static func sentence(
    _ rule: MonitoringOptions, alertsOn trigger: AlertTrigger
  ) -> String {
    (test(rule) + confirmation(rule) + alerts(rule, trigger)).map { ", \($0)" }.joined()
  }

  private static func test(_ rule: MonitoringOptions) -> [String] {
    guard rule.test == .fixes else { return [] }
    return switch rule.accuracy {
    case .ignore: ["tested at fixes only"]
    case .contains: ["tested at fixes only, by the whole accuracy circle"]
    case .intersects: ["tested at fixes only, by any part of the accuracy circle"]
    }
  }

  private static func confirmation(_ rule: MonitoringOptions) -> [String] {
    var words: [String] = []
    let confirmation = rule.confirmation
    if confirmation.holdMilliseconds > 0 {
      words.append("crossings held for \(duration(confirmation.holdMilliseconds))")
    }
    if let fixes = confirmation.fixes {
      words.append("crossings confirmed by \(ReportNumber.counted(fixes, "fix"))")
    }
    return words
  }

  private static func alerts(_ rule: MonitoringOptions, _ trigger: AlertTrigger) -> [String] {
    let dwell = rule.confirmation.dwellMilliseconds.map { " of \(duration($0))" } ?? ""
    switch trigger {
    case .enter: return dwell.isEmpty ? [] : ["dwells\(dwell)"]
    case .exit: return dwell.isEmpty ? ["alerts on exits"] : ["dwells\(dwell)", "alerts on exits"]
    case .dwell: return ["alerts on dwells\(dwell)"]
    }
  }

  private static func duration(_ milliseconds: Int64) -> String {
    let seconds = Double(milliseconds) / 1000
    let (value, unit) =
      seconds < 120
      ? (seconds, "s") : seconds < 7200 ? (seconds / 60, "min") : (seconds / 3600, "h")
    return "\(ReportNumber.text(value, decimals: 3)) \(unit)"
  }
}
