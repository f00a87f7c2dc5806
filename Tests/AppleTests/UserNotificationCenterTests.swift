import CoreLocation
import FencepostApple
import FencepostGeodesy
import FencepostNotifications
import Foundation
import Testing
import UserNotifications

extension OnePhone {
  @Suite("Apple's notification center")
  @MainActor
  struct UserNotificationCenterTests {
    private let phone = UNUserNotificationCenter.current()
    private let center = UserNotificationCenter { _ in }

    init() {
      SimulatedDevice.current.reset(at: noonDate)
      phone.reset()
    }

    private func calendar(
      _ local: String, anchor: ClockAnchor = .floating
    ) throws -> NotificationRequest {
      let local = try #require(LocalTime(local))
      return NotificationRequest(
        identifier: "entry.1", content: NotificationContent(title: "x"),
        trigger: .calendar(
          CalendarPattern(date: local.date, time: local.time), repeats: false, anchor: anchor))
    }

    private func held() async throws -> UNNotificationRequest {
      try #require(await phone.pendingNotificationRequests().first)
    }

    @Test("reads back every request as it was added")
    func roundTrip() async throws {
      let position = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
      let triggers: [NotificationTrigger] = [
        .at(milliseconds: noon + 60_000), try calendar("2026-03-05T09:00").trigger,
        .calendar(try CalendarPattern(weekday: .monday, hour: 8), repeats: true, anchor: .floating),
        .interval(try #require(IntervalTrigger(milliseconds: 60_000, repeats: true))),
        .interval(try #require(IntervalTrigger(milliseconds: 1500, repeats: false))),
        .region(try #require(RegionTrigger(center: position, radiusMeters: 100))),
        .region(
          try #require(
            RegionTrigger(
              center: position, radiusMeters: 250.5, firesOnEntry: false, firesOnExit: true,
              repeats: true))),
      ]
      let requests = triggers.enumerated().map { number, trigger in
        NotificationRequest(
          identifier: "entry.\(number)",
          content: NotificationContent(
            title: "a", subtitle: "b", body: "c", category: "d",
            sound: number == 0 ? nil : .named("bell.caf"), badge: number, thread: "e",
            interruptionLevel: .passive, userInfo: ["story": "f"]),
          trigger: trigger, askedMilliseconds: noon)
      }
      for request in requests { try await center.add(request) }
      #expect(try await center.pending() == requests)
      try await center.remove(identifiers: ["entry.0", "entry.9"])
      #expect(try await center.pending().count == triggers.count - 1)
    }

    @Test("shows every part of the content")
    func content() async throws {
      let content = NotificationContent(
        title: "a", subtitle: "b", body: "c", category: "d", sound: .named("bell.caf"), badge: 3,
        thread: "e", interruptionLevel: .timeSensitive, userInfo: ["story": "f"])
      try await center.add(
        NotificationRequest(
          identifier: "entry.1", content: content, trigger: .at(milliseconds: noon + 60_000)))
      let shown = try await held().content
      #expect(shown.title == "a" && shown.subtitle == "b" && shown.body == "c")
      #expect(shown.categoryIdentifier == "d" && shown.threadIdentifier == "e")
      #expect(shown.badge?.intValue == 3 && shown.sound?.name?.rawValue == "bell.caf")
      #expect(shown.interruptionLevel == .timeSensitive)
      #expect(shown.userInfo["story"] as? String == "f")
    }

    @Test(
      "is as urgent and as loud as the content says",
      arguments: NotificationContent.InterruptionLevel.allCases)
    func urgency(level: NotificationContent.InterruptionLevel) async throws {
      for sound in [nil, NotificationContent.Sound.standard] {
        let content = NotificationContent(title: "a", sound: sound, interruptionLevel: level)
        try await center.add(
          NotificationRequest(
            identifier: "entry.1", content: content, trigger: .at(milliseconds: noon + 60_000)))
        let shown = try await held().content
        #expect("\(shown.interruptionLevel)" == level.rawValue)
        #expect((shown.sound == nil) == (sound == nil))
        // The icon's number stays as it is.
        #expect(shown.badge == nil)
      }
    }

    @Test("shows an immediate request at once")
    func immediate() async throws {
      try await center.add(
        NotificationRequest(
          identifier: "entry.1", content: NotificationContent(title: "a"), trigger: .immediate))
      #expect(phone.shown.map(\.request.identifier) == ["entry.1"])
    }

    @Test("throws what the system says against a request")
    func refusal() async throws {
      phone.permit(.denied)
      await #expect(throws: UNError.self) {
        try await center.add(try calendar("2026-03-05T09:00"))
      }
      #expect(await center.permissionProblem() == .notificationsDenied)
      phone.permit(.notDetermined)
      #expect(await center.permissionProblem() == .notificationsNotAsked)
      #expect(try await center.requestPermission())
      #expect(await center.permissionProblem() == nil)
    }

    @Test(
      "means the same day whatever calendar the phone uses",
      arguments: [Calendar.Identifier.gregorian, .buddhist, .japanese, .islamicCivil, .hebrew])
    func calendars(identifier: Calendar.Identifier) async throws {
      let istanbul = try #require(ClockZone(identifier: "Europe/Istanbul"))
      // The zone of this machine, with its present offset.
      let own = ClockZone(offsetSeconds: TimeZone.current.secondsFromGMT(for: noonDate))
      for (anchor, zone) in [(ClockAnchor.fixed(istanbul), istanbul), (.floating, own)] {
        let request = try calendar("2026-03-05T09:00", anchor: anchor)
        try await center.add(request)
        let trigger = try #require(try await held().trigger as? UNCalendarNotificationTrigger)
        let next = trigger.nextDate(after: noonDate, on: Calendar(identifier: identifier))
        #expect(
          next.map { .at(Int64($0.timeIntervalSince1970 * 1000)) }
            == request.nextFire(afterMilliseconds: noon, in: zone))
      }
    }

