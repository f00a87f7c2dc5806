import FencepostMonitoring

extension Reminder.Schedule: Codable {
  /// Reads a schedule.
  public init(from decoder: any Decoder) throws {
    let coded = try CodedCase(from: decoder)
    switch coded.name {
    case "at": self = .at(try coded.part("times"), anchor: try coded.part("anchor", 1))
    case "weekly":
      self = .weekly(
        try coded.part("weekdays"), try coded.part("times", 1), anchor: try coded.part("anchor", 2))
    case "repeating":
      self = .repeating(try coded.part("pattern"), anchor: try coded.part("anchor", 1))
    case "interval": self = .interval(try coded.part("interval"))
    case "region": self = .region(try coded.part("region"))
    default: throw coded.unknown
    }
  }

  /// Writes the schedule.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .at(let times, let anchor):
      try encoder.encode(case: "at", ["times": times, "anchor": anchor])
    case .weekly(let weekdays, let times, let anchor):
      try encoder.encode(
        case: "weekly", ["weekdays": weekdays, "times": times, "anchor": anchor])
    case .repeating(let pattern, let anchor):
      try encoder.encode(case: "repeating", ["pattern": pattern, "anchor": anchor])
    case .interval(let interval): try encoder.encode(case: "interval", ["interval": interval])
    case .region(let region): try encoder.encode(case: "region", ["region": region])
    }
  }
}
