import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostPhones

// Writes the breakdowns of an analysis as JSON, and reads back those of tracks.
extension OutputBuffer {
  /// Appends the speed of an entry and the times of entry and exit, if known.
  mutating func members(ofStayOf entry: EntryRecord) {
    if let speed = entry.speedMetersPerSecond { member("speed", speed, decimals: 2) }
    if let entered = entry.enteredMilliseconds, entered != entry.timeMilliseconds {
      member("entered", jsonTime: entered)
    }
    if let left = entry.leftMilliseconds { member("left", jsonTime: left) }
  }

  mutating func members(ofMeasuresOf account: TrackAccount) {
    if account.fixesOutside > 0 { member("fixesOutside", account.fixesOutside) }
    members(of: account.measures)
  }

  /// Appends measures as sums, for merging.
  mutating func members(of measures: EntryMeasures) {
    member("alertSpeedBins", measures.alertSpeed)
    member("latenessBins", measures.latenessSeconds)
    member("insideBins", measures.insideSeconds)
    member("dwellBins", measures.dwellSeconds)
  }

  /// Appends a calendar as sums: alerts and days for each weekday and month.
  mutating func members(of calendar: AlertCalendar) {
    array("weekdays", calendar.weekdays) {
      $0.appendArray([$1.alerts, $1.trackDays]) { $0.append(decimal: $1) }
    }
    array("months", calendar.months.sorted { $0.key < $1.key }) {
      $0.appendArray([$1.key.year, $1.key.month, $1.value.alerts, $1.value.trackDays]) {
        $0.append(decimal: $1)
      }
    }
  }

  /// Appends the breakdowns of all alerts, and the distributions.
  mutating func members(ofBreakdownsIn totals: AnalysisTotals, _ stories: [Story]) {
    if totals.fixesOutside > 0 { member("fixesOutside", totals.fixesOutside) }
    let calendar = totals.calendar
    array("alertsByWeekday", calendar.weekdays) { $0.append(decimal: $1.alerts) }
    array("trackDaysByWeekday", calendar.weekdays) { $0.append(decimal: $1.trackDays) }
    let months = calendar.months.sorted { $0.key < $1.key }
    object("alertsByMonth") {
      for (month, count) in months { $0.member(named: month.text, count.alerts) }
    }
    object("trackDaysByMonth") {
      for (month, count) in months { $0.member(named: month.text, count.trackDays) }
    }
    let categories = totals.alertsByCategory(of: stories)
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    object("alertsByCategory") {
      for (category, alerts) in categories { $0.member(named: category, alerts) }
    }
    let measures = totals.measures
    member("alertSpeed", spread: measures.alertSpeed)
    member("lateness", spread: measures.latenessSeconds)
    member("inside", spread: measures.insideSeconds)
    member("dwell", spread: measures.dwellSeconds)
  }

  /// Appends a distribution: count, median, 90th percentile and bins.
  private mutating func member(_ key: StaticString, spread sketch: QuantileSketch) {
    let kept = sketch.kept
    object(key) {
      $0.member("count", sketch.count)
      $0.member("median", sketch.quantile(0.5), decimals: 2)
      $0.member("p90", sketch.quantile(0.9), decimals: 2)
      $0.member("first", kept.first)
      $0.array("counts", kept.bins) { $0.append(decimal: $1) }
    }
  }

  /// Appends which fixes count, unless all do.
  mutating func members(ofSelectionIn settings: AnalysisSettings) {
    let selection = settings.selection
    if let from = selection.fromMilliseconds { member("from", jsonTime: from) }
    if let to = selection.toMilliseconds { member("to", jsonTime: to) }
    if let box = selection.box {
      array("bbox", [box.westDegrees, box.southDegrees, box.eastDegrees, box.northDegrees]) {
        $0.append($1, decimals: 7)
      }
    }
  }
}

extension TrackAccount {
  /// Reads the measures, which earlier versions did not write.
  mutating func readMeasures(_ node: JSONNode) throws(JSONPathError) {
    fixesOutside = try node.optionalMember("fixesOutside")?.integer() ?? 0
    measures = try EntryMeasures(node)
  }
}

extension EntryMeasures {
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    if let bins = try node.optionalMember("alertSpeedBins") {
      alertSpeed = try QuantileSketch(bins)
    }
    if let bins = try node.optionalMember("latenessBins") {
      latenessSeconds = try QuantileSketch(bins)
    }
    if let bins = try node.optionalMember("insideBins") {
      insideSeconds = try QuantileSketch(bins)
    }
    if let bins = try node.optionalMember("dwellBins") {
      dwellSeconds = try QuantileSketch(bins)
    }
  }
}

extension AlertCalendar {
  mutating func add(_ node: JSONNode) throws(JSONPathError) {
    for (weekday, count) in try node.member("weekdays").elements().prefix(7).enumerated() {
      let numbers = try count.integers(count: 2)
      add(Count(alerts: numbers[0], trackDays: numbers[1]), weekday: weekday)
    }
    for month in try node.member("months").elements() {
      let numbers = try month.integers(count: 4)
      add(
        Count(alerts: numbers[2], trackDays: numbers[3]),
        month: Month(year: numbers[0], month: numbers[1]))
    }
  }
}

extension AlertCalendar.Month {
  /// The month in ISO 8601, such as `2026-03`.
  package var text: String {
    let digits = String(year)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "-"
      + (month < 10 ? "0" : "") + String(month)
  }
}

extension AnalysisSummary {
  /// When alerts came, how fast the phone moved, and how long it stayed.
  static func breakdownLines(_ totals: AnalysisTotals) -> [String] {
    let (measures, speed) = (totals.measures, ShownUnits.current.speed)
    return [
      busiest(totals),
      spread("Speed at the alert", measures.alertSpeed, speed.name, per: speed.metersPerSecond),
      spread("Late entries found after", seconds: measures.latenessSeconds),
      spread("Inside a circle", seconds: measures.insideSeconds),
      spread("Inside after the alert", seconds: measures.dwellSeconds),
    ].compactMap { $0 }
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
