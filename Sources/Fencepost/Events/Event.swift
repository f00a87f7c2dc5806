/// An event along a track.
public enum Event: Codable, Equatable, Sendable {
  /// The path entered a watched circle.
  case enter(Encounter)
  /// The path left a watched circle.
  case exit(Encounter)
  /// The device stayed inside a watched circle for the dwell time.
  case dwell(Encounter)
  /// An event that caused an alert: an entry, unless another ``AlertTrigger`` is chosen.
  case alert(Encounter, Alert)
  /// An event that the alert rules held back, with the name of the rule.
  case suppressed(Encounter, reason: String)
  /// A reminder fired because its circle was crossed. The encounter has the reminder's id and
  /// title.
  case reminder(Encounter, edge: Edge)
  /// A lookup of the nearest places.
  case refresh(RefreshEvent)
  /// The summary at the end of a track.
  case summary(TrackSummary)

  /// The direction of a crossing.
  public enum Edge: String, Codable, Sendable {
    /// Into the circle.
    case enter
    /// Out of the circle.
    case exit
  }
}

/// The alert of an entry.
public struct Alert: Codable, Equatable, Sendable {
  /// When the notification appears, in milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// The time of the entry, or later if alerts are staggered; nil if the track has no times.
  public var deliveryMilliseconds: Int64?
  /// The ids of the other places at the same position that this alert covers.
  public var group: [String]

  package init(deliveryMilliseconds: Int64?, group: [String] = []) {
    self.deliveryMilliseconds = deliveryMilliseconds
    self.group = group
  }
}

/// The kind of event that can cause an alert, in the order of events at one point of the path.
public enum AlertTrigger: String, CaseIterable, Sendable {
  /// The path entered the circle.
  case enter
  /// The device stayed inside for the dwell time.
  case dwell
  /// The path left the circle.
  case exit

  package var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A set of kinds of events.
public struct EventSelection: OptionSet, Sendable {
  /// One bit per kind.
  public var rawValue: UInt8

  /// Creates a selection from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Alerts.
  public static let alert = EventSelection(rawValue: 1 << 0)
  /// Alerts that the rules held back.
  public static let suppressed = EventSelection(rawValue: 1 << 1)
  /// Entries into circles.
  public static let enter = EventSelection(rawValue: 1 << 2)
  /// Exits from circles.
  public static let exit = EventSelection(rawValue: 1 << 3)
  /// Lookups of the nearest places.
  public static let refresh = EventSelection(rawValue: 1 << 4)
  /// Summaries of tracks.
  public static let summary = EventSelection(rawValue: 1 << 5)

  /// Reminders that fired because their circles were crossed.
  public static let reminder = EventSelection(rawValue: 1 << 6)
  /// Dwells inside circles.
  public static let dwell = EventSelection(rawValue: 1 << 7)

  /// The default kinds of a report.
  public static let standard: EventSelection = [.alert, .suppressed, .summary, .reminder]
  /// Every kind.
  public static let all: EventSelection = [
    .alert, .suppressed, .enter, .exit, .refresh, .summary, .reminder, .dwell,
  ]
  /// The kinds that concern the circle of a place or a reminder.
  package static let encounters: EventSelection = [
    .alert, .suppressed, .enter, .exit, .reminder, .dwell,
  ]

  /// The names of all kinds, in the order of their bits.
  package static let names = [
    "alert", "suppressed", "enter", "exit", "refresh", "summary", "reminder", "dwell",
  ]

  /// Reads names separated by commas; `all` selects every kind.
  package init(parsing list: String) throws(UnknownName) {
    self.init(rawValue: 0)
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.drop { $0 == " " }
      if name == "all" {
        formUnion(.all)
      } else if let index = Self.names.firstIndex(where: { $0 == name }) {
        insert(EventSelection(rawValue: 1 << UInt8(index)))
      } else {
        throw UnknownName(name: String(name))
      }
    }
  }

  /// Whether the selection includes the kind of the event.
  public func includes(_ event: Event) -> Bool {
    switch event {
    case .enter: contains(.enter)
    case .exit: contains(.exit)
    case .dwell: contains(.dwell)
    case .alert: contains(.alert)
    case .suppressed: contains(.suppressed)
    case .refresh: contains(.refresh)
    case .summary: contains(.summary)
    case .reminder: contains(.reminder)
    }
  }

  package struct UnknownName: Error, CustomStringConvertible {
    package var name: String

    /// The error as one sentence that lists the valid names.
    package var description: String {
      "“\(name)” is not an event; choose from \(names.joined(separator: ","))"
    }
  }
}
