#if Command
public import ArgumentParser
import FencepostLive
public import FencepostNotifications
import FencepostTime
import FoundationEssentials

/// A day or a moment on the command line.
///
/// Days are `2026-11-16`, `16.11.2026`, `16 Nov 2026`, `11/16/2026` if its order is certain,
/// `today`, `yesterday` and `tomorrow`. A time may follow, after a space or a `T`: `17:00`, with an
/// offset as in `17:00+01:00`, or with a zone as in `17:00 Europe/Berlin`. Without either, it
/// follows the clock of `--time-zone`.
struct MomentArgument: ExpressibleByArgument, Sendable {
  /// A day in the calendar, or one by its distance from today.
  ///
  /// A relative day stays relative until a zone is known, as today depends on it.
  private enum Day {
    case date(CivilDate)
    /// Days after today; negative for days before.
    case today(Int)
  }

  private let day: Day
  /// Milliseconds since midnight; nil for a whole day.
  private let timeOfDayMilliseconds: Int64?
  /// The zone or offset that the text names; nil if the time follows the caller's clock.
  private let zone: ClockZone?

  static let today = MomentArgument(day: .today(0))

  private init(day: Day) { (self.day, timeOfDayMilliseconds, zone) = (day, nil, nil) }

  /// Parses a day, with or without a time.
  ///
  /// Fails if the order of day and month is not certain, or if a zone comes without a time.
  init?(argument: String) {
    var (words, zone) = Self.zone(in: argument)
    let relative = ["yesterday": -1, "today": 0, "tomorrow": 1]
    var name = words.prefix { $0.isLetter }
    if name.hasSuffix("T") { name.removeLast() }
    if let days = relative[name.lowercased()] {
      day = .today(days)
      words = words.dropFirst(name.count).drop { $0 == " " || $0 == "T" }
    } else if let date = Self.date(words) {
      day = .date(date)
    } else {
      return nil
    }
    let text = words.isEmpty ? nil : CivilText(Array(words.utf8).span)
    guard let text else {
      guard words.isEmpty, zone == nil else { return nil }
      (timeOfDayMilliseconds, self.zone) = (nil, nil)
      return
    }
    if case .today = day, text.day != nil { return nil }
    if let offset = text.offsetMilliseconds {
      guard zone == nil else { return nil }
      zone = ClockZone(offsetSeconds: Int(offset / 1000))
    }
    guard text.timeOfDayMilliseconds != nil || zone == nil else { return nil }
    (timeOfDayMilliseconds, self.zone) = (text.timeOfDayMilliseconds, zone)
  }

  /// Splits off a zone's name: the last word, or what is in brackets as in RFC 9557.
  private static func zone(in text: String) -> (words: Substring, zone: ClockZone?) {
    let inBrackets = text.hasSuffix("]") ? text.dropLast() : text[...]
    let mark: Character = text.hasSuffix("]") ? "[" : " "
    guard let start = inBrackets.lastIndex(of: mark),
      case let name = inBrackets[inBrackets.index(after: start)...], name.contains("/"),
      let zone = ClockZone(identifier: String(name))
    else { return (text[...], nil) }
    return (inBrackets[..<start], zone)
  }

  /// The day with which a text begins; nil if day and month may be either.
  private static func date(_ text: Substring) -> CivilDate? {
    switch CivilText(Array(text.utf8).span)?.day {
    case .since1970(let days)?: return CivilDate(daysSince1970: days)
    case .ordered(let first, let second, let year, isShortYear: false)?:
      let dates = Set(dates(first, second, year))
      return dates.count == 1 ? dates.first : nil
    case .ordered?, nil: return nil
    }
  }

  /// The valid dates of two numbers, with the month first and with the day first.
  private static func dates(_ first: Int, _ second: Int, _ year: Int) -> [CivilDate] {
    [(first, second), (second, first)]
      .map { CivilDate(year: year, month: $0.0, day: $0.1) }.filter(\.isValid)
  }

  /// Whether the text names a whole day, without a time.
  var isDay: Bool { timeOfDayMilliseconds == nil }

  /// The day in a zone; relative days ask the system's clock.
  func date(in zone: ClockZone) -> CivilDate {
    switch day {
    case .date(let date): return date
    case .today(let days):
      let now = LocalTime(atMilliseconds: SystemTime.epochMilliseconds, in: zone)
      return CivilDate(daysSince1970: now.date.daysSince1970 + days)
    }
  }

  /// The first millisecond since 1970 of a period that begins here.
  func start(in zone: ClockZone) -> Int64 { milliseconds(in: zone, daysLater: 0) }

