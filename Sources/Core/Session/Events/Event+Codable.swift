extension Event {
  /// The form of an event in JSON, with a name for each part.
  ///
  /// The compiler writes its coder. ``Event`` itself has parts without names, which a coder would
  /// number.
  private enum Named: Codable {
    case enter(encounter: Encounter)
    case exit(encounter: Encounter)
    case dwell(encounter: Encounter)
    case alert(encounter: Encounter, alert: Alert)
    case suppressed(encounter: Encounter, reason: String)
    case reminder(encounter: Encounter, edge: Edge)
    case refresh(refresh: RefreshEvent)
    case summary(summary: TrackSummary)
  }

  /// Reads an event.
  public init(from decoder: any Decoder) throws {
    switch try Named(from: decoder) {
    case .enter(let encounter): self = .enter(encounter)
    case .exit(let encounter): self = .exit(encounter)
    case .dwell(let encounter): self = .dwell(encounter)
    case .alert(let encounter, let alert): self = .alert(encounter, alert)
    case .suppressed(let encounter, let reason): self = .suppressed(encounter, reason: reason)
    case .reminder(let encounter, let edge): self = .reminder(encounter, edge: edge)
    case .refresh(let refresh): self = .refresh(refresh)
    case .summary(let summary): self = .summary(summary)
    }
  }

  /// Writes an event.
  public func encode(to encoder: any Encoder) throws {
    let named: Named =
      switch self {
      case .enter(let encounter): .enter(encounter: encounter)
      case .exit(let encounter): .exit(encounter: encounter)
      case .dwell(let encounter): .dwell(encounter: encounter)
      case .alert(let encounter, let alert): .alert(encounter: encounter, alert: alert)
      case .suppressed(let encounter, let reason): .suppressed(encounter: encounter, reason: reason)
      case .reminder(let encounter, let edge): .reminder(encounter: encounter, edge: edge)
      case .refresh(let refresh): .refresh(refresh: refresh)
      case .summary(let summary): .summary(summary: summary)
      }
    try named.encode(to: encoder)
  }
}
