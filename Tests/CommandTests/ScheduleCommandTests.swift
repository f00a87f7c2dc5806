import Foundation
import TestSupport
import Testing

/// A line of the report as somebody else's parser sees it.
private struct Line: Decodable {
  struct Kind: Decodable {
    var kind: String
    var due: Int
    var onTime: Int
  }

  var type: String
  var strategy: String
  var reminder: String?
  var due: Due?
  var local: String?
  var shown: String?
  var fate: String?
  var reason: String?
  var displacedBy: String?
  var onTime: Int?
  var late: Int?
  var dropped: Int?
  var missedRefreshes: Int?
  var reasons: [String: Int]?
  var evictions: [String: Int]?
  var gate: String?
  var kinds: [Kind]?

  /// A time in the line of a fate, a count in that of a schedule.
  enum Due: Decodable {
    case time(String)
    case count(Int)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let count = try? container.decode(Int.self) {
        self = .count(count)
      } else {
        self = .time(try container.decode(String.self))
      }
    }

    var count: Int? { if case .count(let count) = self { count } else { nil } }
    var time: String? { if case .time(let time) = self { time } else { nil } }
  }
}

@Suite("fencepost schedule")
struct ScheduleCommandTests {
  static let folder = Document.project.appendingPathComponent("Data/reminders")
  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func lines(_ name: String, _ arguments: String...) throws -> [Line] {
    let result = try Command.run(["schedule", Self.path(name)] + arguments)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  static let twoHundred = [
    "--from", "2026-03-02T00:00:00-05:00", "--for", "30d",
  ]

  func twoHundred(_ arguments: String...) throws -> Command.Result {
    try Command.run(
      ["schedule", Self.path("two-hundred-reminders.json")] + Self.twoHundred + arguments)
  }

  // MARK: Budget manager

  @Test("Of 200 reminders the window delivers all, the naive app only what 64 slots hold")
  func twoHundredReminders() throws {
    let found = try lines(
      "two-hundred-reminders.json", "--from", "2026-03-02T00:00:00-05:00", "--for", "30d")
    let schedules = found.filter { $0.type == "schedule" }
    #expect(schedules.map(\.strategy) == ["naive", "first-come", "budget", "window"])
    #expect(schedules.map { $0.due?.count } == [200, 200, 200, 200])
    #expect(schedules.map(\.onTime) == [64, 64, 200, 200])
    #expect(schedules.map(\.gate) == ["failed", "failed", "passed", "passed"])
    #expect(schedules[0].reasons == ["overflow": 136])
    #expect(schedules[1].reasons == ["not-added": 136])
    #expect(found.count { $0.type == "fate" } == 4 * 200)
    // Each that waited is named once, with the one that had its slot.
    for strategy in ["budget", "window"] {
      let waits = found.filter { $0.type == "wait" && $0.strategy == strategy }
      let evictions = schedules.first { $0.strategy == strategy }?.evictions
      #expect(waits.count == evictions?.values.reduce(0, +))
      #expect(waits.allSatisfy { $0.reminder != nil && $0.displacedBy != nil })
    }
    #expect(
      found.filter { $0.fate == "dropped" }.allSatisfy {
        $0.reason == "not-added" || $0.displacedBy != nil
      })
  }

  @Test("Waiting reminders are counted by kind, and the policy decides which wait")
  func evictions() throws {
    func evicted(_ policy: String) throws -> [String: Int] {
      let found = try lines(
        "sixty-six-requests.json", "--from", "2026-03-02T05:00:00Z", "--for", "1d",
        "--strategy", "budget", "--policy", policy)
      return try #require(found.last?.evictions)
    }
    let byDate = try evicted("fire-date")
    #expect(byDate.values.reduce(0, +) == 2)
    #expect(try evicted("priority") == ["inactivity": 2])
  }

