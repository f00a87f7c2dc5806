extension Reminder.Schedule: Codable {
  /// The form that is written, with names.
  private enum Named: Codable {
    case at(times: [LocalTime], anchor: ClockAnchor)
    case weekly(weekdays: Set<Weekday>, times: [TimeOfDay], anchor: ClockAnchor)
    case repeating(pattern: CalendarPattern, anchor: ClockAnchor)
    case interval(interval: IntervalTrigger)
    case region(region: RegionTrigger)
  }

  /// The form of earlier versions, with `_0` and `_1` for names.
  private enum Numbered: Codable {
    case at([LocalTime], anchor: ClockAnchor)
    case weekly(Set<Weekday>, [TimeOfDay], anchor: ClockAnchor)
    case repeating(CalendarPattern, anchor: ClockAnchor)
    case interval(IntervalTrigger)
    case region(RegionTrigger)
  }

  /// Reads a schedule, also as earlier versions wrote it.
  public init(from decoder: any Decoder) throws {
    switch try? Numbered(from: decoder) {
    case .at(let times, let anchor): self = .at(times, anchor: anchor)
    case .weekly(let weekdays, let times, let anchor):
      self = .weekly(weekdays, times, anchor: anchor)
    case .repeating(let pattern, let anchor): self = .repeating(pattern, anchor: anchor)
    case .interval(let interval): self = .interval(interval)
    case .region(let region): self = .region(region)
    case nil:
      switch try Named(from: decoder) {
      case .at(let times, let anchor): self = .at(times, anchor: anchor)
      case .weekly(let weekdays, let times, let anchor):
        self = .weekly(weekdays, times, anchor: anchor)
      case .repeating(let pattern, let anchor): self = .repeating(pattern, anchor: anchor)
      case .interval(let interval): self = .interval(interval)
      case .region(let region): self = .region(region)
      }
    }
  }

  /// Writes the schedule.
  public func encode(to encoder: any Encoder) throws {
    let named: Named =
      switch self {
      case .at(let times, let anchor): .at(times: times, anchor: anchor)
      case .weekly(let weekdays, let times, let anchor):
        .weekly(weekdays: weekdays, times: times, anchor: anchor)
      case .repeating(let pattern, let anchor): .repeating(pattern: pattern, anchor: anchor)
      case .interval(let interval): .interval(interval: interval)
      case .region(let region): .region(region: region)
      }
    try named.encode(to: encoder)
  }
}
