import FencepostCOpened
import FencepostNotifications
import FencepostTime

/// A recurrence rule such as `FREQ=WEEKLY;BYDAY=MO,WE` (RFC 5545, section 3.3.10).
struct Recurrence {
  /// The rule as libical follows it, with an end in local time if it has one.
  private let rule: String
  /// The number of times, if libical must not count them.
  private let ownCount: Int?
  private let hasCount: Bool
  /// The days of a month on which a daily rule recurs, negative from its end; empty for all.
  private let monthDays: [Int]

  /// More steps than any sensible rule needs for one period; a rule of seconds needs too many.
  private static let mostSteps = 200_000

  /// Prepares a rule; an end in UTC is converted with the zone of the event's start.
  init(_ rule: String, isDate: Bool, localTime: (Int64) -> LocalTime) {
    var parts = rule.uppercased().split(separator: ";").map { part -> String in
      guard part.hasPrefix("UNTIL="), part.hasSuffix("Z"),
        let utc = CalendarStamp.localTime(part.dropFirst(6).dropLast())
      else { return String(part) }
      let local = localTime(utc.milliseconds(in: .utc))
      return "UNTIL=" + (isDate ? local.basicText.prefix(8) : local.basicText[...])
    }
    func value(_ name: String) -> Substring? {
      parts.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
    }
    hasCount = value("COUNT") != nil
    let days = value("BYMONTHDAY")?.split(separator: ",").compactMap { Int($0) } ?? []
    let isDaily = value("FREQ") == "DAILY"
    if isDaily, days.contains(where: { $0 < 0 }), value("BYSETPOS") == nil {
      // libical 3.0 does not know the last days of a month in daily rules.
      monthDays = days
      ownCount = value("COUNT").flatMap { Int($0) }
      parts.removeAll { $0.hasPrefix("BYMONTHDAY=") || $0.hasPrefix("COUNT=") }
    } else {
      (monthDays, ownCount) = ([], nil)
      let others = ["BYMONTH", "BYYEARDAY", "BYWEEKNO"]
      if value("FREQ") == "YEARLY", !days.isEmpty, others.allSatisfy({ value($0) == nil }) {
        // Without months, libical 3.0 stays in that of the start; RFC 5545 means every month.
        parts.append("BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12")
      }
    }
    self.rule = parts.joined(separator: ";")
  }

  private func isOn(_ date: CivilDate) -> Bool {
    let length = CivilDate.days(inMonth: date.month, ofYear: date.year)
    return monthDays.isEmpty || monthDays.contains { ($0 < 0 ? length + 1 + $0 : $0) == date.day }
  }

  /// The local times at which the rule recurs, from `earliest` through `latest`, sorted.
  ///
  /// The rule counts from the first time of the event, which may last whole days. Returns nil if the
  /// rule is malformed or needs too many steps.
  func times(
    from start: LocalTime, isDate: Bool, earliest: LocalTime, latest: LocalTime
  ) -> [LocalTime]? {
    // libical copies both texts.
    let recurrence = unsafe icalrecurrencetype_from_string(rule)
    guard unsafe recurrence.freq != ICAL_NO_RECURRENCE, start.isOnCalendar else { return nil }
    let first = unsafe icaltime_from_string(Self.text(start, isDate))
    // The iterator is freed below, whatever happens.
    guard let iterator = unsafe icalrecur_iterator_new(recurrence, first) else { return nil }
    defer { unsafe icalrecur_iterator_free(iterator) }
    if !hasCount, start < earliest {
      // A failure leaves the iterator at the first time, from where it is only slower.
      _ = unsafe icalrecur_iterator_set_start(
        iterator, icaltime_from_string(Self.text(earliest, isDate)))
    }
    var times: [LocalTime] = []
    var left = ownCount ?? .max
    for _ in 0..<Self.mostSteps {
      // The iterator is valid until it is freed.
      let next = unsafe icalrecur_iterator_next(iterator)
      guard unsafe icaltime_is_null_time(next) == 0, let time = unsafe LocalTime(next) else {
        return times
      }
      if latest < time || left == 0 { return times }
      guard isOn(time.date) else { continue }
      left -= 1
      if earliest <= time { times.append(time) }
    }
    return nil
  }

  private static func text(_ time: LocalTime, _ isDate: Bool) -> String {
    isDate ? String(time.basicText.prefix(8)) : time.basicText
  }
}

extension LocalTime {
  /// A time of libical; nil if it is not one.
  fileprivate init?(_ time: icaltimetype) {
    // Only numbers are read, not the pointer to the zone.
    let (year, month, day) = unsafe (Int(time.year), Int(time.month), Int(time.day))
    let date = CivilDate(year: year, month: month, day: day)
    guard date.isValid,
      let time = unsafe TimeOfDay(
        hour: Int(time.hour), minute: Int(time.minute), second: min(Int(time.second), 59))
    else { return nil }
    self.init(date: date, time: time)
  }
}
