extension NotificationTrigger: Codable {
  /// The form that is written, with names.
  private enum Named: Codable {
    case immediate
    case calendar(pattern: CalendarPattern, repeats: Bool, anchor: ClockAnchor)
    case interval(interval: IntervalTrigger)
    case region(region: RegionTrigger)
  }

  /// The form of earlier versions, with `_0` for names.
  private enum Numbered: Codable {
    case calendar(CalendarPattern, repeats: Bool, anchor: ClockAnchor)
    case interval(IntervalTrigger)
    case region(RegionTrigger)
  }

  /// Reads a trigger, also as earlier versions wrote it.
  public init(from decoder: any Decoder) throws {
    switch try? Numbered(from: decoder) {
    case .calendar(let pattern, let repeats, let anchor):
      self = .calendar(pattern, repeats: repeats, anchor: anchor)
    case .interval(let interval): self = .interval(interval)
    case .region(let region): self = .region(region)
    case nil:
      switch try Named(from: decoder) {
      case .immediate: self = .immediate
      case .calendar(let pattern, let repeats, let anchor):
        self = .calendar(pattern, repeats: repeats, anchor: anchor)
      case .interval(let interval): self = .interval(interval)
      case .region(let region): self = .region(region)
      }
    }
  }

  /// Writes the trigger.
  public func encode(to encoder: any Encoder) throws {
    let named: Named =
      switch self {
      case .immediate: .immediate
      case .calendar(let pattern, let repeats, let anchor):
        .calendar(pattern: pattern, repeats: repeats, anchor: anchor)
      case .interval(let interval): .interval(interval: interval)
      case .region(let region): .region(region: region)
      }
    try named.encode(to: encoder)
  }
}

extension ClockAnchor: Codable {
  private enum Named: Codable {
    case floating
    case fixed(zone: ClockZone)
  }

  private enum Numbered: Codable {
    case fixed(ClockZone)
  }

  /// Reads an anchor, also as earlier versions wrote it.
  public init(from decoder: any Decoder) throws {
    if case .fixed(let zone) = try? Numbered(from: decoder) {
      self = .fixed(zone)
      return
    }
    switch try Named(from: decoder) {
    case .floating: self = .floating
    case .fixed(let zone): self = .fixed(zone)
    }
  }

  /// Writes the anchor.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .floating: try Named.floating.encode(to: encoder)
    case .fixed(let zone): try Named.fixed(zone: zone).encode(to: encoder)
    }
  }
}
