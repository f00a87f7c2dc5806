public import Analysis
import Monitoring
import Notifications

extension AnalysisSettings {

  /// The rule in a few words: `20 places by center, refreshed after 500 m`.
  public var sentence: String {
    guard let limit = monitoring.limit else { return "every place monitored" }
    let places = ReportNumber.counted(limit, "place")
    guard monitoring.refresh == .fixed else { return "\(places), refreshed adaptively" }
    let meters = ReportNumber.text(monitoring.significantChangeMeters, decimals: 1)
    let rank = monitoring.rank == .center ? "nearest centre" : "nearest edge"
    return "\(places) by \(rank), refreshed after \(meters) m"
  }
}

extension ByteBuffer {
  /// Appends the settings as the first line of an analysis.
  package mutating func append(jsonObject settings: AnalysisSettings) {
    let rule = settings.monitoring
    append("{\"type\":\"settings\",\"version\":1,\"stories\":")
    append(decimal: settings.storyCount)
    append(",\"limit\":")
    append(jsonCount: rule.limit)
    append(",\"refresh\":")
    append(json: rule.refresh.rawValue)
    append(",\"significantChange\":")
    append(rule.significantChangeMeters, decimals: 3)
    append(",\"rank\":")
    append(json: rule.rank.rawValue)
    append(",\"minInterval\":")
    append(decimal: Int(rule.minIntervalMilliseconds))
    append(",\"tripwire\":")
    append(json: rule.hasTripwire)
    append(",\"refreshFloor\":")
    append(rule.refreshFloorMeters, decimals: 3)
    append(",\"initial\":")
    append(json: rule.initial.rawValue)
    append(",\"exitMargin\":")
    append(rule.exitMarginMeters, decimals: 3)
    append(",\"maxGap\":")
    append(jsonCount: rule.maxGapMilliseconds.map { Int($0) })
    append(",\"maxSpeed\":")
    append(rule.maxSpeedMetersPerSecond ?? .nan, decimals: 3)
    append(",\"joinSegments\":")
    append(json: rule.joinsSegments)
    append(fieldsOf: settings.alerts)
    append(",\"timeZone\":")
    append(json: settings.zoneIdentifier)
    append(UInt8(ascii: "}"))
  }

  private mutating func append(fieldsOf alerts: AlertPolicy.Options) {
    append(",\"cooldown\":")
    switch alerts.cooldown {
    case .none: append(json: "none")
    case .forever: append(json: "forever")
    case .seconds(let seconds): append(decimal: Int(seconds))
    }
    append(",\"quietHours\":")
    if let quiet = alerts.quietHours {
      append(json: "\(quiet.start.secondOfDay)-\(quiet.end.secondOfDay) \(quiet.zone.identifier)")
    } else {
      append("null")
    }
    append(",\"maxAlertSpeed\":")
    append(alerts.maxAlertSpeedMetersPerSecond ?? .nan, decimals: 3)
    append(",\"sameSecondLimit\":")
    append(jsonCount: alerts.sameSecondLimit)
    append(",\"pendingSlots\":")
    append(jsonCount: alerts.pendingSlots)
  }

  /// Appends a number, or null where there is none.
  package mutating func append(jsonCount value: Int?) {
    if let value { append(decimal: value) } else { append("null") }
  }

  /// Appends true or false, or null where nobody knows.
  package mutating func append(json value: Bool?) {
    switch value {
    case true: append("true")
    case false: append("false")
    default: append("null")
    }
  }
}
