import FencepostAnalysis
import FencepostPhones

extension AnalysisSummary {
  /// When alerts came, how fast the phone moved, and how long it stayed.
  static func breakdownLines(_ totals: AnalysisTotals) -> [String?] {
    let (measures, speed) = (totals.measures, ShownUnits.current.speed)
    return [
      busiest(totals),
      spread("Speed at the alert", measures.alertSpeed, speed.name, per: speed.metersPerSecond),
      spread("Late entries found after", seconds: measures.latenessSeconds),
      spread("Inside a circle", seconds: measures.insideSeconds),
      spread("Inside after the alert", seconds: measures.dwellSeconds),
    ]
  }

  /// In seconds, or in minutes if long.
  private static func spread(_ title: String, seconds: QuantileSketch) -> String? {
    guard let ninetieth = seconds.quantile(0.9) else { return nil }
    return ninetieth < 300
      ? spread(title, seconds, "s", per: 1) : spread(title, seconds, "min", per: 60)
  }

  private static func spread(
    _ title: String, _ sketch: QuantileSketch, _ unit: String, per divisor: Double
  ) -> String? {
    guard let median = sketch.quantile(0.5), let ninetieth = sketch.quantile(0.9) else {
      return nil
    }
    func text(_ value: Double) -> String { ReportNumber.text(value / divisor, decimals: 1) }
    return "\(title): median \(text(median)) \(unit), 90th percentile \(text(ninetieth)) \(unit)"
  }

  /// The hour, weekday and month with the most alerts, the first if several.
  private static func busiest(_ totals: AnalysisTotals) -> String? {
    let hours = totals.alertsByHour.enumerated().map { ($0.element, $0.offset) }
    let weekdays = totals.calendar.weekdays.enumerated().map { ($0.element.alerts, $0.offset) }
    func most(_ counts: [(alerts: Int, index: Int)]) -> (alerts: Int, index: Int)? {
      counts.max { ($0.alerts, $1.index) < ($1.alerts, $0.index) }
    }
    guard let hour = most(hours), hour.alerts > 0, let weekday = most(weekdays),
      let month = totals.calendar.months.max(by: {
        ($0.value.alerts, $1.key) < ($1.value.alerts, $0.key)
      })
    else { return nil }
    let name = Self.weekdayNames[weekday.index]
    return
      "Most alerts: from \(hour.index):00 to \(hour.index):59 (\(ReportNumber.count(hour.alerts))), "
      + "on \(name)s (\(ReportNumber.count(weekday.alerts))), in \(month.key.text) "
      + "(\(ReportNumber.count(month.value.alerts)))"
  }

  private static let weekdayNames = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
}
