import BackgroundTasks
import CoreLocation
import FencepostApple
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import Foundation
import Synchronization
import TestSupport
import Testing
import UserNotifications

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The listings of the pages are the files in `Pages`, which are compiled here as they stand.

extension OnePhone {
  @Suite("The pages for readers of the articles")
  @MainActor
  struct ArticlePageTests {
    private let device = SimulatedDevice.current
    private let center = UNUserNotificationCenter.current()
    private let tasks = BGTaskScheduler.shared

    init() {
      var behavior = SimulatedDevice.Behavior()
      behavior.significantChangeScatterMeters = 0
      // The pages use the system's clock.
      device.reset(at: Date(), behavior: behavior)
      center.reset()
      tasks.reset(permitted: ["com.example.reminders.refresh"])
    }

    private func pending() async -> [String] {
      await center.pendingNotificationRequests().map(\.identifier)
    }

    @Test(
      "show the code that was compiled, at most 60 lines of it",
      arguments: ["KeepWithin64", "SevenDayWindow", "Overflow", "StoriesNearMe", "Habits"])
    func listing(page: String) throws {
      let text = try String(
        contentsOf: Document.project.appendingPathComponent(
          "Sources/Faces/Apple/Documentation.docc/\(page).md"), encoding: .utf8)
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Pages/\(page).swift")
      let code = try String(contentsOf: file, encoding: .utf8)
      #expect(DocumentedSamples.shown(in: text) == [code])
      #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 60)
    }

    @Test("keep within 64, whoever added what is pending")
    func budget() async throws {
      for day in 1...40 {
        let content = UNMutableNotificationContent()
        try await center.add(
          UNNotificationRequest(
            identifier: "inactivity.\(day)", content: content,
            trigger: UNTimeIntervalNotificationTrigger(
              timeInterval: Double(day) * 86_400, repeats: false)))
      }
      try await scheduleNotifications(try NotificationBudgetManager(maxNotifications: 30))
      let left = await pending()
      // Today's may be over.
      #expect(left.count == 30 && left.count { $0.hasPrefix("habit.") } >= 12)
      #expect(left.contains("inactivity.1") && !left.contains("inactivity.40"))
      let quotas = try NotificationBudgetManager(
        maxNotifications: 10, policy: .quotas(["inactivity": 9]))
      let evictions = try await quotas.enforceLimit()
      #expect(await pending().count { $0.hasPrefix("habit.") } == 1)
      #expect(evictions.values.reduce(0, +) == 20)
    }

    @Test("plan seven days, at launch, each day and on a new phone")
    func window() async throws {
      let folder = try ScratchFolder()
      let support = folder.url.appendingPathComponent("Library/Application Support")
      let utc = try #require(TimeZone(identifier: "UTC"))
      let start = Date()
      func reminder(_ id: String, hours: Double) -> Reminder {
        Reminder(
          id: id, content: NotificationContent(title: id),
          at: start.addingTimeInterval(hours * 3600))
      }
      let soon = reminder("meeting.soon", hours: 3 / 3600)
      let device = device
      let scheduler = try ReminderScheduler(folder: support, home: utc) { device.now }
      scheduler.reminders = [
        reminder("pill.1", hours: 24), reminder("meeting.1", hours: 48),
        reminder("meeting.2", hours: 48), reminder("meeting.3", hours: 48),
        reminder("meeting.far", hours: 24 * 8), soon,
      ]
      let refresh = scheduler.startRefresh()
      try await scheduler.launch(caches: folder.url)
      #expect(await pending().count == 5 && tasks.pending != nil)
      // Three of one second: one of them was moved.
      let seconds = await center.pendingNotificationRequests().compactMap {
        ($0.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate()
      }
      #expect(Set(seconds).count == 4)
      let zones = await center.pendingNotificationRequests().map {
        ($0.trigger as? UNCalendarNotificationTrigger)?.dateComponents.timeZone != nil
      }
      #expect(zones.count { $0 } == 1)
      try await scheduler.skip("meeting.1", on: start.addingTimeInterval(48 * 3600))
      #expect(await pending().count == 4)
      device.follow([fix(0, 0, at: start.addingTimeInterval(4))])
      #expect(try await refresh.receive(["fencepost": "refresh"]))
      let shown = try #require(scheduler.lastShown.first)
      #expect(shown.hasPrefix("meeting.soon@"))
      scheduler.answer(shown, wasSeen: false)
      #expect(scheduler.delivery.entries.values.map(\.outcome) == [.missed])
      #expect(scheduler.delivery.rate().gate() == .failed)
      // The state comes from a backup, and nothing else.
      center.reset()
      tasks.terminate()
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("reminders.phone"))
      let restored = try ReminderScheduler(folder: support, home: utc)
      restored.reminders = scheduler.reminders
      try await restored.launch(caches: folder.url)
      #expect(await pending().count == 3)
    }

