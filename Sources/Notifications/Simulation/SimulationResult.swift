/// What happened to all reminders under one strategy.
public struct SimulationResult: Hashable, Sendable {
  /// The strategy.
  public let strategy: ScheduleStrategy
  /// The counts of all occurrences.
  public internal(set) var total = SimulationTally()
  /// The counts by kind, the most important kind first.
  public internal(set) var byKind: [KindTally] = []
  /// One record per reminder, in file order.
  public internal(set) var reminders: [ReminderRecord] = []
  /// One record per occurrence, sorted by time.
  public internal(set) var occurrences: [OccurrenceRecord] = []
  /// The number of notifications that were not due or repeated another.
  public internal(set) var extra = 0
  /// The number of times that the app ran and planned again, apart from missed refreshes.
  public internal(set) var refreshes = 0
  /// The number of missed refreshes.
  public internal(set) var missedRefreshes = 0
  /// The number of times that a request gave its slot or its turn to others, by kind.
  ///
  /// A request that waits through many plans counts once.
  public internal(set) var evictions: [String: Int] = [:]
  /// Each time that a request waited for a slot, sorted by its start.
  package internal(set) var waits: [Wait] = []
  /// The phone on each day of the period; empty unless ``ScheduleSimulation/Options/dayZone`` is set.
  package internal(set) var days: [Day] = []
  /// The counts of circles, which are due only where the phone goes.
  package internal(set) var circles = CircleTally()
  /// The largest number of pending requests.
  package internal(set) var peakCount = 0
  /// When ``peakCount`` was first reached, in milliseconds since 1970.
  package internal(set) var peakMilliseconds: Int64 = 0
  /// Everything the phone did.
  public internal(set) var trace: [PhoneEvent] = []

  /// The share of occurrences that were shown, on time or late.
  public var deliveryRate: DeliveryRate {
    DeliveryRate(arrived: total.onTime + total.late, count: total.due)
  }

  /// The first occurrence that was never shown; nil if all were.
  package var firstLost: OccurrenceRecord? { occurrences.first { $0.fate == .dropped } }

  /// A time in which a request waited for a slot.
  package struct Wait: Hashable, Sendable {
    package let reminderID: String
    package let identifier: String
    /// In milliseconds since 1970.
    package let fromMilliseconds: Int64
    /// When the phone received it, in milliseconds since 1970; nil if it never did.
    package let untilMilliseconds: Int64?
    /// The reminder with the lowest rank among those that had the slots; nil if others had them.
    package let displacedBy: String?
  }

  /// The phone at the moment of a day when it held most.
  package struct Day: Hashable, Sendable {
    /// In milliseconds since 1970.
    package let milliseconds: Int64
    /// The counts of pending and of waiting requests by kind.
    package internal(set) var pendingByKind: [String: Int] = [:]
    package internal(set) var waitingByKind: [String: Int] = [:]
    /// The soonest pending requests, circles first.
    package internal(set) var pending: [Held] = []
    /// The first waiting requests in the order of their ranks.
    package internal(set) var waiting: [Held] = []

    /// The most requests that each list names; the counts include all.
    package static let mostNamed = 64

    var counts: (pending: Int, waiting: Int) {
      (pendingByKind.values.reduce(0, +), waitingByKind.values.reduce(0, +))
    }
  }

  /// A request that a phone or a waiting list holds.
  package struct Held: Hashable, Sendable {
    package let identifier: String
    package let reminderID: String
    /// When it fires next, in milliseconds since 1970; nil for a circle.
    package let fireMilliseconds: Int64?
    package let repeats: Bool
    /// The reminder with the lowest rank that has a slot instead; nil unless it waits.
    package let displacedBy: String?
  }

  /// What became of the circles at the end of the period.
  package struct CircleTally: Hashable, Sendable {
    package internal(set) var count = 0
    package internal(set) var watched = 0
    /// The number that wait for a slot or were lost.
    package var leftOut: Int { count - watched }
  }

  /// The counts of a kind.
  public struct KindTally: Hashable, Sendable {
    /// The kind.
    public let kind: NotificationKind
    /// The counts.
    public internal(set) var tally = SimulationTally()
  }
}

/// Counts of occurrences.
public struct SimulationTally: Hashable, Sendable {
  /// The number due; the sum of the other counts.
  public internal(set) var due = 0
  /// The number shown within a minute.
  public internal(set) var onTime = 0
  /// The number shown later than that.
  public internal(set) var late = 0
  /// The number never shown.
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

/// What happened to one occurrence of a reminder.
public struct OccurrenceRecord: Hashable, Sendable {
  /// Whether the occurrence was shown.
  public enum Fate: String, Sendable {
    /// Shown within a minute.
    case onTime = "on-time"
    /// Shown later than that.
    case late
    /// Never shown.
    case dropped
  }

  /// The id of the reminder.
  public let reminderID: String
  /// The kind of the reminder.
  public let kind: NotificationKind
  /// The local time on the anchor's clock.
  public let local: LocalTime
  /// When it was due, in milliseconds since 1970.
  public let dueMilliseconds: Int64
  /// When it was shown, in milliseconds since 1970; nil if never.
  public internal(set) var shownMilliseconds: Int64?
  /// Whether it was shown in time.
  public internal(set) var fate = Fate.dropped
  /// The reason.
  public internal(set) var reason = FateReason.notRefreshed
  /// The id of the reminder that took its slot or its second; nil if none did, or if unknown.
  package internal(set) var displacedBy: String?
}

/// The reason for the fate of an occurrence or a reminder.
public enum FateReason: String, CaseIterable, Sendable {
  /// Shown when it was due.
  case shown
  /// The phone was saving power.
  case lowPower = "low-power"
  /// The phone held too many requests and dropped it.
  case overflow
  /// Too many fired in that second, so it was not shown or was staggered.
  case sameSecond = "same-second"
  /// The clock was set past its time.
  case zoneChange = "zone-change"
  /// The phone was full, and the app left it out.
  case notAdded = "not-added"
  /// It waited too long for a slot, or an interval started to count only then.
  case stored
  /// No refresh came before it was due.
  case notRefreshed = "not-refreshed"
  /// The phone was replaced, and the request was not added again.
  case restored
  /// Its time had passed when it was added.
  case dead
  /// Its circle is watched.
  case watched
  /// It was not due within the period.
  case notDue = "not-due"
}

/// What happened to one reminder.
public struct ReminderRecord: Hashable, Sendable {
  /// The id of the reminder.
  public let id: String
  /// The kind of the reminder.
  public let kind: NotificationKind
  /// The counts of its occurrences.
  public internal(set) var tally = SimulationTally()
  /// The reason for its first late or dropped occurrence; ``FateReason/shown`` if all were on time.
  public internal(set) var reason: FateReason
  /// What took the slot of a reminder that was never due, such as a circle; nil if nothing did.
  package internal(set) var displacedBy: String?
  /// Whether the reminder is at a circle.
  package internal(set) var isAtCircle = false
}
