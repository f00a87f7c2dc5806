import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostTime
import Foundation
import TestSupport
import Testing

@Suite("Values that apps keep")
struct StoredValuesTests {
  private static let samples = StoredSamples(besides: #filePath)

  private func expectStored<Value: Codable & Equatable>(_ name: String, _ value: Value) throws {
    let sample = try Self.samples.bytes(name) { value }
    #expect(try JSONDecoder().decode(Value.self, from: sample) == value, "\(name)")
    let written = try StoredSamples.json(value)
    #expect(try JSONDecoder().decode(Value.self, from: written) == value, "\(name)")
    // Parts have names; the first samples had numbers. Positions had longer names.
    for former in ["_0", "latitudeDegrees", "longitudeDegrees"] {
      #expect(!String(decoding: written, as: UTF8.self).contains("\"\(former)\""), "\(name)")
    }
  }

  private let zone = ClockZone(identifier: "Europe/Istanbul") ?? .utc
  private let content = NotificationContent(
    title: "Tea", subtitle: "Green", body: "At the usual place.", category: "drink",
    sound: .named("bell.caf"), badge: 3, thread: "tea", interruptionLevel: .timeSensitive,
    userInfo: ["url": "https://example.org/tea"])

  @Test("a request of every kind of trigger is read as it was saved")
  func requests() throws {
    let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    let triggers: [(String, NotificationTrigger)] = [
      ("immediate", .immediate), ("instant", .at(milliseconds: 1_772_643_612_000)),
      (
        "weekly",
        .calendar(try CalendarPattern(weekday: .monday, hour: 8), repeats: true, anchor: .floating)
      ),
      (
        "elsewhere",
        .calendar(
          try CalendarPattern(month: 2, day: 29, hour: 9), repeats: true, anchor: .fixed(zone))
      ),
      ("interval", .interval(try #require(IntervalTrigger(milliseconds: 60_000, repeats: true)))),
      (
        "region",
        .region(try #require(RegionTrigger(center: center, radiusMeters: 100, firesOnExit: true)))
      ),
    ]
    for (name, trigger) in triggers {
      try expectStored(
        "request-" + name,
        NotificationRequest(
          identifier: "drink.1", content: content, trigger: trigger,
          askedMilliseconds: 1_772_643_600_000))
    }
    try expectStored("content-plain", NotificationContent(title: "Tea"))
    try expectStored("content-silent", NotificationContent(title: "Tea", sound: nil))
  }

  @Test("reminders with their kinds are read as they were saved")
  func reminders() throws {
    let time = try #require(TimeOfDay("08:30"))
    let local = try #require(LocalTime("2026-03-05T09:00:15"))
    let schedules: [Reminder.Schedule] = [
      .at([local], anchor: .floating), .weekly([.monday], [time], anchor: .fixed(zone)),
      .repeating(try CalendarPattern(day: 1, hour: 9), anchor: .floating),
      .interval(try #require(IntervalTrigger(milliseconds: 90_000, repeats: false))),
    ]
    let document = ReminderDocument(
      reminders: schedules.enumerated().map { number, schedule in
        Reminder(
          id: "drink.\(number)", content: content, schedule: schedule, skipped: [local])
      },
      kinds: try KindRegistry([
        NotificationKind(name: "drink", prefix: "drink.", priority: 2)
      ]), quotas: ["drink": 10], zone: zone,
      location: Coordinate(latitudeDegrees: 41, longitudeDegrees: 29))
    try expectStored("reminders", document)
    try expectStored(
      "budget",
      NotificationBudget(
        totalLimit: 60, regionLimit: 19, policy: .quotas(["drink": 10]), kinds: document.kinds))
  }

  @Test("the rules and the memory of the alert policy are read as they were saved")
  func alerts() throws {
    let evening = try #require(TimeOfDay("22:00"))
    let quiet = try #require(QuietHours(start: evening, end: .midnight, zone: zone))
    try expectStored(
      "alert-rules",
      AlertOptions(
        quietHours: quiet, maxAlertSpeedMetersPerSecond: 20, cooldown: .days(3),
        sameSecondLimit: 1, spotMeters: 5, pendingSlots: 40))
    try expectStored("alert-rules-forever", AlertOptions(cooldown: .forever))
    try expectStored("alert-memory", Self.memory)
    // What was written at first has no version.
    try expectStored("alert-memory-first", Self.memory)
    var ledger = DeliveryLedger()
    ledger.record(
      .tapped, occurrence: "drink.1",
      kind: NotificationKind(name: "drink", prefix: "drink.", priority: 2))
    try expectStored("deliveries", ledger)
  }

  @Test("the state of story alerts is read as it was saved, and written with lat and lon")
  func storyState() throws {
    let sample = try Self.samples.bytes("story-state")
    let state = try JSONDecoder().decode(StoryState.self, from: sample)
    try expectStored("story-state", state)
    let start = Coordinate(latitudeDegrees: 39.9475, longitudeDegrees: -75.15)
    let fix = PhoneFix(
      coordinate: Coordinate(latitudeDegrees: 39.9495, longitudeDegrees: -75.15),
      timeMilliseconds: 1_772_643_720_000, accuracyMeters: 10, speedMetersPerSecond: 1.5)
    #expect(state.watch.lastFix == fix)
    struct Written: Decodable {
      struct Fetched: Decodable {
        var here: Coordinate
        var stories: [Place]
      }
      var fetched: Fetched
    }
    let fetched = try JSONDecoder().decode(Written.self, from: JSONEncoder().encode(state)).fetched
    #expect(fetched.here == start && fetched.stories.map(\.id) == ["s0", "s1", "s2"])
    var options = StoryWatchOptions()
    options.monitoring.hasTripwire = true
    options.monitoring.limit = 3
    let watch = StoryWatch(
      stories: try PlaceIndex(fetched.stories), options: options, snapshot: state.watch)
    #expect(watch.snapshot == state.watch)
    #expect(watch.regions.map(\.center) == [start] + [0, 1].map { fetched.stories[$0].coordinate })
    #expect(watch.regions[0].radiusMeters == 500)
  }

  /// What a policy remembers that has alerted, delayed an alert, alerted without time, and seen a drive.
  private static var memory: AlertPolicy.State {
    var policy = AlertPolicy(
      options: AlertOptions(maxAlertSpeedMetersPerSecond: 20, sameSecondLimit: 1))
    let times: [(String, Int64?)] = [
      ("bell", 1_772_643_612_000), ("hall", 1_772_643_612_500), ("well", nil),
    ]
    for (number, (place, time)) in times.enumerated() {
      let center = Coordinate(latitudeDegrees: 39.95 + Double(number), longitudeDegrees: -75.16)
      _ = policy.decide([
        AlertEntry(Place(id: place, coordinate: center), timeMilliseconds: time)
      ])
    }
    policy.observe(speedMetersPerSecond: 25, atMilliseconds: 1_772_643_700_000)
    return policy.state
  }

  @Test("a memory of alerts that a newer version wrote is refused with its version")
  func newerMemory() {
    #expect(throws: NewerVersionError.self) {
      try JSONDecoder().decode(AlertPolicy.State.self, from: Data(#"{"version":2}"#.utf8))
    }
  }

  @Test(
    "a memory of alerts that contradicts itself, or would overflow, is refused",
    arguments: [
      #"{"alerted":{"bell":-9223372036854775808},"deliveries":[]}"#,
      #"{"alerted":{},"deliveries":[],"drivingMilliseconds":9223372036854775807}"#,
      #"{"alerted":{},"deliveries":[{"enteredMilliseconds":5,"deliveryMilliseconds":5},"#
        + #"{"enteredMilliseconds":0,"deliveryMilliseconds":0}]}"#,
      #"{"alerted":{}}"#, #"{"version":0.5,"alerted":{},"deliveries":[]}"#, "[]",
    ])
  func refusedMemory(_ json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(AlertPolicy.State.self, from: Data(json.utf8))
    }
  }

  @Test(
    "a value that contradicts itself is refused",
    arguments: [
      #"{"start":"08:00","end":"08:00","zone":"Z"}"#, #"{"start":"8","end":"09:00","zone":"Z"}"#,
      #"{"start":"08:00","end":"09:00","zone":"Nowhere/Else"}"#,
    ])
  func refused(_ json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(QuietHours.self, from: Data(json.utf8))
    }
  }
}
