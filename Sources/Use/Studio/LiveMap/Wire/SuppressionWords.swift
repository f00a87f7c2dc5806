#if Command
package import FencepostNotifications

/// Explains on the page why an entry did not alert.
///
/// The words name the limits of the session's own rules, such as the hours of quiet.
package struct SuppressionWords {
  /// The rules that held entries back.
  package var alerts: AlertOptions

  /// Explains by the rules of a session.
  package init(alerts: AlertOptions) {
    self.alerts = alerts
  }

  /// The sentence for a reason as in event lines; an unknown reason is returned unchanged.
  package func sentence(_ word: String) -> String {
    guard let reason = SuppressionReason(rawValue: word) else { return word }
    switch reason {
    case .notPublished: return "The story is not published yet."
    case .expired: return "The story has expired."
    case .quietHours: return "It was during quiet hours\(quietSpan)."
    case .driving: return "You were moving too fast\(speed) within the last two minutes."
    case .cooldown: return cooldown
    case .grouped:
      return "Another story at the same position alerted at the same moment and names this one."
    case .budget: return "No notification slot was free."
    }
  }

  private var quietSpan: String {
    guard let hours = alerts.quietHours else { return "" }
    return ", from \(clock(hours.start)) to \(clock(hours.end)), \(hours.zone.identifier)"
  }

  /// A time of day as `07:05`.
  private func clock(_ time: TimeOfDay) -> String {
    let minutes = time.secondOfDay / 60
    let text = "0\(minutes / 60):0\(minutes % 60)".split(separator: ":")
    return text.map { String($0.suffix(2)) }.joined(separator: ":")
  }

  private var speed: String {
    guard let limit = alerts.maxAlertSpeedMetersPerSecond else { return "" }
    return ", above \(Int((limit * 3.6).rounded())) km/h,"
  }

  private var cooldown: String {
    switch alerts.cooldown {
    case .forever, .none: "It has alerted before, and each story alerts only once."
    case .seconds(let seconds): "It has alerted within the last \(Self.duration(seconds))."
    }
  }

  /// A duration in its largest whole unit, as in “the last 7 days” or “the last hour”.
  private static func duration(_ seconds: Int64) -> String {
    for (unit, length) in [("day", 86_400), ("hour", 3600), ("minute", 60)] as [(String, Int64)]
    where seconds >= length && seconds % length == 0 {
      let count = seconds / length
      return count == 1 ? unit : "\(count) \(unit)s"
    }
    return seconds == 1 ? "second" : "\(seconds) seconds"
  }
}
#endif
