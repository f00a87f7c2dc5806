/// A set of kinds of events.
public struct EventSelection: OptionSet, Sendable {
  /// One bit a kind.
  public var rawValue: UInt8

  /// Makes a selection of its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Enters that passed the notification policy.
  public static let alert = EventSelection(rawValue: 1 << 0)
  /// Enters that the notification policy suppressed.
  public static let suppressed = EventSelection(rawValue: 1 << 1)
  /// Paths that entered a circle.
  public static let enter = EventSelection(rawValue: 1 << 2)
  /// Paths that left a circle.
  public static let exit = EventSelection(rawValue: 1 << 3)
  /// Renewals of the monitored set.
  public static let refresh = EventSelection(rawValue: 1 << 4)
  /// Summaries of tracks.
  public static let summary = EventSelection(rawValue: 1 << 5)

  /// Circles of reminders that fired.
  public static let reminder = EventSelection(rawValue: 1 << 6)
  /// Stays in a circle that lasted.
  public static let dwell = EventSelection(rawValue: 1 << 7)

  /// The default of reports.
  public static let standard: EventSelection = [.alert, .suppressed, .summary, .reminder]
  /// Every kind.
  public static let all: EventSelection = [
    .alert, .suppressed, .enter, .exit, .refresh, .summary, .reminder, .dwell,
  ]
  /// The kinds about the circle of a place or a reminder.
  public static let encounters: EventSelection = [
    .alert, .suppressed, .enter, .exit, .reminder, .dwell,
  ]

  /// The names of the kinds, in the order of the documentation.
  public static let names = [
    "alert", "suppressed", "enter", "exit", "refresh", "summary", "reminder", "dwell",
  ]

  /// Reads names separated by commas; `all` stands for every kind.
  ///
  /// - Throws: ``UnknownName`` for the first unknown or empty name.
  public init(parsing list: String) throws(UnknownName) {
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

  /// Whether the event is of one of these kinds.
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

  /// A name that is no kind of event.
  public struct UnknownName: Error, CustomStringConvertible {
    /// The name as the user wrote it.
    public var name: String

    /// A sentence that says what would be right.
    public var description: String {
      "‘\(name)’ is no kind of event; choose of \(names.joined(separator: ","))"
    }
  }
}
