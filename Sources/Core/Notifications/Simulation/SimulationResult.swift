/// What became of every reminder on a simulated phone under one strategy.
///
/// ``ScheduleSimulation`` makes one per strategy. The reports and pages of schedules read it. All
/// times are in milliseconds since 1970.
package struct SimulationResult: Hashable, Sendable {
  /// The strategy that the app followed.
  package let strategy: ScheduleStrategy
  /// The counts of all occurrences that were due.
  package internal(set) var total = SimulationTally()
  /// The counts by kind, the most important kind first.
  package internal(set) var byKind: [KindTally] = []
  /// One record per reminder, in file order.
  package internal(set) var reminders: [ReminderRecord] = []
  /// One record per occurrence, sorted by time.
  package internal(set) var occurrences: [OccurrenceRecord] = []
  /// The notifications that were not due or repeated another, in order of time.
  package internal(set) var extras: [Extra] = []
  /// The number of ``extras``.
  package var extra: Int { extras.count }
  /// The number of times that the app ran and planned again, apart from missed refreshes.
  package internal(set) var refreshes = 0
  /// The number of daily refreshes that the system did not run.
  package internal(set) var missedRefreshes = 0
  /// The number of times that a request gave its slot or its turn to others, by kind.
  ///
  /// A request that waits through many plans counts once.
  package internal(set) var evictions: [String: Int] = [:]
  /// Each time that a request waited for a slot, sorted by its start.
  package internal(set) var waits: [Wait] = []
  /// The phone on each day of the period; empty without ``ScheduleSimulationOptions/dayZone``.
  package internal(set) var days: [Day] = []
  /// The counts of circles, which are due only where the phone goes.
  package internal(set) var circles = CircleTally()
  /// The largest number of pending requests at a time.
  package internal(set) var peakCount = 0
  /// When ``peakCount`` was first reached, in milliseconds since 1970.
  package internal(set) var peakMilliseconds: Int64 = 0
  /// Everything that happened on the phone, in order of time.
  package internal(set) var trace: [PhoneEvent] = []

  /// The share of occurrences that were shown, on time or late.
  package var deliveryRate: DeliveryRate {
    DeliveryRate(arrived: total.onTime + total.late, count: total.due)
  }

  /// The first occurrence that was never shown; nil if all were.
  package var firstLost: OccurrenceRecord? { occurrences.first { $0.fate == .dropped } }

  /// A notification that was shown unexpectedly.
  ///
  /// No occurrence was due then, or another notification had shown it already.
  package struct Extra: Hashable, Sendable {
    /// The id of its reminder, or the request's own identifier if it has none.
    package let reminderID: String
    /// When it appeared.
    package let shownMilliseconds: Int64
  }

  /// A time in which a request waited for a slot.
  ///
  /// It ends when the phone receives the request. Waiting through many plans counts as one wait.
  package struct Wait: Hashable, Sendable {
    /// The id of the reminder.
    package let reminderID: String
    /// The identifier of the request.
    package let identifier: String
    /// When it began to wait.
    package let fromMilliseconds: Int64
    /// When the phone received it, in milliseconds since 1970; nil if it never did.
    package let untilMilliseconds: Int64?
    /// The reminder with the lowest rank among those that had the slots; nil if others had them.
    package let displacedBy: String?
  }

  /// The phone at the moment of a day when it held most.
  ///
  /// At equal numbers of pending requests, the moment when most requests waited counts.
  package struct Day: Hashable, Sendable {
    /// The moment that is described.
    package let milliseconds: Int64
    /// The number of pending requests by the name of their kind.
    package internal(set) var pendingByKind: [String: Int] = [:]
    /// The number of requests that wait for a slot, by the name of their kind.
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
  ///
  /// A ``Day`` lists them for pages and reports.
  package struct Held: Hashable, Sendable {
    /// The identifier of the request.
    package let identifier: String
    /// The id of its reminder, or the request's own identifier if it has none.
    package let reminderID: String
    /// When it fires next, in milliseconds since 1970; nil for a circle.
    package let fireMilliseconds: Int64?
    /// Whether the request can fire more than once.
    package let repeats: Bool
    /// The reminder with the lowest rank that has a slot instead; nil unless it waits.
    package let displacedBy: String?
  }

  /// What became of the circles at the end of the period.
  ///
  /// A circle is watched if its request is pending then. Whether it fires depends on where the
  /// phone goes, so circles have no occurrences.
  package struct CircleTally: Hashable, Sendable {
    /// The number of reminders at circles.
    package internal(set) var count = 0
    /// The number of circles that the phone watches.
    package internal(set) var watched = 0
    /// The number of circles that have no slot.
    package var leftOut: Int { count - watched }
  }

  /// The counts of one kind of notification.
  ///
  /// Only kinds with an occurrence that was due have one.
  package struct KindTally: Hashable, Sendable {
    /// The kind.
    package let kind: NotificationKind
    /// The counts of its occurrences.
    package internal(set) var tally = SimulationTally()
  }
}

/// How many occurrences were due, and how many of them were shown.
package struct SimulationTally: Hashable, Sendable {
  /// The number due; the sum of the other counts.
  package internal(set) var due = 0
  /// The number shown within a minute.
  package internal(set) var onTime = 0
  /// The number shown later than that.
  package internal(set) var late = 0
  /// The number never shown.
  package internal(set) var dropped = 0

  mutating func note(_ fate: OccurrenceRecord.Fate) {
    due += 1
    switch fate {
    case .onTime: onTime += 1
    case .late: late += 1
    case .dropped: dropped += 1
    }
  }
}

/// One occurrence of a reminder, and what became of it.
///
/// ``SimulationResult/occurrences`` has one for each time at which a reminder was due.
package struct OccurrenceRecord: Hashable, Sendable {
  /// Whether an occurrence was shown, and how late; the raw value is the name in reports.
  package enum Fate: String, Sendable {
    /// Shown within a minute.
    case onTime = "on-time"
    /// Shown more than a minute after it was due.
    case late
    /// Never shown.
    case dropped
  }

  /// The id of the reminder.
  package let reminderID: String
  /// The kind of the reminder.
  package let kind: NotificationKind
  /// The local time on the anchor's clock.
  package let local: LocalTime
  /// When it was due, in milliseconds since 1970.
  package let dueMilliseconds: Int64
  /// When it was shown, in milliseconds since 1970; nil if never.
  package internal(set) var shownMilliseconds: Int64?
  /// Whether and when it was shown.
  package internal(set) var fate = Fate.dropped
  /// Why it was late or lost; ``FateReason/shown`` if it was on time.
  package internal(set) var reason = FateReason.notRefreshed
  /// The id of the reminder that took its slot or its second; nil if none did, or if unknown.
  package internal(set) var displacedBy: String?
}

/// Why a reminder was shown late or not at all; the raw value is the name in reports.
package enum FateReason: String, CaseIterable, Sendable {
  /// It was shown on time.
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
  /// It is at a circle that the phone watches, so it fires where the phone goes.
  case watched
  /// It was not due within the period.
  case notDue = "not-due"
}

/// What became of one reminder over the whole period.
///
/// ``SimulationResult/reminders`` has one for each reminder, also for those that were never due.
package struct ReminderRecord: Hashable, Sendable {
  /// The id of the reminder.
  package let id: String
  /// The kind of the reminder.
  package let kind: NotificationKind
  /// The counts of its occurrences; all 0 for a reminder at a circle.
  package internal(set) var tally = SimulationTally()
  /// The reason for its first late or dropped occurrence; ``FateReason/shown`` if all were on time.
  package internal(set) var reason: FateReason
  /// What took the slot of a reminder that was never due, such as a circle; nil if nothing did.
  package internal(set) var displacedBy: String?
  /// Whether it is due at a circle and not at times.
  package internal(set) var isAtCircle = false
}