    @Test("goes on with an update despite a request that it cannot read")
    func unreadable() async throws {
      let problems = Problems()
      let scheduler = NotificationScheduler(
        center: UserNotificationCenter { problems.append($0) }, store: MemorySchedulerStore(),
        budget: NotificationBudget(totalLimit: 3)
      ) { .init(nowMilliseconds: noon, zone: .utc) }
      try await scheduler.update { $0.append(timed("entry.1", at: noon + 1000)) }
      // Two unreadable requests, one of this scheduler and one of an unknown owner, and a foreign one.
      let data = Data("{}".utf8)
      for identifier in ["entry.1", "stranger.1", "stranger.2"] {
        let content = UNMutableNotificationContent()
        content.title = identifier
        if identifier != "stranger.2" { content.userInfo["fencepost.request"] = data }
        try await phone.add(
          UNNotificationRequest(
            identifier: identifier, content: content,
            trigger: UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: false)))
      }
      let report = try await scheduler.update { $0.append(timed("entry.2", at: noon + 2000)) }
      #expect(report.added == ["entry.1"])
      #expect(report.plan.waiting.map(\.request.identifier) == ["entry.2"])
      #expect(problems.all.count == 2)
      #expect(
        problems.all.first?.description.hasPrefix("the pending request entry.1 cannot be read: ")
          == true)
      // The scheduler's own request was repaired.
      try await scheduler.refresh()
      #expect(problems.all.count == 3)
    }

    /// What an app adds by the system's own interface.
    private nonisolated func addByHand(
      _ identifier: String, afterHours hours: Double? = nil, onDay day: Int = 0
    ) async throws {
      let content = UNMutableNotificationContent()
      content.title = identifier
      var components = DateComponents(year: 2026, month: 3, day: 5 + day, hour: 9)
      components.calendar = Calendar(identifier: .gregorian)
      let trigger =
        hours.map { UNTimeIntervalNotificationTrigger(timeInterval: $0 * 3600, repeats: false) }
        as UNNotificationTrigger?
        ?? UNCalendarNotificationTrigger(dateMatching: components, repeats: false)
      try await UNUserNotificationCenter.current().add(
        UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
    }

    private func kinds() throws -> KindRegistry {
      try KindRegistry([
        NotificationKind(name: "habit", prefix: "habit.", priority: 0),
        NotificationKind(name: "nudge", prefix: "nudge.", priority: 3),
      ])
    }

    @Test("keeps the soonest of whatever is pending, and leaves it as the app made it")
    func enforce() async throws {
      for day in 0..<27 { try await addByHand("nudge.\(day)", onDay: day) }
      for hour in 1...5 {
        try await addByHand("habit.\(hour)", afterHours: Double(hour))
      }
      try await addByHand("habit.6", onDay: 4)
      let before = await phone.pendingNotificationRequests()
      let plan = try await center.enforce(
        NotificationBudget(totalLimit: 10, kinds: try kinds()), at: noonDate)
      let after = await phone.pendingNotificationRequests()
      #expect(
        after.map(\.identifier).sorted()
          == (1...6).map { "habit.\($0)" } + (0..<4).map { "nudge.\($0)" })
      #expect(after.allSatisfy { request in before.contains { $0 === request } })
      let evicted = Dictionary(grouping: plan.waiting, by: \.kind.name).mapValues(\.count)
      #expect(evicted == ["nudge": 23])
    }

    @Test("ranks the app's own requests with those of the scheduler, and names those that go")
    func enforceLimit() async throws {
      for day in 1...30 { try await addByHand("nudge.\(day)", onDay: day) }
      let scheduler = NotificationScheduler(
        center: center, store: MemorySchedulerStore(),
        budget: NotificationBudget(totalLimit: 32, kinds: try kinds())
      ) { .init(nowMilliseconds: noon, zone: .utc) }
      let habits = (1...7).map { timed("habit.\($0)", at: noon + Int64($0) * 60_000) }
      try await scheduler.update { $0 += habits }
      #expect(await phone.pendingNotificationRequests().count == 32)
      let report = try await scheduler.enforceLimit()
      #expect(report.evicted.map(\.request.identifier) == (26...30).map { "nudge.\($0)" })
      #expect(report.plan.scheduled.map(\.request.identifier) == habits.map(\.identifier))
      #expect(report.plan.waiting.isEmpty)
      #expect(await phone.pendingNotificationRequests().count == 32)
      #expect(try await scheduler.requests().count == 7)
      #expect(try await scheduler.enforceLimit().evicted.isEmpty)
    }

    @Test("counts a stranger's region against both limits")
    func foreignRegion() async throws {
      let region = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 39.95, longitude: -75.16), radius: 100,
        identifier: "stranger")
      try await phone.add(
        UNNotificationRequest(
          identifier: "stranger", content: UNMutableNotificationContent(),
          trigger: UNLocationNotificationTrigger(region: region, repeats: true)))
      let pending = try await center.pending()
      guard case .region(let circle) = pending.first?.trigger else {
        Issue.record("not a region: \(pending)")
        return
      }
      #expect(circle.radiusMeters == 100 && circle.latitudeDegrees == 39.95)
    }

    @Test("says what the phone still shows")
    func delivered() async throws {
      try await center.add(timed("entry.1", at: noon + 1000))
      phone.show("entry.1", at: noonDate.addingTimeInterval(1))
      #expect(try await center.delivered(afterMilliseconds: noon) == ["entry.1"])
      #expect(try await center.delivered(afterMilliseconds: noon + 1000) == [])
    }
  }
}