    @Test("keep what does not fit, and the newest of two snoozes")
    func overflow() async throws {
      defer { UserDefaults.standard.removeObject(forKey: "reminders") }
      UserDefaults.standard.removeObject(forKey: "reminders")
      let now = Date()
      let tasks = (1...20).map { number in
        TaskItem(
          id: "t\(number)", title: "Task \(number)",
          dates: (1...5).map { now.addingTimeInterval(Double(number * 100 + $0) * 3600) })
      }
      let reminders = TaskReminders()
      let scheduled = Task { try await reminders.reschedule(tasks) }
      try await reminders.reschedule(tasks)
      try await scheduled.value
      #expect(await pending().count == 64)
      #expect(try await reminders.requests().count == 100)
      for minutes in [10.0, 20] {
        try await reminders.snooze(
          "reminder.t1.0", until: now.addingTimeInterval(minutes * 60), of: tasks)
      }
      // The next launch.
      let next = TaskReminders()
      try await next.reschedule(Array(tasks.dropLast()))
      let requests = try await next.requests()
      #expect(requests.count == 96)
      let snoozed = try #require(requests.first { $0.isSnoozed })
      #expect(snoozed.trigger == .at(now.addingTimeInterval(20 * 60)))
      try await next.reschedule(Array(tasks.dropFirst()))
      #expect(try await next.requests().count == 95)
    }

    @Test("alert at stories of a server, and not where the app says no")
    func stories() async throws {
      let folder = try ScratchFolder()
      let support = folder.url.appendingPathComponent("Library/Application Support")
      let answers = Mutex<[(Int, [Place])]>([])
      var server = StoryServer()
      server.load = { url in
        let (status, places) = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        let response = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        guard let response else { throw URLError(.badURL) }
        return (try JSONEncoder().encode(places), response)
      }
      var (loud, muted) = (story("loud", east: 600), story("muted", east: 600))
      (loud.category, muted.category) = ("history", "sports")
      answers.withLock { $0 = [(500, []), (200, [loud, muted])] }
      var app: StoriesNearMe?
      device.launch = {
        MainActor.assumeIsolated {
          app = StoriesNearMe(folder: support, server: server) { $0.category == "sports" }
        }
      }
      device.open()
      let start = Date()
      func walk(east: Double, second: Double) async {
        let place = point(east: east)
        device.follow([
          fix(
            place.latitudeDegrees, place.longitudeDegrees, at: start.addingTimeInterval(second))
        ])
        await app?.alerts.finishHandover()
      }
      await walk(east: -600, second: 1)
      #expect(app?.alerts.watch.stories.places.isEmpty == true)
      await walk(east: 0, second: 400)
      #expect(app?.alerts.watch.stories.places.count == 2)
      // The next launch knows them without the server.
      device.terminate()
      answers.withLock { $0 = [(500, [])] }
      await walk(east: 600, second: 800)
      #expect(center.shown.map(\.request.content.title) == ["LOUD"])
      #expect(app?.alerts.watch.stories.places.count == 2)
    }

    @Test("repeat habits on weekdays in any language, and delete them")
    func habits() async throws {
      let folder = try ScratchFolder()
      var notifications = HabitNotifications(folder: folder.url)
      var habit = Habit(weekDays: ["mon", "wed", "fri"])
      habit.timestamps = [Date(), Date().addingTimeInterval(3600)]
      try await notifications.createNotifications(for: habit)
      let triggers = await center.pendingNotificationRequests().compactMap {
        $0.trigger as? UNCalendarNotificationTrigger
      }
      #expect(triggers.count == 6 && triggers.allSatisfy(\.repeats))
      #expect(Set(triggers.compactMap(\.dateComponents.weekday)) == [2, 4, 6])
      notifications.calendar.locale = Locale(identifier: "fr_FR")
      habit.weekDays = ["mardi", "jeu"]
      try await notifications.createNotifications(for: habit)
      #expect(await pending().count == 4)
      habit.weekDays = ["mardi", "domani"]
      await #expect(throws: UnknownWeekday.self) {
        try await notifications.createNotifications(for: habit)
      }
      try await HabitNotifications(folder: folder.url).deleteNotifications(for: habit)
      #expect(await pending().isEmpty)
    }
  }
}

@Suite("Weekdays by name")
struct WeekdayNameTests {
  @Test(
    "are found in the language of a calendar, whole, abbreviated or by three letters",
    arguments: [
      ("fr_FR", "lundi", Weekday.monday), ("fr_FR", "Dim.", .sunday),
      ("de_DE", "Mittwoch", .wednesday),
      ("de_DE", "Sa", .saturday), ("tr_TR", "salı", .tuesday), ("es_ES", "miércoles", .wednesday),
      ("ja_JP", "木曜日", .thursday), ("en_US", "Fri", .friday), ("tr_TR", "monday", .monday),
      ("de_DE", "Don", .thursday),
    ])
  func names(locale: String, name: String, weekday: Weekday) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = Locale(identifier: locale)
    #expect(Weekday(name, in: calendar) == weekday)
    #expect(Weekday("someday", in: calendar) == nil)
  }
}
