import FencepostFormats
import FencepostNotifications
import FencepostTime

/// What the text of a date leaves open.
struct WrittenDate {
  /// Whether it is a day without a time.
  let isDay: Bool
  /// Whether it says no offset from UTC, so that it follows a local clock.
  let isLocal: Bool

  init(_ text: Span<UInt8>) {
    if let number = CSVNumber.double(parsing: text) {
      // Excel's days and 20260304 are local; other numbers count from 1970 in UTC.
      let isExcel = 25569.0..<73051.0 ~= number
      let isDigits = text.count == 8 || (text.count == 14 && CivilText(text)?.day != nil)
      isDay = isExcel ? number == number.rounded(.down) : text.count == 8
      isLocal = isExcel || isDigits
      return
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
      isDay = true
      isLocal = true
      return
    }
    isDay = false
    // A sign after the time, or a name such as Z, UTC or EST; AM and PM are no zones.
    var hasZone = false
    for index in colon..<text.count {
      let (byte, letter) = (text[index], text[index] | 0x20)
      let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
      let isHalf = isLetter && "apm".utf8.contains(letter)
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || (isLetter && !isHalf) {
        hasZone = true
      }
    }
    isLocal = !hasZone
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
    var day = Int((Double(milliseconds) / Double(dayMilliseconds)).rounded(.down))
    let rest = milliseconds - Int64(day) * dayMilliseconds
    if field == .expires, written.isDay { day += 1 }
    let second = zone.milliseconds(
      date: CivilDate(daysSince1970: day), secondOfDay: Int(rest / 1000))
    set(field, milliseconds: second + rest % 1000)
  }
}
