import FencepostFixes
import FencepostTime

/// Adds dates to times of day.
///
/// RMC, ZDA and PTNL,GGK state a date. It applies to later epochs, across midnight, and to earlier
/// ones: fixes before the first date are held, up to ``heldLimit``. The receiver's date is never
/// corrected, even after a week number rollover. Two-digit years mean 1980 to 2079. The times of a
/// log give the date until the receiver states one.
struct NMEACalendar {
  /// About 13 MB.
  static var heldLimit: Int { 1 << 18 }

  private static var millisecondsPerDay: Int64 { 86_400_000 }
  private static var hour: Int32 { 3_600_000 }

  /// January 1, 1980, before which GPS gave no dates.
  static var firstDay: Int { 3652 }

  /// Whether a date is known.
  private enum State {
    /// No date yet; day 0 is that of the first time of day.
    case undated
    case dated
    /// Too many fixes without a date; no more are held.
    case abandoned
  }

  private var state = State.undated
  /// The last known moment: a day, and milliseconds since its midnight.
  private var day: Int32 = 0
  private var timeOfDay: Int32?
  /// Fixes that wait for a date; their days count from an unknown one.
  private var heldFixes: [Fix] = []
  /// Whether the date comes from the log.
  var isStamped = false
  /// Whether fixes with a time of day were given up without a date.
  private(set) var lacksDate = false

  /// Creates a calendar; `startDay` is the date of the first fix in days since 1970, if known.
  init(startDay: Int32?) {
    guard let startDay else { return }
    state = .dated
    day = startDay
  }

  /// Whether a date is known, from whatever source.
  var isDated: Bool { state == .dated }

  /// Whether the log's times give the date, because no better one is known.
  var takesStamps: Bool { !isDated || isStamped }

  var holdsFixes: Bool { !heldFixes.isEmpty }

  /// How many days lie between two successive times of day: −1, 0 or 1.
  ///
  /// A time up to an hour earlier counts as late on the same day; any other is later.
  static func days(from earlier: Int32, to later: Int32) -> Int32 {
    let step = later - earlier
    return step > 23 * hour ? -1 : step <= -hour ? 1 : 0
  }

  /// The day of a time of day, given the last known moment.
  private func day(of other: Int32) -> Int32 {
    timeOfDay.map { day &+ Self.days(from: $0, to: other) } ?? day
  }

  /// Sets the date of a moment, as stated by the receiver, and dates the held fixes.
  mutating func told(day newDay: Int32, timeOfDay newTime: Int32, into batch: inout FixBatch) {
    if state != .dated {
      let shift = Int64(newDay - day(of: newTime)) * Self.millisecondsPerDay
      for index in heldFixes.indices where heldFixes[index].rawTimeMilliseconds != Fix.noTime {
        heldFixes[index].rawTimeMilliseconds += shift
      }
      state = .dated
      release(into: &batch)
    }
    (day, timeOfDay) = (newDay, newTime)
    isStamped = false
  }

  /// Dates a fix and appends it, or holds it until a date is known.
  mutating func append(_ fix: consuming Fix, timeOfDay newTime: Int32?, into batch: inout FixBatch)
  {
    if let newTime {
      (day, timeOfDay) = (day(of: newTime), newTime)
      fix.rawTimeMilliseconds = Int64(day) * Self.millisecondsPerDay + Int64(newTime)
    }
    if state == .dated { return batch.append(fix) }
    heldFixes.append(fix)
    guard state == .abandoned || heldFixes.count > Self.heldLimit else { return }
    state = .abandoned
    finish(into: &batch)
  }

  /// Dates the held fixes by a clock, in milliseconds since 1970.
  ///
  /// Assumes that the last known time of day is the one nearest to `now`. A date stated later by
  /// the receiver takes precedence.
  mutating func assume(nowMilliseconds now: Int64, into batch: inout FixBatch) {
    guard state == .undated, let timeOfDay else { return }
    told(day: Self.day(of: timeOfDay, nearestTo: now), timeOfDay: timeOfDay, into: &batch)
  }

  /// The day on which a time of day is nearest to an instant, in milliseconds since 1970.
  static func day(of timeOfDay: Int32, nearestTo instant: Int64) -> Int32 {
    let noon = instant - Int64(timeOfDay) + millisecondsPerDay / 2
    let (days, rest) = noon.quotientAndRemainder(dividingBy: millisecondsPerDay)
    return Int32(clamping: rest < 0 ? days - 1 : days)
  }

  /// Ends the source without a date: appends the held fixes without times.
  mutating func finish(into batch: inout FixBatch) {
    for index in heldFixes.indices where heldFixes[index].rawTimeMilliseconds != Fix.noTime {
      heldFixes[index].rawTimeMilliseconds = Fix.noTime
      lacksDate = true
    }
    release(into: &batch)
  }

  private mutating func release(into batch: inout FixBatch) {
    batch.fixes += heldFixes
    heldFixes.removeAll()
  }

  /// Days since 1970-01-01 of a date with a year of two digits.
  static func day(shortYear year: Int, month: Int, dayOfMonth: Int) -> Int32? {
    day(year: year < 80 ? 2000 + year : 1900 + year, month: month, dayOfMonth: dayOfMonth)
  }

  /// Days since 1970-01-01; nil if the date is invalid or before GPS began in 1980.
  static func day(year: Int, month: Int, dayOfMonth: Int) -> Int32? {
    let date = CivilDate(year: year, month: month, day: dayOfMonth)
    return date.isValid && 1980...9999 ~= year ? Int32(date.daysSince1970) : nil
  }
}
