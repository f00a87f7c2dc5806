import FencepostFixes
import FencepostTime

/// Gives times of day their dates.
///
/// Only RMC and ZDA state a date. It is carried on to epochs without one, over midnight, and back to those before the
/// first date: until then fixes are held, at most ``heldLimit``. A date is taken as the receiver stated it, also if
/// its week number has rolled over; years of two digits are 1980 to 2079.
struct NMEACalendar {
  /// The most fixes held until there is a date, some 13 MB.
  static var heldLimit: Int { 1 << 18 }

  private static var millisecondsPerDay: Int64 { 86_400_000 }
  private static var hour: Int32 { 3_600_000 }

  private enum State {
    /// No date yet; days are counted from that of the first time of day.
    case undated
    /// Days count from 1970-01-01.
    case dated
    /// Too many fixes without a date: no more are held.
    case abandoned
  }

  private var state = State.undated
  /// The last moment known: a day, and the milliseconds since its midnight.
  private var day: Int32 = 0
  private var timeOfDay: Int32?
  private var heldFixes: [Fix] = []

  /// - Parameter startDay: The day of the first fix, in days since 1970-01-01, if it is known from elsewhere.
  init(startDay: Int32?) {
    guard let startDay else { return }
    state = .dated
    day = startDay
  }

  /// Whether a date is known.
  var isDated: Bool { state == .dated }

  /// Whether fixes are held until there is a date.
  var holdsFixes: Bool { !heldFixes.isEmpty }

  /// How many days after a time of day the next one known falls: -1, 0 or 1.
  ///
  /// Times of day up to an hour back are late ones of the same day, all others are later ones.
  static func days(from earlier: Int32, to later: Int32) -> Int32 {
    let step = later - earlier
    return step > 23 * hour ? -1 : step <= -hour ? 1 : 0
  }

  /// The day of a time of day, seen from the last moment known.
  private func day(of other: Int32) -> Int32 {
    timeOfDay.map { day &+ Self.days(from: $0, to: other) } ?? day
  }

  /// Sets the day of a moment, as the receiver stated it.
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
  }

  /// Gives a fix the moment of a time of day, and appends it or holds it until there is a date.
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

  /// Dates what is held by a clock.
  ///
  /// The last time of day known is the one nearest to `now`, in milliseconds since 1970. A date that the receiver
  /// states later takes precedence.
  mutating func assume(nowMilliseconds now: Int64, into batch: inout FixBatch) {
    guard state == .undated, let timeOfDay else { return }
    let noon = now - Int64(timeOfDay) + Self.millisecondsPerDay / 2
    let (days, rest) = noon.quotientAndRemainder(dividingBy: Self.millisecondsPerDay)
    told(day: Int32(clamping: rest < 0 ? days - 1 : days), timeOfDay: timeOfDay, into: &batch)
  }

  /// No date came: appends what is held without times.
  mutating func finish(into batch: inout FixBatch) {
    for index in heldFixes.indices { heldFixes[index].rawTimeMilliseconds = Fix.noTime }
    release(into: &batch)
  }

  private mutating func release(into batch: inout FixBatch) {
    batch.fixes += heldFixes
    heldFixes.removeAll()
  }

  /// Days since 1970-01-01 of a date; nil if there is no such day or GPS had not begun.
  static func day(year: Int, month: Int, dayOfMonth: Int) -> Int32? {
    let date = CivilDate(year: year, month: month, day: dayOfMonth)
    return date.isValid && 1980...9999 ~= year ? Int32(date.daysSince1970) : nil
  }
}
