import FencepostTime
import FencepostFormats

/// Adds dates to times of day.
///
/// Only RMC and ZDA state a date. Later epochs without one continue it, also across midnight. Fixes before
/// the first date are held back until it comes, at most ``heldLimit``. A date is taken as received, even
/// after a week rollover; years of two digits are 1980 to 2079.
struct NMEACalendar {
  /// The most fixes held back until a date comes, about 13 MB.
  static var heldLimit: Int { 1 << 18 }

  private static var millisecondsPerDay: Int64 { 86_400_000 }
  private static var hour: Int32 { 3_600_000 }

  private enum State {
    /// There is no date yet; days are counted from that of the first time of day.
    case undated
    /// Days count from 1970-01-01.
    case dated
    /// Too many fixes came without a date; none are held back any more.
    case abandoned
  }

  private var state = State.undated
  /// The last time known: a day and the milliseconds since its midnight.
  private var day: Int32 = 0
  private var timeOfDay: Int32?
  private var heldFixes: [Fix] = []

  /// - Parameter startDay: The day of the first fix in days since 1970-01-01, if known from elsewhere.
  init(startDay: Int32?) {
    guard let startDay else { return }
    state = .dated
    day = startDay
  }

  /// Whether a date is known.
  var isDated: Bool { state == .dated }

  /// How many days a time of day is after the one received before it: -1, 0 or 1.
  ///
  /// A time up to an hour earlier is late on the same day; one still earlier is on the next day.
  func days(from earlier: Int32, to later: Int32) -> Int32 {
    let step = later &- earlier
    return step > 23 &* Self.hour ? -1 : step <= -Self.hour ? 1 : 0
  }

  /// The day of a time of day, given the last time known.
  private func day(of other: Int32) -> Int32 {
    timeOfDay.map { day &+ days(from: $0, to: other) } ?? day
  }

  /// Takes a date that the receiver sent with a time of day.
  mutating func setDate(_ newDay: Int32, timeOfDay newTime: Int32, into batch: inout FixBatch) {
    if state != .dated { startDating(newDay, newTime, into: &batch) }
    day = newDay
    timeOfDay = newTime
  }

  private mutating func startDating(
    _ newDay: Int32, _ newTime: Int32, into batch: inout FixBatch
  ) {
    let shift = Int64(newDay - day(of: newTime)) * Self.millisecondsPerDay
    for index in heldFixes.indices where heldFixes[index].rawTimeMilliseconds != Fix.noTime {
      heldFixes[index].rawTimeMilliseconds += shift
    }
    state = .dated
    release(into: &batch)
  }

  /// Gives a fix the day and time that its epoch stated, once a date is known.
  mutating func date(_ fix: inout Fix, day newDay: Int32, timeOfDay newTime: Int32) {
    day = newDay
    timeOfDay = newTime
    fix.rawTimeMilliseconds = Int64(newDay) &* Self.millisecondsPerDay &+ Int64(newTime)
  }

  /// Gives a fix its time, and appends it or holds it back until a date comes.
  mutating func append(
    _ fix: consuming Fix, timeOfDay newTime: Int32?, into batch: inout FixBatch
  ) {
    if let newTime {
      day = day(of: newTime)
      timeOfDay = newTime
      fix.rawTimeMilliseconds = Int64(day) &* Self.millisecondsPerDay &+ Int64(newTime)
    }
    if state == .dated {
      batch.append(fix)
    } else {
      hold(fix, into: &batch)
    }
  }

  private mutating func hold(_ fix: Fix, into batch: inout FixBatch) {
    heldFixes.append(fix)
    if state == .abandoned || heldFixes.count > Self.heldLimit {
      state = .abandoned
      finish(into: &batch)
    }
  }

  /// Whether fixes are held back until a date comes.
  var holdsFixes: Bool { !heldFixes.isEmpty }

  /// Dates the fixes held back by a clock, in milliseconds since 1970.
  ///
  /// The last time of day is taken as the one nearest to `now`. A later date from the receiver takes
  /// precedence.
  mutating func assume(nowMilliseconds now: Int64, into batch: inout FixBatch) {
    guard state == .undated, let timeOfDay else { return }
    let noon = now - Int64(timeOfDay) + Self.millisecondsPerDay / 2
    let (days, rest) = noon.quotientAndRemainder(dividingBy: Self.millisecondsPerDay)
    setDate(Int32(clamping: rest < 0 ? days - 1 : days), timeOfDay: timeOfDay, into: &batch)
  }

  /// Ends the source: appends the fixes held back, without times.
  mutating func finish(into batch: inout FixBatch) {
    for index in heldFixes.indices {
      heldFixes[index].rawTimeMilliseconds = Fix.noTime
    }
    release(into: &batch)
  }

  private mutating func release(into batch: inout FixBatch) {
    batch.fixes += heldFixes
    heldFixes.removeAll()
  }

  /// Days since 1970-01-01; nil if the date does not exist or is before GPS, 1980.
  static func day(year: Int, month: Int, dayOfMonth: Int) -> Int32? {
    let date = CivilDate(year: year, month: month, day: dayOfMonth)
    return date.isValid && 1980...9999 ~= year ? Int32(date.daysSince1970) : nil
  }
}
