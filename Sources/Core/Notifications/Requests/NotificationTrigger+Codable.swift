import FencepostMonitoring

extension NotificationTrigger: Codable {
  /// Reads a trigger.
  public init(from decoder: any Decoder) throws {
    let coded = try CodedCase(from: decoder)
    switch coded.name {
    case "immediate": self = .immediate
    case "calendar":
      self = .calendar(
        try coded.part("pattern"), repeats: try coded.part("repeats", 1),
        anchor: try coded.part("anchor", 2))
    case "interval": self = .interval(try coded.part("interval"))
    case "region": self = .region(try coded.part("region"))
    default: throw coded.unknown
    }
  }

  /// Writes the trigger.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .immediate: try encoder.encode(case: "immediate")
    case .calendar(let pattern, let repeats, let anchor):
      try encoder.encode(
        case: "calendar", ["pattern": pattern, "repeats": repeats, "anchor": anchor])
    case .interval(let interval): try encoder.encode(case: "interval", ["interval": interval])
    case .region(let region): try encoder.encode(case: "region", ["region": region])
    }
  }
}

extension ClockAnchor: Codable {
  /// Reads an anchor.
  public init(from decoder: any Decoder) throws {
    let coded = try CodedCase(from: decoder)
    switch coded.name {
    case "floating": self = .floating
    case "fixed": self = .fixed(try coded.part("zone"))
    default: throw coded.unknown
    }
  }

  /// Writes the anchor.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .floating: try encoder.encode(case: "floating")
    case .fixed(let zone): try encoder.encode(case: "fixed", ["zone": zone])
    }
  }
}
