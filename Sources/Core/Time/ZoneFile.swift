/// The offsets of a zone from UTC, as a file of the time zone database (TZif, RFC 9636) has them.
///
/// After the last change in the file, the yearly rule at its end applies, if there is one.
package struct ZoneFile: Hashable, Sendable {
  /// When the offset changes, in seconds since 1970, ascending; ``offsets`` has what applies after.
  private var changes: [Int64] = []
  private var offsets: [Int64] = []
  /// The offset before the first change, in seconds.
  private var first: Int64 = 0
  /// What applies after the last change; nil if the last offset stays.
  private var rule: YearlyRule?

  /// Reads a file; nil if it is damaged, counts leap seconds, or is older than 2005, when times got
  /// 64 bits.
  package init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard let old = reader.head(), old.version >= UInt8(ascii: "2"), reader.skip(old.size(4)),
      let head = reader.head(), head.leaps == 0
    else { return nil }
    for _ in 0..<head.changes {
      guard let time = reader.number(8) else { return nil }
      changes.append(time)
    }
    guard let kinds = reader.bytes(head.changes) else { return nil }
    var seconds: [Int64] = []
    for _ in 0..<head.kinds {
      guard let offset = reader.number(4), reader.skip(2) else { return nil }
      seconds.append(offset)
    }
    guard let start = seconds.first, kinds.allSatisfy({ $0 < seconds.count }),
      zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 }),
      reader.skip(head.letters + head.marks + 1)
    else { return nil }
    first = start
    offsets = kinds.map { seconds[Int($0)] }
    rule = YearlyRule(String(decoding: reader.rest.prefix { $0 != 0x0A }, as: UTF8.self))
  }

  /// The seconds ahead of UTC at a time in seconds since 1970.
  package func offsetSeconds(at seconds: Int64) -> Int64 {
    if let rule, seconds >= changes.last ?? .min { return rule.offsetSeconds(at: seconds) }
    let next = changes.partitioningIndex { $0 > seconds }
    return next == 0 ? first : offsets[next - 1]
  }
}

/// The counts at the beginning of each half of a file.
///
/// The first half has times of 32 bits and is skipped (RFC 9636, section 3).
private struct Head {
  var version: UInt8
  var changes, kinds, letters, leaps, marks: Int

  /// The bytes that follow, where a time has `width`.
  func size(_ width: Int) -> Int {
    changes * (width + 1) + kinds * 6 + letters + leaps * (width + 4) + marks
  }
}

/// A position in the bytes of a file; every read checks that they suffice.
private struct Reader {
  var bytes: [UInt8]
  var index = 0

  var rest: ArraySlice<UInt8> { bytes[index...] }

  mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, count <= bytes.count - index else { return false }
    index += count
    return true
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    let start = index
    return skip(count) ? bytes[start..<index] : nil
  }

  /// A signed number, the highest byte first.
  mutating func number(_ width: Int) -> Int64? {
    guard let digits = bytes(width), let high = digits.first else { return nil }
    return digits.reduce(high > 127 ? -1 : 0) { $0 << 8 | Int64($1) }
  }

  /// The header of a half; nil if it is broken, or counts more than the file can have.
  mutating func head() -> Head? {
    guard bytes(4).map(Array.init) == Array("TZif".utf8), let version = bytes(16)?.first
    else { return nil }
    var counts: [Int] = []
    for _ in 0..<6 {
      guard let count = number(4), count >= 0, count <= bytes.count else { return nil }
      counts.append(Int(count))
    }
    return Head(
      version: version, changes: counts[3], kinds: counts[4], letters: counts[5], leaps: counts[2],
      marks: counts[0] + counts[1])
  }
}

/// Clock changes that recur every year, as in `EST5EDT,M3.2.0,M11.1.0`.
///
/// The last line of a file has them in the form of the variable `TZ` (POSIX), extended by RFC 9636,
/// section 3.3.
private struct YearlyRule: Hashable, Sendable {
  /// A day of each year and a second of it, which may lie outside the day.
  ///
  /// Summer time begins at one and ends at another.
  struct Moment: Hashable, Sendable {
    /// Which day of a year it is.
    enum Day: Hashable, Sendable {
      /// The `week`th such weekday of a month (0 is Sunday); 5 is the last.
      case weekday(month: Int, week: Int, weekday: Int)
      /// The day of the year from 0; if not `countsLeapDay`, from 1 without February 29.
      case ofYear(Int, countsLeapDay: Bool)
    }
    var day: Day
    var second: Int64

