import FencepostTime

/// One time at which a reminder is due.
public struct Occurrence: Hashable, Sendable {
  /// The local time on the anchor's clock.
  public let local: LocalTime
  /// The instant, in milliseconds since 1970.
  public let dueMilliseconds: Int64
}

extension Reminder {
  /// The occurrences strictly between two instants, the soonest first; empty for circles.
  ///
  /// - Parameters:
  ///   - start: The lower bound in milliseconds since 1970.
  ///   - end: The upper bound in milliseconds since 1970.
  ///   - zone: The zone the phone is in.
  ///   - askedMilliseconds: When intervals begin to count.
  /// - Returns: Each instant once, without skipped ones.
  public func occurrences(
    after start: Int64, before end: Int64, in zone: ClockZone, askedMilliseconds: Int64
  ) -> [Occurrence] {
    let due: [Occurrence]
    switch schedule {
    case .at(let times, let anchor):
      let clock = anchor.zone(onDeviceIn: zone)
      due = times.map { Occurrence(local: $0, dueMilliseconds: $0.milliseconds(in: clock)) }
    case .weekly(let weekdays, let times, let anchor):
      let clock = anchor.zone(onDeviceIn: zone)
      due = Self.weekly(weekdays, times, after: start, before: end, in: clock)
    case .repeating(let pattern, let anchor):
      let clock = anchor.zone(onDeviceIn: zone)
      due = Self.list(after: start, before: end, in: clock) {
        pattern.nextMilliseconds(after: $0, in: clock)
      }
    case .interval(let interval):
      due = Self.list(after: start, before: end, in: zone) {
        let next = interval.nextMilliseconds(after: $0, askedMilliseconds: askedMilliseconds)
        return next.flatMap { $0 > start ? $0 : nil }
      }
    case .region:
      due = []
    }
    var seen: Set<Int64> = []
    return due.filter {
      $0.dueMilliseconds > start && $0.dueMilliseconds < end && !skipped.contains($0.local)
        && seen.insert($0.dueMilliseconds).inserted
    }.sorted { $0.dueMilliseconds < $1.dueMilliseconds }
  }

  private static func weekly(
    _ weekdays: Set<Weekday>, _ times: [TimeOfDay], after start: Int64, before end: Int64,
    in clock: ClockZone
  ) -> [Occurrence] {
    let first = clock.local(atMilliseconds: start).daysSince1970 - 1
    let last = clock.local(atMilliseconds: end).daysSince1970 + 1
    var due: [Occurrence] = []
    for day in first...max(first, last) where weekdays.contains(Weekday(daysSince1970: day)) {
      for time in times {
        let local = LocalTime(date: .init(daysSince1970: day), time: time)
        due.append(Occurrence(local: local, dueMilliseconds: local.milliseconds(in: clock)))
      }
    }
    return due
  }

  private static func list(
    after start: Int64, before end: Int64, in zone: ClockZone, next: (Int64) -> Int64?
  ) -> [Occurrence] {
    var due: [Occurrence] = []
    var instant = start
    while let following = next(instant), following > instant, following < end {
      due.append(
        Occurrence(
          local: LocalTime(atMilliseconds: following, in: zone), dueMilliseconds: following))
      instant = following
    }
    return due
  }
}