  /// The first millisecond since 1970 after a period that ends here, which includes a whole day.
  func end(in zone: ClockZone) -> Int64 { milliseconds(in: zone, daysLater: isDay ? 1 : 0) }

  private func milliseconds(in clock: ClockZone, daysLater days: Int) -> Int64 {
    let zone = zone ?? clock
    let date = CivilDate(daysSince1970: date(in: zone).daysSince1970 + days)
    let time = timeOfDayMilliseconds ?? 0
    return zone.milliseconds(date: date, secondOfDay: Int(time / 1000)) + time % 1000
  }

  /// What to write instead of a text that is neither a day nor a time.
  ///
  /// Suggests both readings of an ambiguous date, or a city for an abbreviated zone.
  static func cure(for text: String) -> String {
    let letters = String(text.reversed().prefix { $0.isLetter }.reversed())
    if let cure = ZoneAbbreviation.cure(for: letters) { return cure }
    if case .ordered(let first, let second, let year, _)? = CivilText(Array(text.utf8).span)?.day {
      let dates = dates(first, second, year)
        .map { ISO8601.string(milliseconds: Int64($0.daysSince1970) * 86_400_000).prefix(10) }
      if dates.count == 2 { return "\(text) is ambiguous. Write \(dates[0]) or \(dates[1])." }
    }
    return "Write a day as in 2026-03-04, 4.3.2026 or today, and a time as in 2026-03-04T17:00 or "
      + "2026-03-04T17:00+01:00."
  }
}

/// Names of time zones that people abbreviate, and that mean several zones.
///
/// They are refused, since `IST` for instance is used in India, Ireland and Israel. Messages
/// propose the most usual meaning.
enum ZoneAbbreviation {
  /// Each with a city that uses it and its offset.
  private static let zones = [
    "AEST": ("Australia/Sydney", "+10:00"), "AST": ("America/Halifax", "-04:00"),
    "BST": ("Europe/London", "+01:00"), "CDT": ("America/Chicago", "-05:00"),
    "CEST": ("Europe/Berlin", "+02:00"), "CET": ("Europe/Berlin", "+01:00"),
    "CST": ("America/Chicago", "-06:00"), "EDT": ("America/New_York", "-04:00"),
    "EEST": ("Europe/Helsinki", "+03:00"), "EET": ("Europe/Helsinki", "+02:00"),
    "EST": ("America/New_York", "-05:00"), "IST": ("Asia/Kolkata", "+05:30"),
    "JST": ("Asia/Tokyo", "+09:00"), "MDT": ("America/Denver", "-06:00"),
    "MESZ": ("Europe/Berlin", "+02:00"), "MEZ": ("Europe/Berlin", "+01:00"),
    "MST": ("America/Denver", "-07:00"), "PDT": ("America/Los_Angeles", "-07:00"),
    "PST": ("America/Los_Angeles", "-08:00"), "WET": ("Europe/Lisbon", "+00:00"),
  ]

  /// What to write instead; nil for other words.
  static func cure(for name: String) -> String? {
    zones[name.uppercased()].map { city, offset in
      "\(name.uppercased()) is ambiguous. Use \(city) or \(offset)."
    }
  }
}

/// The clock that days, quiet hours and tables follow.
///
/// Many groups contain it, so that a command has the option once.
struct ClockArguments: ParsableArguments {
  @Option(
    name: .customLong("time-zone"),
    // An offset may begin with a minus, which must not be taken for an option.
    parsing: .unconditional,
    "zone", "Time zone of days, quiet hours and tables: Europe/Berlin, -05:00, or Z for UTC.",
    """
    Default: the zone of the machine. Records such as ndjson and csv are always in UTC. Times \
    in walks that state no zone are read in this one if it is given, and in UTC otherwise.
    """)
  var given: ClockZone?

  /// The given zone, or else the machine's.
  var zone: ClockZone { given ?? .ofMachine }
}

extension ClockZone: ExpressibleByArgument {
  /// Parses a name such as `America/New_York`, or an offset such as `-05:00`.
  public init?(argument: String) { self.init(identifier: argument) }

  /// The name or offset.
  public var defaultValueDescription: String { identifier }

  /// The machine's zone, which `TZ` or else /etc/localtime names; UTC if neither names one.
  static let ofMachine: ClockZone = {
    let localtime = URL(fileURLWithPath: "/etc/localtime").resolvingSymlinksInPath().path
    var name = (Terminal.variable("TZ") ?? localtime)[...]
    if name.first == ":" { name.removeFirst() }
    if let folder = name.firstRange(of: "zoneinfo/") { name = name[folder.upperBound...] }
    if ["UTC", "GMT"].contains(name.split(separator: "/").last) { return .utc }
    return ClockZone(identifier: String(name)) ?? .utc
  }()
}
#endif
