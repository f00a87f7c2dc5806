package struct SimulationResult: Hashable, Sendable {
  package let strategy: ScheduleStrategy
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
  package internal(set) var missedRefreshes = 0
  /// The number of times that a request gave its slot or its turn to others, by kind.
  ///
  /// A request that waits through many plans counts once.
  package internal(set) var evictions: [String: Int] = [:]
  /// Each time that a request waited for a slot, sorted by its start.
  package internal(set) var waits: [Wait] = []
  /// The phone on each day of the period; empty unless ``ScheduleSimulation/Options/dayZone`` is set.
  package internal(set) var days: [Day] = []
  /// The counts of circles, which are due only where the phone goes.
  package internal(set) var circles = CircleTally()
  package internal(set) var peakCount = 0
  /// When ``peakCount`` was first reached, in milliseconds since 1970.
  package internal(set) var peakMilliseconds: Int64 = 0
  package internal(set) var trace: [PhoneEvent] = []

  /// The share of occurrences that were shown, on time or late.
  package var deliveryRate: DeliveryRate {
    DeliveryRate(arrived: total.onTime + total.late, count: total.due)
  }

  /// The first occurrence that was never shown; nil if all were.
  package var firstLost: OccurrenceRecord? { occurrences.first { $0.fate == .dropped } }

  /// A notification that was shown unexpectedly.
  package struct Extra: Hashable, Sendable {
    package let reminderID: String
    package let shownMilliseconds: Int64
  }

  /// A time in which a request waited for a slot.
  package struct Wait: Hashable, Sendable {
    package let reminderID: String
    package let identifier: String
    package let fromMilliseconds: Int64
    /// When the phone received it, in milliseconds since 1970; nil if it never did.
    package let untilMilliseconds: Int64?
    /// The reminder with the lowest rank among those that had the slots; nil if others had them.
    package let displacedBy: String?
  }

  /// The phone at the moment of a day when it held most.
  package struct Day: Hashable, Sendable {
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
    package var leftOut: Int { count - watched }
  }

  package struct KindTally: Hashable, Sendable {
    package let kind: NotificationKind
    package internal(set) var tally = SimulationTally()
  }
}

package struct SimulationTally: Hashable, Sendable {
  /// The number due; the sum of the other counts.
  package internal(set) var due = 0
  /// The number shown within a minute.
  package internal(set) var onTime = 0
  /// The number shown later than that.
  package internal(set) var late = 0
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

package struct OccurrenceRecord: Hashable, Sendable {
  package enum Fate: String, Sendable {
    /// Shown within a minute.
    case onTime = "on-time"
    case late
    case dropped
  }

  package let reminderID: String
  package let kind: NotificationKind
  /// The local time on the anchor's clock.
  package let local: LocalTime
  package let dueMilliseconds: Int64
  /// When it was shown, in milliseconds since 1970; nil if never.
  package internal(set) var shownMilliseconds: Int64?
  package internal(set) var fate = Fate.dropped
  package internal(set) var reason = FateReason.notRefreshed
  /// The id of the reminder that took its slot or its second; nil if none did, or if unknown.
  package internal(set) var displacedBy: String?
}

package enum FateReason: String, CaseIterable, Sendable {
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
  case watched
  /// It was not due within the period.
  case notDue = "not-due"
}

package struct ReminderRecord: Hashable, Sendable {
  package let id: String
  package let kind: NotificationKind
  package internal(set) var tally = SimulationTally()
  /// The reason for its first late or dropped occurrence; ``FateReason/shown`` if all were on time.
  package internal(set) var reason: FateReason
  /// What took the slot of a reminder that was never due, such as a circle; nil if nothing did.
  package internal(set) var displacedBy: String?
  package internal(set) var isAtCircle = false
}