  @Test("Quotas come from the file; a file without any is reported")
  func quotas() throws {
    let scratch = try Scratch()
    var reminders: [String] = []
    for number in 10..<50 {
      reminders.append(#"{"id":"near.\#(number)","title":"n","at":"2026-03-03T08:\#(number)"}"#)
      reminders.append(#"{"id":"far.\#(number)","title":"f","at":"2026-03-05T08:\#(number)"}"#)
    }
    func file(_ quotas: String) throws -> String {
      try scratch.write(
        "r.json",
        """
        {"kinds":[{"name":"near","prefix":"near.","priority":1},
        {"name":"far","prefix":"far.","priority":1}],\(quotas)
        "reminders":[\(reminders.joined(separator: ","))]}
        """)
    }
    let period = ["--from", "2026-03-02T00:00:00Z", "--for", "3d", "--strategy", "budget"]
    let shared = try Command.run(
      ["schedule", try file("\"quotas\":{\"near\":24,\"far\":40},")] + period
        + ["--policy", "quotas", "--miss-refresh", "1"])
    // Without refreshes only what had a slot at first is shown.
    #expect(shared.output.contains("\"evictions\":{\"near\":16}"))
    let none = try Command.run(["schedule", try file("")] + period + ["--policy", "quotas"])
    #expect(none.status == 65)
    #expect(none.errors.contains("r.json: no quotas, which --policy quotas needs"))
  }

  @Test("Tap rates change a kind's priority only when they are significant")
  func tapRates() throws {
    let scratch = try Scratch()
    var reminders: [String] = []
    for number in 10..<50 {
      reminders.append(#"{"id":"liked.\#(number)","title":"l","at":"2026-03-05T08:\#(number)"}"#)
      reminders.append(#"{"id":"spam.\#(number)","title":"s","at":"2026-03-03T08:\#(number)"}"#)
    }
    let path = try scratch.write(
      "r.json",
      """
      {"kinds":[{"name":"liked","prefix":"liked.","priority":2,"shown":1000,"tapped":400},
      {"name":"spam","prefix":"spam.","priority":2,"shown":1000,"tapped":3}],
      "reminders":[\(reminders.joined(separator: ","))]}
      """)
    let arguments = [
      "schedule", path, "--from", "2026-03-02T00:00:00Z", "--for", "1d", "--strategy", "budget",
      "--policy", "priority",
    ]
    #expect(try Command.run(arguments).output.contains("\"evictions\":{\"liked\":16}"))
    let adapted = try Command.run(arguments + ["--adapt-priorities"])
    #expect(adapted.output.contains("\"evictions\":{\"spam\":16}"))
    // The report names the priorities that counted.
    let report = try Command.run(
      ["schedule", path, "--from", "2026-03-02T00:00:00Z", "--for", "4d", "--adapt-priorities"])
    for (kind, priority) in [("liked", 1), ("spam", 3)] {
      #expect(report.output.contains("\"kind\":\"\(kind)\",\"priority\":\(priority),"))
    }
  }

  // MARK: Sliding window

  @Test("The window survives missed refreshes, and the same seed misses the same")
  func missedRefreshes() throws {
    let arguments = ["--strategy", "window", "--miss-refresh", "0.3", "--seed"]
    func run(_ seed: String) throws -> String {
      try Command.run(
        ["schedule", Self.path("two-hundred-reminders.json")] + Self.twoHundred + arguments
          + [seed]
      ).output
    }
    let seven = try run("7")
    #expect(seven.contains("\"onTime\":200,\"late\":0,\"dropped\":0"))
    #expect(!seven.contains("\"missedRefreshes\":0"))
    #expect(try run("7") == seven)
    #expect(try run("8") != seven)
  }

  @Test("More reminders within seven days than slots are delivered as slots free up")
  func moreThanTheWindowHolds() throws {
    let scratch = try Scratch()
    // 100 within the week, some twenty a day: 64 have slots, the others get theirs in time.
    let reminders = (0..<100).map { number in
      let (day, hour, minute) = (3 + number / 20, 8 + number % 20 / 2, number % 2 * 30)
      let time = String(format: "2026-03-%02dT%02d:%02d", day, hour, minute)
      return #"{"id":"entry.\#(number)","title":"x","at":"\#(time)"}"#
    }
    let path = try scratch.write("r.json", "{\"reminders\":[\(reminders.joined(separator: ","))]}")
    let result = try Command.run([
      "schedule", path, "--from", "2026-03-02T00:00:00Z", "--for", "7d", "--strategy", "window",
    ])
    #expect(result.output.contains("\"due\":100,\"onTime\":100,\"late\":0,\"dropped\":0"))
    #expect(result.output.contains("\"evictions\":{\"unknown\":"))
  }

  @Test("A daily reminder takes one slot, so that the naive app keeps 64 of them")
  func dailyReminders() throws {
    let scratch = try Scratch()
    let reminders = (0..<60).map {
      #"{"id":"habit.\#($0)","title":"x","times":"\#(10 + $0 / 6):\#($0 % 6)0"}"#
    }
    let path = try scratch.write("r.json", "{\"reminders\":[\(reminders.joined(separator: ","))]}")
    let result = try Command.run([
      "schedule", path, "--from", "2026-03-02T00:00:00Z", "--for", "7d", "--strategy",
      "naive,first-come,budget",
    ])
    let all = "\"due\":420,\"onTime\":420,\"late\":0,\"dropped\":0"
    #expect(result.output.split(separator: "\n").count { $0.contains(all) } == 3)
  }

  @Test("One occurrence can be skipped by the window, and not by a repeating request")
  func skip() throws {
    let scratch = try Scratch()
    let path = try scratch.write(
      "r.json",
      """
      {"reminders":[{"id":"habit.1","title":"x","weekdays":["mon","wed"],"times":"08:00",
      "skip":"2026-03-04T08:00"}]}
      """)
    let result = try Command.run([
      "schedule", path, "--from", "2026-03-01T00:00:00Z", "--for", "7d", "--format", "csv",
      "--strategy", "window,naive",
    ])
    #expect(
      result.output == """
        strategy,reminder,kind,local,due,shown,fate,reason,displacedBy\r
        window,habit.1,unknown,2026-03-02T08:00,2026-03-02T08:00:00Z,2026-03-02T08:00:00Z,on-time,shown,\r
        naive,habit.1,unknown,2026-03-02T08:00,2026-03-02T08:00:00Z,2026-03-02T08:00:00Z,on-time,shown,\r

        """)
  }

  @Test("After a restore, planning strategies deliver everything and the others nothing")
  func restore() throws {
    let found = try lines(
      "seven-habits.json", "--from", "2026-03-01T21:00:00Z", "--for", "7d", "--restore-at",
      "2026-03-03T00:00:00Z")
    for schedule in found where schedule.type == "schedule" {
      if ["budget", "window"].contains(schedule.strategy) {
        #expect(schedule.dropped == 0, "\(schedule.strategy)")
      } else {
        #expect(schedule.reasons?["restored"].map { $0 > 40 } == true, "\(schedule.strategy)")
      }
    }
  }

  // MARK: Overflow scheduler and weekday reminders

  @Test("Snoozes on a full phone are delivered by budget and window")
  func snoozes() throws {
    let found = try lines("snoozes.json", "--from", "2026-03-02T12:00:00Z", "--for", "14d")
    for strategy in ["budget", "window"] {
      let fates = found.filter {
        $0.type == "fate" && $0.strategy == strategy
          && $0.reminder?.hasPrefix("snooze.") ?? false
      }
      #expect(fates.count == 8 && fates.allSatisfy { $0.fate == "on-time" })
    }
    #expect(found.first { $0.type == "schedule" }?.dropped == 8)
  }

  @Test("Seven daily habits are 49 times in a week, all on time")
  func habits() throws {
    let found = try lines(
      "seven-habits.json", "--from", "2026-03-01T21:00:00Z", "--for", "7d", "--strategy",
      "budget,window")
    for schedule in found where schedule.type == "schedule" {
      let habits = try #require(schedule.kinds?.first { $0.kind == "habit" })
      #expect(habits.due == 49 && habits.onTime == 49)
    }
  }

  @Test("Reminder circles count against the slots and are monitored")
  func circles() throws {
    let scratch = try Scratch()
    let circles = (0..<25).map {
      #"{"id":"spot.\#($0)","title":"x","region":{"lat":39.95,"lon":-75.\#(100 + $0)}}"#
    }
    let times = (10..<60).map { #"{"id":"entry.\#($0)","title":"x","at":"2026-03-03T08:\#($0)"}"# }
    let path = try scratch.write(
      "r.json", "{\"reminders\":[\((circles + times).joined(separator: ","))]}")
    let result = try Command.run([
      "schedule", path, "--from", "2026-03-02T00:00:00Z", "--for", "1d", "--strategy", "budget",
    ])
    let watched = result.output.split(separator: "\n").count {
      $0.contains("\"reason\":\"watched\"")
    }
    #expect(watched == 20)
    // 5 circles, and 6 of 50 times beside 20 circles.
    #expect(result.output.contains("\"evictions\":{\"unknown\":11}"))
  }

  // MARK: Delivery

  @Test("A medication stays on its clock, and meetings follow the traveler")
  func travel() throws {
    let found = try lines(
      "traveler.json", "--from", "2026-03-06T00:00:00Z", "--for", "14d", "--travel",
      Self.path("zone-changes.json"), "--strategy", "window")
    func hours(_ id: String) -> Set<Substring> {
      Set(found.filter { $0.reminder == id }.compactMap { $0.shown?.dropFirst(11).prefix(5) })
    }
    #expect(hours("medication.thyroid") == ["05:00"])
    #expect(hours("meeting.standup") == ["07:00", "10:00"])
    #expect(found.last?.dropped == 0)
  }

  @Test("A skipped local time fires after the gap, a repeated one fires once")
  func daylightSaving() throws {
    let scratch = try Scratch()
    let path = try scratch.write(
      "r.json",
      """
      {"zone":"America/New_York","reminders":[{"id":"night","title":"x","times":["02:30"]},
      {"id":"early","title":"x","times":["01:30"]}]}
      """)
    func shown(_ from: String, _ id: String) throws -> [String] {
      let result = try Command.run([
        "schedule", path, "--from", from, "--for", "1d", "--strategy", "window",
      ])
      return try result.output.split(separator: "\n").map {
        try JSONDecoder().decode(Line.self, from: Data($0.utf8))
      }.filter { $0.reminder == id }.compactMap(\.shown)
    }
    #expect(try shown("2026-03-08T00:00:00-05:00", "night").count == 1)
    #expect(try shown("2026-11-01T00:00:00-04:00", "early").count == 1)
  }

  @Test("The third reminder in one second is lost by the naive app and staggered by the others")
  func sameSecond() throws {
    let scratch = try Scratch()
    let reminders = ["a", "b", "c"].map { #"{"id":"\#($0)","title":"x","at":"2026-03-03T08:00"}"# }
    let path = try scratch.write("r.json", "{\"reminders\":[\(reminders.joined(separator: ","))]}")
    let period = ["--from", "2026-03-02T00:00:00Z", "--for", "7d"]
    let limited = try Command.run(["schedule", path] + period).output
    #expect(limited.contains("\"reasons\":{\"same-second\":1}"))
    #expect(limited.contains("\"shown\":\"2026-03-03T08:00:01Z\",\"fate\":\"on-time\""))
    let unlimited = try Command.run(["schedule", path, "--same-second", "none"] + period).output
    #expect(!unlimited.contains("same-second"))
  }

  @Test("Low-power mode delays some reminders")
  func lowPower() throws {
    let result = try twoHundred(
      "--strategy", "window", "--low-power-delay", "15min", "--low-power-share", "0.2")
    #expect(result.output.contains("\"fate\":\"late\",\"reason\":\"low-power\""))
    #expect(result.output.contains("\"dropped\":0"))
  }

  @Test("Which 64 a full phone keeps depends on the phone")
  func devices() throws {
    func onTime(_ device: String) throws -> Int {
      let result = try twoHundred("--strategy", "naive", "--device", device)
      return result.output.split(separator: "\n").prefix(64).count {
        $0.contains("\"on-time\"")
      }
    }
    #expect(try onTime("ios") < 64)
    #expect(try onTime("ios-documented") == 64)
    #expect(
      try twoHundred("--strategy", "naive", "--device", "android").output
        .contains("\"onTime\":200"))
  }

  @Test("A phone may be named by its profile, but not twice")
  func profiles() throws {
    func naive(_ option: String, _ name: String) throws -> String {
      // The output names the phone as it was asked for.
      try twoHundred("--strategy", "naive", option, name).output
        .replacingOccurrences(of: "\"device\":\"\(name)\"", with: "")
    }
    #expect(try naive("--profile", "iphone") == naive("--device", "ios"))
    #expect(try naive("--profile", "android") == naive("--device", "android"))
    #expect(try twoHundred("--device", "ios", "--profile", "iphone").status == 64)
    #expect(try twoHundred("--profile", "nokia").status == 66)
  }

  // MARK: The plan

  @Test("A plan says what is pending at a time, what waits, and behind what")
  func plan() throws {
    let arguments = ["--strategy", "budget", "--plan-at", "2026-03-02T12:00:00Z"]
    let lines = try lines(
      "two-hundred-reminders.json", "--from", "2026-03-02", "--strategy", "budget", "--plan-at",
      "2026-03-02T12:00:00Z")
    #expect(lines.count { $0.type == "pending" } == 64)
    let waiting = lines.filter { $0.type == "waiting" }
    #expect(waiting.count == 136 && waiting.allSatisfy { $0.reason == "over-limit" })
    #expect(waiting.allSatisfy { $0.displacedBy != nil })
    let text = try Command.run(
      ["schedule", Self.path("two-hundred-reminders.json"), "--from", "2026-03-02"] + arguments
        + ["--format", "text"]
    ).output
    #expect(
      text.hasPrefix("budget at 2026-03-02T07:00: 64 of 64 pending, 136 waiting\n"), "\(text)")
    #expect(text.contains("waits: over-limit, behind entry."))
  }
}
