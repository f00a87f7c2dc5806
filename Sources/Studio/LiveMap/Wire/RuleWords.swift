import FencepostMonitoring

/// The engine's rule as a sentence for the page.
enum RuleWords {
  /// The sentence, without a full stop.
  static func sentence(_ rule: MonitoringOptions) -> String {
    guard let limit = rule.limit else { return "every place is monitored" }
    let places = limit == 1 ? "the nearest place is" : "the \(limit) nearest places are"
    let edge = rule.rank == .edge || rule.refresh == .adaptive ? " by edge" : ""
    switch rule.refresh {
    case .fixed:
      return "\(places) monitored\(edge), renewed every \(meters(rule.significantChangeMeters))"
    case .adaptive:
      return "\(places) monitored\(edge), renewed before anything can be missed"
    }
  }

  private static func meters(_ value: Double) -> String {
    value < 1000 || value.truncatingRemainder(dividingBy: 100) != 0
      ? "\(Int(value.rounded())) m" : "\((value / 100).rounded() / 10) km"
  }
}
