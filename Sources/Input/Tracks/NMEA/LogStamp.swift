import FencepostFormats
import FencepostTime

/// A time that a logger or network wrote before a sentence, with a date.
///
/// It is the `c` of a tag block, `\c:1778751000*5A\`, in any unit, or the first text that is a date
/// and time or a number since 1970: `[2026-05-14 09:30:00.123]`, `<13>1 2026-05-14T09:30:00Z host`,
/// `1778751000.123`. A date without a year does not count, and neither does one in which the day or
/// the month could come first.
struct LogStamp: Sendable {
  /// How much of a line is searched; a tag block has at most 80 bytes.
  static var mostBytes: Int { 96 }
  private static var mostTextBytes: Int { 40 }
  private static var millisecondsPerDay: Int64 { 86_400_000 }
  /// The years 2000 to 2099, in which a number is taken for a time.
  private static let usualTimes: Range<Int64> = 946_684_800_000..<4_102_444_800_000

  /// Milliseconds since 1970 of the logger's clock.
  private let milliseconds: Int64
  /// Whether the clock's zone is known.
  private let isZoned: Bool

  /// Finds the stamp in the text before a sentence, and its place; that of a tag block is empty.
  static func search(_ prefix: Span<UInt8>) -> (stamp: LogStamp, place: Range<Int>)? {
    if let milliseconds = tagTime(prefix) { return (LogStamp(milliseconds: milliseconds), 0..<0) }
    // A tag block that cannot be read says nothing.
    let prefix = prefix.extracting(first: prefix.firstIndex(of: UInt8(ascii: "\\")) ?? prefix.count)
    for start in prefix.indices
    where isDigit(prefix[start]) && (start == 0 || !isWord(prefix[start - 1])) {
      // The longest text that is a time, so that its zone is not lost.
      var end = min(prefix.count, start + mostTextBytes)
      while end >= start + 8 {
        if end == prefix.count || !isWord(prefix[end]),
          let stamp = LogStamp(text: prefix.extracting(start..<end))
        {
          return (stamp, start..<end)
        }
        end -= 1
      }
    }
    return nil
  }

  /// Reads text that is nothing but a stamp.
  init?(text: Span<UInt8>) {
    if text.count >= 10, let number = DecimalNumber.double(parsing: text),
      let time = EpochTime.milliseconds(inAnyUnit: number), Self.usualTimes.contains(time)
    {
      (milliseconds, isZoned) = (time, true)
      return
    }
    guard let civil = CivilText(text), let day = Self.day(civil) else { return nil }
    // Without a time of day, noon is near all of the day.
    let timeOfDay = civil.timeOfDayMilliseconds ?? Self.millisecondsPerDay / 2
    milliseconds =
      Int64(day) * Self.millisecondsPerDay + timeOfDay - (civil.offsetMilliseconds ?? 0)
    isZoned = civil.offsetMilliseconds != nil || civil.timeOfDayMilliseconds == nil
  }

  /// The day of a date, in days since 1970; nil if day and month could be exchanged.
  private static func day(_ civil: CivilText) -> Int32? {
    switch civil.day {
    case .since1970(let day): return day >= NMEACalendar.firstDay ? Int32(clamping: day) : nil
    case .ordered(let first, let second, let year, _):
      let days = [
        NMEACalendar.day(year: year, month: second, dayOfMonth: first),
        NMEACalendar.day(year: year, month: first, dayOfMonth: second),
      ].compactMap(\.self)
      return days.first == days.last ? days.first : nil
    case nil: return nil
    }
  }

  /// The time in a tag block with a right checksum.
  private static func tagTime(_ prefix: Span<UInt8>) -> Int64? {
    let mark = UInt8(ascii: "\\")
    guard let open = prefix.firstIndex(of: mark),
      let close = prefix.firstIndex(of: mark, from: open + 1)
    else { return nil }
    let block = prefix.extracting((open + 1)..<close)
    let end = block.firstIndex(of: UInt8(ascii: "*")) ?? block.count
    var sum: UInt8 = 0
    for index in 0..<end { sum ^= block[index] }
    guard
      end == block.count
        || UInt8(String(utf8: block.extracting((end + 1)..<block.count)), radix: 16) == sum
    else { return nil }
    var start = 0
    while start < end {
      let next = min(end, block.firstIndex(of: UInt8(ascii: ","), from: start) ?? end)
      if next > start + 2, block.extracting(start..<(start + 2)).equals("c:"),
        let number = DecimalNumber.double(parsing: block.extracting((start + 2)..<next)),
        let time = EpochTime.milliseconds(inAnyUnit: number)
      {
        return usualTimes.contains(time) ? time : nil
      }
      start = next + 1
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

  /// Whether a byte is part of a word, inside which no stamp begins or ends.
  private static func isWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte >= 0x80
  }

  /// The day of a time of day in UTC, as days since 1970.
  ///
  /// A clock in an unknown zone may be from 10.5 hours behind UTC to 13.5 hours ahead, which are all
  /// zones but those of a few islands.
  func day(of timeOfDay: Int32) -> Int32 {
    NMEACalendar.day(
      of: timeOfDay, nearestTo: isZoned ? milliseconds : milliseconds - 90 * 60_000)
  }
}

extension LogStamp {
  /// A time in milliseconds since 1970, in UTC.
  init(milliseconds: Int64) { (self.milliseconds, isZoned) = (milliseconds, true) }
}
