import FencepostTime
import FencepostFormats
import Foundation
import FencepostGeodesy
import FencepostNotifications
import Testing

private func instant(_ text: String) throws -> Int64 {
  try #require(ISO8601.milliseconds(parsing: text))
}

private func pattern(_ text: Substring) throws -> CalendarPattern {
  var parts: [String: Int] = [:]
  for part in text.split(separator: ",") {
    let pair = part.split(separator: "=")
    parts[String(pair[0])] = Int(pair[1])
  }
  return try CalendarPattern(
    month: parts["month"], day: parts["day"],
    weekday: parts["weekday"].flatMap { Weekday(rawValue: $0) }, hour: parts["hour"],
    minute: parts["minute"], second: parts["second"])
}

@Suite("Next fire dates")
struct NextFireTests {
  @Test(
    "agree with a day-by-day reference",
    arguments: (nextFireTable + "\n" + oddZonesTable).split(separator: "\n"))
  func reference(line: Substring) throws {
    let fields = line.split(separator: " ")
    let zone = try #require(ClockZone(identifier: String(fields[0])))
    let next = try pattern(fields[1]).nextMilliseconds(
      after: try instant(String(fields[2])), in: zone)
    #expect(next.map { ISO8601.string(milliseconds: $0) } == String(fields[3]))
  }

  @Test("a weekly time in a skipped hour does not depend on where the search starts")
  func weeklyAcrossGap() throws {
    let zone = try #require(ClockZone(identifier: "America/New_York"))
    let pattern = try CalendarPattern(weekday: .sunday, hour: 2, minute: 30)
    for start in ["2026-03-01T23:00:00Z", "2026-03-07T23:00:00Z"] {
      let next = pattern.nextMilliseconds(after: try instant(start), in: zone)
      #expect(next == (try instant("2026-03-08T07:30:00Z")))
    }
  }

  @Test("a gap of half an hour keeps the minutes too")
  func halfHourGap() throws {
    let zone = try #require(ClockZone(identifier: "Australia/Lord_Howe"))
    let pattern = try CalendarPattern(hour: 2, minute: 15)
    let next = pattern.nextMilliseconds(after: try instant("2026-10-03T12:00:00Z"), in: zone)
    // 03:15 at eleven hours ahead of UTC.
    #expect(next == (try instant("2026-10-03T16:15:00Z")))
  }

  @Test(
    "a gap of two hours moves a time to the first hour that exists",
    arguments: [(1, "2026-03-29T01:30:00Z"), (2, "2026-03-29T01:30:00Z")])
  func twoHourGap(hour: Int, expected: String) throws {
    let zone = try #require(ClockZone(identifier: "Antarctica/Troll"))
    let pattern = try CalendarPattern(hour: hour, minute: 30)
    // 03:30 at two hours ahead of UTC, for both.
    let next = pattern.nextMilliseconds(after: try instant("2026-03-28T12:00:00Z"), in: zone)
    #expect(next == (try instant(expected)))
  }

