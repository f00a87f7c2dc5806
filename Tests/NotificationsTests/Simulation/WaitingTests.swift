import FencepostGeodesy
import FencepostNotifications
import Testing

private func single(
  _ id: String, _ local: String, anchor: ClockAnchor = .floating
) throws -> Reminder {
  Reminder(
    id: id, content: .init(title: id),
    schedule: .at([try #require(LocalTime(local))], anchor: anchor))
}

private func time(_ minute: Int) -> String {
  let (hour, rest) = (minute / 60, minute % 60)
  return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
}

private func run(
  _ reminders: [Reminder], days: Int64 = 3, location: Coordinate? = nil,
  _ strategies: [ScheduleStrategy] = [.budget, .window],
  _ change: (inout ScheduleSimulationOptions) throws -> Void = { _ in }
) throws -> [SimulationResult] {
  // From the midnight before noon of 4 March.
  var options = ScheduleSimulationOptions(
    fromMilliseconds: noon - oneDay / 2, toMilliseconds: noon - oneDay / 2 + days * oneDay)
  try change(&options)
  let document = ReminderDocument(
    reminders: reminders, kinds: try seedKinds(), location: location)
  return ScheduleSimulation(document: document, options: options).run(strategies)
}

@Suite("Reminders of one second")
struct OneSecondTests {
  /// Sixty-one that fill the phone, and six at one time for its last three slots.
  private func crowd(_ first: String, _ second: String) throws -> [Reminder] {
    try (0..<61).map { try single("depletion.\($0 + 100)", "2026-03-04T\(time(60 + $0))") }
      + (0..<3).flatMap { number in
        [
          try single("\(first).\(number)", "2026-03-04T10:00"),
          try single("\(second).\(number)", "2026-03-04T10:00"),
        ]
      }
  }

  @Test("an unknown kind that sorts first never costs a known one its slot")
  func unknownKind() throws {
    for result in try run(try crowd("aaa", "inactivity"), days: 1) {
      let lost = result.occurrences.filter { $0.fate == .dropped }
      #expect(lost.map(\.reminderID) == ["aaa.0", "aaa.1", "aaa.2"])
      #expect(lost.allSatisfy { $0.displacedBy == "inactivity.2" })
      #expect(result.evictions == ["unknown": 3])
    }
  }

  @Test("the more important of one second stay, in whatever order they were given")
  func priority() throws {
    for reminders in [try crowd("inactivity", "habit"), try crowd("habit", "inactivity")] {
      for result in try run(reminders.reversed(), days: 1) {
        let lost = result.occurrences.filter { $0.fate == .dropped }.map(\.reminderID)
        #expect(lost == ["inactivity.0", "inactivity.1", "inactivity.2"])
      }
    }
  }

  @Test("tap rates decide which of one second stay")
  func tapRates() throws {
    var rates = TapRates()
    let kinds = try seedKinds()
    rates.record(kind: kinds.kinds[1], shown: 1000, tapped: 3)
    rates.record(kind: kinds.kinds[2], shown: 1000, tapped: 400)
    let reminders = try crowd("onboarding", "depletion")
    let document = ReminderDocument(reminders: reminders, kinds: kinds, tapRates: rates)
    var options = ScheduleSimulationOptions(
      fromMilliseconds: noon - oneDay / 2, toMilliseconds: noon + oneDay / 2)
    func lost() -> Set<String> {
      let results = ScheduleSimulation(document: document, options: options).run([.budget, .window])
      return Set(
        results.flatMap(\.occurrences).filter { $0.fate == .dropped }.map { $0.kind.name })
    }
    #expect(lost() == ["depletion"])
    options.adaptsPriorities = true
    #expect(lost() == ["onboarding"])
  }
}

@Suite("What waits")
struct WaitingTests {
  @Test("a reminder that waits through many plans counts once, and is named with its displacer")
  func countedOnce() throws {
    let daily = try (0..<64).map { number in
      Reminder(
        id: "inactivity.\(number + 100)", content: .init(title: "tip"),
        schedule: .weekly(
          Set(Weekday.allCases), [try #require(TimeOfDay(time(480 + number)))], anchor: .floating))
    }
    let dentist = try single("habit.dentist", "2026-03-22T15:00")
    let results = try run(daily + [dentist], days: 20, [.budget])
    #expect(results[0].evictions == ["habit": 1])
    #expect(results[0].waits.map(\.reminderID) == ["habit.dentist"])
    #expect(results[0].waits.map(\.displacedBy) == ["inactivity.163"])
    #expect(results[0].waits.allSatisfy { $0.untilMilliseconds == nil })
    let lost = try #require(results[0].firstLost)
    #expect(lost.reminderID == "habit.dentist" && lost.displacedBy == "inactivity.163")
    let byPriority = try run(daily + [dentist], days: 20, [.budget]) {
      $0.policy = .priorityThenFireDate
    }
    #expect(byPriority[0].firstLost?.reminderID != "habit.dentist")
  }

  @Test("what a naive app loses is named with what pushed it out")
  func naive() throws {
    let reminders = try (0..<66).map {
      try single("habit.\(100 + $0)", "2026-03-04T\(time(60 + $0))")
    }
    let result = try run(reminders, days: 1, [.naive])[0]
    let lost = result.occurrences.filter { $0.fate == .dropped }
    #expect(lost.map(\.reminderID) == ["habit.100", "habit.101"])
    #expect(lost.map(\.displacedBy) == ["habit.164", "habit.165"])
    #expect(result.peakCount == 64 && result.peakMilliseconds == noon - oneDay / 2)
  }

  @Test("circles are counted: watched, or left out and named")
  func circles() throws {
    let here = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
    let reminders = try (0..<25).map { number in
      let center = Coordinate(
        latitudeDegrees: 39.95 + Double(number) * 0.01, longitudeDegrees: -75.16)
      return Reminder(
        id: "habit.\(100 + number)", content: .init(title: "x"),
        schedule: .region(try #require(RegionTrigger(center: center, radiusMeters: 100))))
    }
    for result in try run(reminders, location: here, [.naive, .firstCome, .budget]) {
      #expect(result.circles.count == 25 && result.circles.watched == 20)
      let left = result.reminders.filter { $0.reason != .watched }
      #expect(left.map(\.id) == (120..<125).map { "habit.\($0)" })
      #expect(result.strategy != .budget || left.allSatisfy { $0.displacedBy == "habit.119" })
    }
  }
}

@Suite("When an app runs")
struct AppRunsTests {
  /// Sixty-four until 10:03, and eight in the evening of the same day.
  private func busyDay(anchor: ClockAnchor = .floating) throws -> [Reminder] {
    try (0..<64).map {
      try single("habit.\(100 + $0)", "2026-03-04T\(time(540 + $0))", anchor: anchor)
    }
      + (0..<8).map {
        try single("habit.late\($0)", "2026-03-04T\(time(1200 + $0))", anchor: anchor)
      }
  }

  private func lost(
    anchor: ClockAnchor = .floating, _ change: (inout ScheduleSimulationOptions) throws -> Void
  ) throws -> [Int] {
    try run(try busyDay(anchor: anchor)) { try change(&$0) }.map(\.total.dropped)
  }

  @Test("slots freed in the morning serve the evening if the app ran in between")
  func ranInBetween() throws {
    #expect(try lost { _ in } == [8, 8])
    #expect(try lost { $0.refreshTime = TimeOfDay("12:00") } == [0, 0])
    #expect(try lost { $0.refreshTime = TimeOfDay("21:00") } == [8, 8])
    #expect(try lost { $0.launchesMilliseconds = [noon] } == [0, 0])
    #expect(try lost { $0.launchesMilliseconds = [noon + oneDay / 2] } == [8, 8])
    #expect(try lost { $0.dailyLaunches = [try #require(TimeOfDay("19:59"))] } == [0, 0])
    #expect(try lost { $0.openedShare = 1 } == [0, 0])
    // An app that was opened is not one whose refresh was missed.
    #expect(
      try lost {
        $0.missedRefreshShare = 1
        $0.launchesMilliseconds = [noon]
      } == [0, 0])
  }

  @Test("a daily time follows the phone's zone")
  func zone() throws {
    let tokyo = try #require(ClockZone(identifier: "Asia/Tokyo"))
    // Noon in Tokyo is three in the morning in UTC, and nine in the evening is noon.
    for (time, expected) in [("12:00", [8, 8]), ("21:00", [0, 0])] {
      let found = try lost(anchor: .fixed(.utc)) {
        $0.refreshTime = TimeOfDay(time)
        $0.travel = [ZoneChange(timeMilliseconds: noon - oneDay, zone: tokyo)]
      }
      #expect(found == expected)
    }
  }

  @Test("the plan at a time says what is pending and what waits")
  func plan() throws {
    var options = ScheduleSimulationOptions(
      fromMilliseconds: noon - oneDay / 2, toMilliseconds: noon + oneDay)
    options.refreshTime = TimeOfDay("12:00")
    let simulation = ScheduleSimulation(
      document: ReminderDocument(reminders: try busyDay()), options: options)
    let early = simulation.plan(under: .budget, atMilliseconds: noon - oneDay / 4)
    #expect(early.pending.count == 64 && early.plan.waiting.count == 8)
    let late = simulation.plan(under: .window, atMilliseconds: noon + 1000)
    #expect(late.pending.count == 8 && late.plan.waiting.isEmpty)
    #expect(simulation.plan(under: .naive, atMilliseconds: noon).plan.waiting.isEmpty)
  }

  @Test("low power delays every silent notification, and others by chance")
  func silent() throws {
    var reminders = try (0..<40).map { try single("habit.\($0)", "2026-03-04T\(time(540 + $0))") }
    for index in 0..<20 { reminders[index].content.sound = nil }
    let result = try run(reminders, days: 1, [.window]) {
      $0.lowPowerDelay = LowPowerDelay(longestMilliseconds: 900_000, share: 0, seed: 1)
    }[0]
    let delayed = result.occurrences.filter { $0.shownMilliseconds != $0.dueMilliseconds }
    #expect(delayed.count == 20)
    #expect(Set(delayed.map(\.reminderID)) == Set((0..<20).map { "habit.\($0)" }))
  }
}
