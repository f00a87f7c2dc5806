import FencepostFormats
import FencepostTime

/// What the text of a date leaves open.
///
/// A reader of dates returns an instant as if all were in UTC; this tells what to correct.
struct WrittenDate {
  /// Whether it is a day without a time.
  let isDay: Bool
  /// Whether it says no offset from UTC, so that it follows a local clock.
  let isLocal: Bool

  /// Judges a text that was read as a date.
  init(_ text: Span<UInt8>) {
    if !CSVClock.isCompact(text), let number = CSVNumber.double(parsing: text) {
      // Excel's days are local; other numbers count from 1970 in UTC.
      isLocal = CSVClock.excelDays ~= number
      isDay = isLocal && number == number.rounded(.down)
    } else if let civil = CivilText(text) {
      isDay = civil.timeOfDayMilliseconds == nil
      isLocal = civil.offsetMilliseconds == nil
    } else {
      // A mail date always has a time. Behind it only a zone may stand, such as EST or -0500.
      let clock = (text.firstIndex(of: UInt8(ascii: ":")) ?? 0)..<text.count
      isDay = false
      isLocal = clock.allSatisfy { text[$0] <= UInt8(ascii: ":") && !"+-".utf8.contains(text[$0]) }
    }
  }
}

extension PlaceDraft {
  /// Sets a date to the instant that its text means in a zone.
  ///
  /// `milliseconds` is the time as if the text were in UTC. A day without a time is published at its
  /// beginning and expires at its end.
  mutating func set(_ field: Field, written milliseconds: Int64, in zone: ClockZone) {
    let written = WrittenDate(bytes.span.extracting(range(field)))
    guard written.isLocal else { return set(field, milliseconds: milliseconds) }
    let dayMilliseconds: Int64 = 86_400_000
    var day = Int(milliseconds.dividedDown(by: dayMilliseconds))
    let rest = milliseconds.remainderDown(by: dayMilliseconds)
    if field == .expires, written.isDay { day += 1 }
    let second = zone.milliseconds(
      date: CivilDate(daysSince1970: day), secondOfDay: Int(rest / 1000))
    set(field, milliseconds: second + rest % 1000)
  }
}
