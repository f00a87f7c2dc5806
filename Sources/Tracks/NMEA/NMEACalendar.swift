import FencepostFixes
import FencepostTime
import FencepostFormats

/// Gives times of day their dates.
///
/// Only RMC and ZDA tell a date. It is carried on to epochs that tell none, over midnight, and back
/// to those that came before the first date: until then fixes are held, at most ``heldLimit``. A date
/// is taken as the receiver told it, also where its week number has rolled over; years of two digits
/// are 1980 to 2079.
struct NMEACalendar {
  /// The most fixes held for want of a date, some 13 MB.
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
  /// The last moment known: a day and the milliseconds since its midnight, or -1.
  private var day: Int32 = 0
  private var timeOfDay: Int32 = -1
  private var heldFixes: [Fix] = []

  /// - Parameter startDay: The day of the first fix, in days since 1970-01-01, where it is known
  ///   from elsewhere.
  init(startDay: Int32?) {
    guard let startDay else { return }
    state = .dated
    day = startDay
  }

  /// Whether a date is known.
  @inline(__always)
  var isDated: Bool { state == .dated }

  /// How many days later than a time of day the next one known falls: -1, 0 or 1.
  ///
  /// Times of day up to an hour back are taken for late ones of the same day, all others for later
  /// ones.
  @inline(__always)
  func days(from earlier: Int32, to later: Int32) -> Int32 {
    let step = later &- earlier
    return step > 23 &* Self.hour ? -1 : step <= -Self.hour ? 1 : 0
  }

  /// The day that a time of day falls on, seen from the last moment known.
  @inline(__always)
  private func day(of other: Int32) -> Int32 {
    timeOfDay < 0 ? day : day &+ days(from: timeOfDay, to: other)
  }

  /// The receiver said that it was this time of this day.
  mutating func told(day newDay: Int32, timeOfDay newTime: Int32, into batch: inout FixBatch) {
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

  /// Once dates are known: gives `fix` the moment that its epoch told.
  @inline(__always)
  mutating func date(_ fix: inout Fix, day newDay: Int32, timeOfDay newTime: Int32) {
    day = newDay
    timeOfDay = newTime
    fix.rawTimeMilliseconds = Int64(newDay) &* Self.millisecondsPerDay &+ Int64(newTime)
  }

  /// Gives `fix` the moment of `timeOfDay`, -1 for none, and appends it or holds it for its date.
  mutating func append(
    _ fix: consuming Fix, timeOfDay newTime: Int32, into batch: inout FixBatch
  ) {
    if newTime >= 0 {
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

  /// Whether fixes are held for want of a date.
  var holdsFixes: Bool { !heldFixes.isEmpty }

  /// Dates what is held by a clock.
  ///
  /// The last time of day known is the one nearest to `now`, in milliseconds since 1970. A date that
  /// the receiver tells later goes before it.
  mutating func assume(nowMilliseconds now: Int64, into batch: inout FixBatch) {
    guard state == .undated, timeOfDay >= 0 else { return }
    let noon = now - Int64(timeOfDay) + Self.millisecondsPerDay / 2
    let (days, rest) = noon.quotientAndRemainder(dividingBy: Self.millisecondsPerDay)
    told(day: Int32(clamping: rest < 0 ? days - 1 : days), timeOfDay: timeOfDay, into: &batch)
  }

  /// No date came: appends what is held without times.
  mutating func finish(into batch: inout FixBatch) {
    for index in heldFixes.indices {
      heldFixes[index].rawTimeMilliseconds = Fix.noTime
    }
    release(into: &batch)
  }

  private mutating func release(into batch: inout FixBatch) {
    for index in heldFixes.indices {
      batch.append(heldFixes[index])
    }
    heldFixes.removeAll()
  }
}

extension NMEACalendar {
  /// Days since 1970-01-01 of a date, nil where there is no such day or GPS had not begun.
  static func day(year: Int, month: Int, dayOfMonth: Int) -> Int32? {
    let date = CivilDate(year: year, month: month, day: dayOfMonth)
    return date.isValid && 1980...9999 ~= year ? Int32(date.daysSince1970) : nil
  }

  /// The day that the digits `ddmmyy` spell, nil where there is no such day.
  static func day(ddmmyy digits: UInt64) -> Int32? {
    let number = Int(EightBytes(bits: digits).number(digits: 6))
    let year = number % 100
    return day(
      year: year < 80 ? 2000 + year : 1900 + year, month: number / 100 % 100,
      dayOfMonth: number / 10_000)
  }
}
