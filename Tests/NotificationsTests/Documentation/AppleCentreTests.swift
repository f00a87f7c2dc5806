#if !canImport(UserNotifications)
  import Foundation
  import FencepostGeodesy
  import FencepostNotifications
  import Synchronization
  import Testing

  /// The adapter uses the process's single notification centre.
  @Suite("The tutorial's centre", .serialized)
  struct AppleCentreTests {
    private let phone = UNUserNotificationCenter.current()

    init() {
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

    @Test("reads back every request as it was added")
    func roundTrip() async throws {
      let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)
      let triggers: [NotificationTrigger] = [
        .immediate, .at(milliseconds: noon), try calendar("2026-03-05T09:00").trigger,
        .calendar(try CalendarPattern(weekday: .monday, hour: 8), repeats: true, anchor: .floating),
        .interval(try #require(IntervalTrigger(milliseconds: 60_000, repeats: true))),
        .region(try #require(RegionTrigger(center: center, radiusMeters: 100))),
      ]
      let requests = triggers.enumerated().map { number, trigger in
        NotificationRequest(
          identifier: "entry.\(number)",
          content: NotificationContent(title: "a", subtitle: "b", body: "c", category: "d"),
          trigger: trigger, askedMilliseconds: noon)
      }
      for request in requests { try await AppleCentre().add(request) }
      #expect(try await AppleCentre().pending() == requests)
      try await AppleCentre().remove(identifiers: ["entry.0", "entry.9"])
      #expect(try await AppleCentre().pending().count == 5)
    }

    @Test("makes a sound")
    func sound() async throws {
      try await AppleCentre().add(request("entry.1", at: noon))
      #expect(await phone.pendingNotificationRequests().first?.content.sound != nil)
    }

    @Test(
      "means the same day whatever calendar the phone uses",
      arguments: [Calendar.Identifier.gregorian, .buddhist, .japanese, .islamicCivil, .hebrew])
    func calendars(identifier: Calendar.Identifier) async throws {
      let istanbul = try #require(ClockZone(identifier: "Europe/Istanbul"))
      // The zone of this machine, with its present offset.
      let day = Date(timeIntervalSince1970: Double(noon) / 1000)
      let own = ClockZone(offsetSeconds: TimeZone.current.secondsFromGMT(for: day))
      for (anchor, zone) in [(ClockAnchor.fixed(istanbul), istanbul), (.floating, own)] {
        let request = try calendar("2026-03-05T09:00", anchor: anchor)
        try await AppleCentre().add(request)
        let held = try #require(await phone.pendingNotificationRequests().first)
        let trigger = try #require(held.trigger as? UNCalendarNotificationTrigger)
        let next = trigger.nextDate(after: day, on: Calendar(identifier: identifier))
        #expect(
          next.map { .at(Int64($0.timeIntervalSince1970 * 1000)) }
            == request.nextFire(afterMilliseconds: noon, in: zone))
      }
    }

    @Test("goes on with an update despite a request that it cannot read")
    func unreadable() async throws {
      let reports = Mutex<[String]>([])
      let saved = Mutex<SchedulerState?>(nil)
      let scheduler = NotificationScheduler(
        centre: AppleCentre { text in reports.withLock { $0.append(text) } },
        store: ClosureStore(
          load: { saved.withLock { $0 } }, save: { state in saved.withLock { $0 = state } }),
        budget: NotificationBudget(totalLimit: 3)
      ) { .init(nowMilliseconds: noon, zone: .utc) }
      try await scheduler.update { $0.append(request("entry.1", at: noon + 1000)) }
      // Two unreadable requests, one of this scheduler and one of an unknown owner, and a foreign one.
      for identifier in ["entry.1", "stranger.1", "stranger.2"] {
        let content = UNMutableNotificationContent()
        content.title = identifier
        if identifier != "stranger.2" { content.userInfo["request"] = Data("{}".utf8) }
        try await phone.add(
          UNNotificationRequest(identifier: identifier, content: content, trigger: nil))
      }
      let report = try await scheduler.update { $0.append(request("entry.2", at: noon + 2000)) }
      #expect(report.added == ["entry.1"])
      #expect(report.plan.stored.map(\.request.identifier) == ["entry.2"])
      let sentences = reports.withLock { $0 }
      #expect(sentences.count == 2)
      #expect(sentences.first?.hasPrefix("the pending request entry.1 cannot be read: ") == true)
      // The scheduler's own request was repaired.
      try await scheduler.refresh()
      #expect(reports.withLock { $0.count } == 3)
    }

    @Test("reports what the phone still shows")
    func delivered() async throws {
      try await AppleCentre().add(request("entry.1", at: noon + 1000))
      let start = Date(timeIntervalSince1970: Double(noon) / 1000)
      phone.show("entry.1", at: start.addingTimeInterval(1))
      #expect(try await AppleCentre().delivered(afterMilliseconds: noon) == ["entry.1"])
      #expect(try await AppleCentre().delivered(afterMilliseconds: noon + 1000) == [])
    }
  }
#endif
