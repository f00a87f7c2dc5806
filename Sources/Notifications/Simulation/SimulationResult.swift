/// What became of all reminders under one strategy.
public struct SimulationResult: Hashable, Sendable {
  /// The strategy.
  public let strategy: ScheduleStrategy
  /// Counts of all occurrences.
  public internal(set) var total = SimulationTally()
  /// Counts by kind, the most important kind first.
  public internal(set) var byKind: [KindTally] = []
  /// One record for each reminder, in the order of the file.
  public internal(set) var reminders: [ReminderRecord] = []
  /// One record for each time a reminder was due, the earliest first.
  public internal(set) var occurrences: [OccurrenceRecord] = []
  /// How many deliveries were not due, or repeated another.
  public internal(set) var extra = 0
  /// How many refreshes took place.
  public internal(set) var refreshes = 0
  /// How many refreshes were missed.
  public internal(set) var missedRefreshes = 0
  /// How many requests had to wait or go, by kind, summed over all plans.
  public internal(set) var evictions: [String: Int] = [:]
  /// Everything the phone did.
  public internal(set) var trace: [PhoneEvent] = []

  /// The share of due occurrences that were shown on time or late.
  public var deliveryRate: DeliveryRate {
    DeliveryRate(arrived: total.onTime + total.late, count: total.due)
  }

  /// The counts of a kind.
  public struct KindTally: Hashable, Sendable {
    /// The kind.
    public let kind: NotificationKind
    /// Its counts.
    public internal(set) var tally = SimulationTally()
  }
}

/// Counts of occurrences; `due` is the sum of the others.
public struct SimulationTally: Hashable, Sendable {
  /// How many were due.
  public internal(set) var due = 0
  /// How many were shown within a minute.
  public internal(set) var onTime = 0
  /// How many were shown later than that.
  public internal(set) var late = 0
  /// How many were never shown, without an error.
  public internal(set) var dropped = 0

  mutating func note(_ fate: OccurrenceRecord.Fate) {
    due += 1
    switch fate {
    case .onTime: onTime += 1
    case .late: late += 1
    case .dropped: dropped += 1
    }
  }
}

/// What became of one time a reminder was due.
public struct OccurrenceRecord: Hashable, Sendable {
  /// Whether it was shown.
  public enum Fate: String, Sendable {
    /// Within a minute.
    case onTime = "on-time"
    /// Later than that.
    case late
    /// Never, without an error.
    case dropped
  }

  /// The reminder's id.
  public let reminderID: String
  /// Its kind.
  public let kind: NotificationKind
  /// The local time on the anchor's clock.
  public let local: LocalTime
  /// When it was due, in milliseconds since 1970.
  public let dueMilliseconds: Int64
  /// When it was shown, in milliseconds since 1970.
  public internal(set) var shownMilliseconds: Int64?
  /// Whether and when it was shown.
  public internal(set) var fate = Fate.dropped
  /// Why.
  public internal(set) var reason = FateReason.notRefreshed
}

/// The reason for the fate of an occurrence or a reminder.
public enum FateReason: String, CaseIterable, Sendable {
  /// It was shown when it was due.
  case shown
  /// The phone saved power.
  case lowPower = "low-power"
  /// The phone held too many requests and dropped it.
  case overflow
  /// Too many fired in that second: the phone did not show it, or it was staggered.
  case sameSecond = "same-second"
  /// The clock was set past its time.
  case zoneChange = "zone-change"
  /// The phone was full and the app left it out.
  case notAdded = "not-added"
  /// It waited for a slot for too long, or an interval began to count only then.
  case stored
  /// No refresh came before it was due.
  case notRefreshed = "not-refreshed"
  /// The phone was replaced, and it was not handed over again.
  case restored
  /// Its time had passed when it was handed over.
  case dead
  /// Its circle is monitored.
  case watched
  /// It was not due within the period.
  case notDue = "not-due"
}

/// What became of one reminder.
public struct ReminderRecord: Hashable, Sendable {
  /// The reminder's id.
  public let id: String
  /// Its kind.
  public let kind: NotificationKind
  /// Counts of its occurrences.
  public internal(set) var tally = SimulationTally()
  /// Why the first of its late or dropped occurrences was not on time; ``FateReason/shown`` without one.
  public internal(set) var reason: FateReason
}