    /// In seconds of the local clock since 1970.
    func seconds(in year: Int) -> Int64 { Int64(days(in: year)) * 86_400 + second }

    private func days(in year: Int) -> Int {
      switch day {
      case .ofYear(let number, let countsLeapDay):
        let start = CivilDate(year: year, month: 1, day: 1).daysSince1970
        if countsLeapDay { return start + number }
        return start + number - 1 + (number >= 60 && CivilDate.isLeap(year: year) ? 1 : 0)
      case .weekday(let month, let week, let weekday):
        let first = CivilDate(year: year, month: month, day: 1).daysSince1970
        // 1970-01-01 was a Thursday.
        let toFirst = (weekday - (first + 4) % 7 + 14) % 7
        let day = toFirst + 7 * (week - 1)
        return first + (day < CivilDate.days(inMonth: month, ofYear: year) ? day : day - 7)
      }
    }
  }

  /// Summer time: its offset, and when it begins and ends.
  struct Summer: Hashable, Sendable {
    /// Seconds ahead of UTC.
    var offset: Int64
    var start: Moment
    var end: Moment
  }

  /// Seconds ahead of UTC outside summer time.
  var standard: Int64
  /// Nil if the offset never changes.
  var summer: Summer?

  func offsetSeconds(at seconds: Int64) -> Int64 {
    guard let summer else { return standard }
    let days = (seconds + standard).dividedDown(by: 86_400)
    let year = CivilDate(daysSince1970: Int(days)).year
    let start = summer.start.seconds(in: year) - standard
    let end = summer.end.seconds(in: year) - summer.offset
    let isSummer =
      start < end
      ? seconds >= start && seconds < end : !(seconds >= end && seconds < start)
    return isSummer ? summer.offset : standard
  }

  /// Reads the last line of a file; nil if it has none.
  init?(_ line: String) {
    let parts = line.split(separator: ",", omittingEmptySubsequences: false)
    guard let zones = parts.first else { return nil }
    var rest = zones[...]
    Self.skipName(&rest)
    guard let west = Self.seconds(&rest) else { return nil }
    standard = -west
    guard !rest.isEmpty else { return }
    Self.skipName(&rest)
    let offset = rest.isEmpty ? standard + 3600 : -(Self.seconds(&rest) ?? 0)
    guard parts.count == 3, let start = Moment(parts[1]), let end = Moment(parts[2])
    else { return nil }
    summer = Summer(offset: offset, start: start, end: end)
  }

  private static func skipName(_ text: inout Substring) {
    if text.first == "<" {
      text = text.drop { $0 != ">" }.dropFirst()
    } else {
      text = text.drop { $0.isLetter }
    }
  }

  /// Reads `[+-]hh[:mm[:ss]]`.
  fileprivate static func seconds(_ text: inout Substring) -> Int64? {
    let isNegative = text.first == "-"
    if isNegative || text.first == "+" { text.removeFirst() }
    let clock = text.prefix { $0.isNumber || $0 == ":" }
    text = text.dropFirst(clock.count)
    let numbers = clock.split(separator: ":").map { Int64($0) ?? 0 }
    guard let hours = numbers.first, numbers.count <= 3 else { return nil }
    let padded = numbers + [0, 0]
    let seconds = hours * 3600 + padded[1] * 60 + padded[2]
    return isNegative ? -seconds : seconds
  }
}

extension YearlyRule.Moment {
  /// Reads `M3.2.0`, `J60` or `59`, with `/2:00` or another time behind it.
  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: "/")
    guard let date = parts.first, let mark = date.first else { return nil }
    let numbers = date.drop { $0.isLetter }.split(separator: ".").compactMap { Int($0) }
    switch (mark, numbers.count) {
    case ("M", 3) where (1...12).contains(numbers[0]):
      day = .weekday(month: numbers[0], week: numbers[1], weekday: numbers[2])
    case ("J", 1): day = .ofYear(numbers[0], countsLeapDay: false)
    case (_, 1): day = .ofYear(numbers[0], countsLeapDay: true)
    default: return nil
    }
    var clock = parts.count > 1 ? parts[1] : "2"
    guard let second = YearlyRule.seconds(&clock) else { return nil }
    self.second = second
  }
}