  @Test("a pattern without an hour matches twice in a repeated hour, and never in a gap")
  func hourlyAcrossChanges() throws {
    let zone = try #require(ClockZone(identifier: "America/New_York"))
    let pattern = try CalendarPattern(minute: 30)
    func following(_ start: String, count: Int) throws -> [String] {
      var now = try instant(start)
      return try (0..<count).map { _ in
        now = try #require(pattern.nextMilliseconds(after: now, in: zone))
        return String(ISO8601.string(milliseconds: now).dropFirst(11))
      }
    }
    #expect(
      try following("2026-11-01T05:00:00Z", count: 3) == ["05:30:00Z", "06:30:00Z", "07:30:00Z"])
    #expect(
      try following("2026-03-08T06:00:00Z", count: 3) == ["06:30:00Z", "07:30:00Z", "08:30:00Z"])
  }

  @Test("a pattern with only a second matches every minute of matching days")
  func everyMinute() throws {
    let zone = try #require(ClockZone(identifier: "Europe/Istanbul"))
    let sundays = try CalendarPattern(weekday: .sunday, second: 5)
    var now = try instant("2026-03-08T12:00:00Z")
    var count = 0
    let end = try instant("2026-03-16T12:00:00Z")
    while let next = sundays.nextMilliseconds(after: now, in: zone), next < end {
      #expect(next > now)
      (now, count) = (next, count + 1)
    }
    // Nine hours remain of one Sunday, and the next one is whole.
    #expect(count == (9 + 24) * 60)
  }

  @Test("a daily time comes once a day even if a zone skips a whole day")
  func dailyAcrossMissingDay() throws {
    let zone = try #require(ClockZone(identifier: "Pacific/Apia"))
    let pattern = try CalendarPattern(hour: 9)
    var now = try instant("2011-12-29T12:00:00Z")
    let found = try (0..<3).map { _ in
      now = try #require(pattern.nextMilliseconds(after: now, in: zone))
      return ISO8601.string(milliseconds: now)
    }
    #expect(
      found == ["2011-12-29T19:00:00Z", "2011-12-30T19:00:00Z", "2011-12-31T19:00:00Z"])
  }

  @Test("a skipped day moves to the next one")
  func missingDay() throws {
    let zone = try #require(ClockZone(identifier: "Pacific/Apia"))
    let pattern = try CalendarPattern(year: 2011, month: 12, day: 30, hour: 9)
    let next = pattern.nextMilliseconds(after: try instant("2011-12-29T12:00:00Z"), in: zone)
    #expect(next == (try instant("2011-12-30T19:00:00Z")))
  }

  @Test("a fixed time follows its own clock and a floating one the phone's")
  func anchors() throws {
    let newYork = try #require(ClockZone(identifier: "America/New_York"))
    let istanbul = try #require(ClockZone(identifier: "Europe/Istanbul"))
    let pattern = try CalendarPattern(hour: 9)
    let now = try instant("2026-03-04T00:00:00Z")
    func next(_ anchor: ClockAnchor) -> NextFire {
      NotificationRequest(
        identifier: "x", content: NotificationContent(title: "x"),
        trigger: .calendar(pattern, repeats: true, anchor: anchor)
      ).nextFire(afterMilliseconds: now, in: newYork)
    }
    #expect(next(.floating) == .at(try instant("2026-03-04T14:00:00Z")))
    #expect(next(.fixed(istanbul)) == .at(try instant("2026-03-04T06:00:00Z")))
  }

  @Test("a pattern with only a minute matches every hour")
  func everyHour() throws {
    let pattern = try CalendarPattern(minute: 15)
    var now = try instant("2026-03-04T10:20:00Z")
    for hour in 11...14 {
      now = try #require(pattern.nextMilliseconds(after: now, in: .utc))
      #expect(now == (try instant("2026-03-04T\(hour):15:00Z")))
    }
  }

  @Test("the instant itself does not count")
  func exclusive() throws {
    let pattern = try CalendarPattern(hour: 9)
    let nine = try instant("2026-03-04T09:00:00Z")
    #expect(pattern.nextMilliseconds(after: nine, in: .utc) == nine + 86_400_000)
    #expect(pattern.nextMilliseconds(after: nine - 1, in: .utc) == nine)
  }

  @Test("a request that fires once is dead when its time has passed")
  func oneShot() throws {
    let content = NotificationContent(title: "x")
    let asked = try instant("2026-03-04T08:00:00Z")
    let once = NotificationRequest(
      identifier: "x", content: content,
      trigger: .calendar(try CalendarPattern(hour: 9), repeats: false, anchor: .floating),
      askedMilliseconds: asked)
    let nine = try instant("2026-03-04T09:00:00Z")
    #expect(once.nextFire(afterMilliseconds: asked, in: .utc) == .at(nine))
    #expect(once.nextFire(afterMilliseconds: nine, in: .utc) == .never)
  }

  @Test("intervals count from when they were asked for")
  func intervals() throws {
    let hourly = try #require(IntervalTrigger(milliseconds: 3_600_000, repeats: true))
    let request = NotificationRequest(
      identifier: "x", content: NotificationContent(title: "x"), trigger: .interval(hourly),
      askedMilliseconds: 1000)
    #expect(request.nextFire(afterMilliseconds: 1000, in: .utc) == .at(3_601_000))
    #expect(request.nextFire(afterMilliseconds: 3_601_000, in: .utc) == .at(7_201_000))
    #expect(request.nextFire(afterMilliseconds: 7_200_999, in: .utc) == .at(7_201_000))
  }

  @Test("an interval that repeats has at least 60 seconds, and every one is positive")
  func intervalLimits() {
    #expect(IntervalTrigger(milliseconds: 59_999, repeats: true) == nil)
    #expect(IntervalTrigger(milliseconds: 60_000, repeats: true) != nil)
    #expect(IntervalTrigger(milliseconds: 1, repeats: false) != nil)
    #expect(IntervalTrigger(milliseconds: 0, repeats: false) == nil)
  }

  @Test("components out of range are refused by name")
  func components() {
    #expect(throws: CalendarPatternError.outOfRange("day", 30, 1...29)) {
      try CalendarPattern(month: 2, day: 30)
    }
    #expect(throws: CalendarPatternError.outOfRange("hour", 24, 0...23)) {
      try CalendarPattern(hour: 24)
    }
    #expect(throws: CalendarPatternError.empty) { try CalendarPattern() }
  }

  @Test(
    "an invalid trigger cannot be decoded",
    arguments: [
      #"{"interval":{"_0":{"milliseconds":59000,"repeats":true}}}"#,
      #"{"interval":{"_0":{"milliseconds":0,"repeats":false}}}"#,
      #"{"calendar":{"_0":{"hour":24},"repeats":false,"anchor":{"floating":{}}}}"#,
      #"{"calendar":{"_0":{},"repeats":false,"anchor":{"floating":{}}}}"#,
      #"{"region":{"_0":{"latitudeDegrees":91,"longitudeDegrees":0,"radiusMeters":1,"firesOnEntry":true,"firesOnExit":false,"repeats":false}}}"#,
      #"{"region":{"_0":{"latitudeDegrees":1,"longitudeDegrees":0,"radiusMeters":1,"firesOnEntry":false,"firesOnExit":false,"repeats":false}}}"#,
    ])
  func undecodable(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(NotificationTrigger.self, from: Data(text.utf8))
    }
  }

  @Test("every trigger survives coding, also at distant instants")
  func coding() throws {
    let center = Coordinate(latitudeDegrees: -89.5, longitudeDegrees: 179.25)
    let triggers: [NotificationTrigger] = [
      .immediate, .at(milliseconds: 400_000_000_000_000), .at(milliseconds: -99_999_999_000_001),
      .calendar(
        try CalendarPattern(month: 2, day: 29, weekday: .friday, second: 7), repeats: true,
        anchor: .fixed(.utc)),
      .interval(try #require(IntervalTrigger(milliseconds: 60_000, repeats: true))),
      .region(
        try #require(
          RegionTrigger(center: center, radiusMeters: 0.5, firesOnEntry: false, firesOnExit: true))),
    ]
    let data = try JSONEncoder().encode(triggers)
    #expect(try JSONDecoder().decode([NotificationTrigger].self, from: data) == triggers)
  }

  @Test("weekday names do not depend on the language")
  func weekdays() {
    #expect(Weekday.allCases.map(\.rawValue) == Array(1...7))
    #expect(Weekday("Mon") == .monday)
    #expect(Weekday("saturday") == .saturday)
    #expect(Weekday("Montag") == nil)
    #expect(Weekday("Paz") == nil)
    #expect(Weekday(daysSince1970: 0) == .thursday)
    #expect(Weekday(daysSince1970: -1) == .wednesday)
  }
}
