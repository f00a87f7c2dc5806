import TestSupport
import Testing

@Suite("fencepost schedule: what to try, and what makes it fail")
struct ScheduleChoiceTests {
  @Test("--fail-on makes a build fail if an app would lose a reminder, or one of its users' own")
  func failOn() throws {
    let scratch = try Scratch()
    let reminders = (10..<50).flatMap { number in
      [
        #"{"id":"tip.\#(number)","title":"t","at":"2026-03-03T08:\#(number)"}"#,
        #"{"id":"own.\#(number)","title":"o","at":"2026-03-05T08:\#(number)"}"#,
      ]
    }
    let path = try scratch.write(
      "r.json",
      """
      {"kinds":[{"name":"tip","prefix":"tip.","priority":2},
      {"name":"own","prefix":"own.","priority":0}],"reminders":[\(reminders.joined(separator: ","))]}
      """)
    func run(_ options: String...) throws -> Command.Result {
      try Command.run(
        ["schedule", path, "--from", "2026-03-02T00:00:00Z", "--for", "4d"] + options)
    }
    // The app's strategies lose nothing if they run each day.
    #expect(try run("--fail-on", "lost").status == 0)
    #expect(try run("--fail-on", "lost", "--strategy", "naive").status == 1)
    let own = try run("--fail-on", "user", "--strategy", "budget", "--miss-refresh", "1")
    #expect(own.status == 1)
    #expect(own.errors.contains("budget loses 16 reminders: own.34, own.35, "))
    let tips = ["--strategy", "budget", "--miss-refresh", "1", "--policy", "priority"]
    #expect(
      try Command.run(
        ["schedule", path, "--from", "2026-03-02T00:00:00Z", "--for", "4d", "--fail-on", "user"]
          + tips
      ).status == 0)
    #expect(try run("--fail-on", "lost", "--plan-at", "2026-03-03").status == 64)
  }

  @Test("a kind's anchor is the clock of its reminders, and instants stay")
  func kindAnchor() throws {
    let scratch = try Scratch()
    func run(_ reminder: String) throws -> Command.Result {
      let path = try scratch.write(
        "r.json",
        """
        {"zone":"Europe/London",
        "kinds":[{"name":"med","prefix":"med.","priority":0,"anchor":"Europe/Istanbul"}],
        "reminders":[{"id":"med.a","title":"a",\(reminder)}]}
        """)
      return try Command.run([
        "schedule", path, "--from", "2026-03-02T00:00:00Z", "--for", "4d", "--strategy", "budget",
        "--format", "csv",
      ])
    }
    #expect(try run(#""at":"2026-03-04T09:00""#).output.contains(",2026-03-04T06:00:00Z,"))
    #expect(try run(#""at":"2026-03-04T09:00Z""#).output.contains(",2026-03-04T09:00:00Z,"))
    let other = try run(#""at":"2026-03-04T09:00","anchor":"Z""#)
    #expect(other.status == 65)
    #expect(other.errors.contains("the kind \"med\" has another anchor; leave one of them out"))
  }

  @Test("Without a period the simulation is of thirty days from today")
  func today() throws {
    let result = try Command.run(["schedule", ScheduleCommandTests.path("seven-habits.json")])
    #expect(result.status == 0)
    #expect(result.output.contains("\"kind\":\"habit\",\"priority\":0,\"due\":210,"))
  }

  @Test("A user's own appointment that the ranking never shows is named with the policy that would")
  func neverShown() throws {
    let scratch = try Scratch()
    let tips = (0..<64).map {
      #"{"id":"tip.\#($0)","title":"x","times":"\#(10 + $0 / 6):\#($0 % 6)0"}"#
    }
    let path = try scratch.write(
      "r.json",
      """
      {"kinds":[{"name":"own","prefix":"own.","priority":0},
      {"name":"tip","prefix":"tip.","priority":3}],
      "reminders":[\(tips.joined(separator: ",")),
      {"id":"own.dentist","title":"Dentist","at":"2026-03-09T21:00"}]}
      """)
    let period = ["--from", "2026-03-02", "--for", "14d", "--strategy", "budget"]
    let text = try Command.run(["schedule", path, "--format", "text"] + period).output
    #expect(
      text.hasSuffix(
        """
        budget never shows "Dentist" (own.dentist), which the user set up: \
        earlier reminders take every slot.
          To show it: --policy priority

        """), "\(text)")
    #expect(
      text.contains("first lost 9 March 21:00\n  lost: own.dentist 9 March 21:00 (behind tip."))
    let json = try Command.run(["schedule", path] + period).output
    #expect(json.contains(#""neverShown":[{"reminder":"own.dentist","policy":"priority"}]"#))
    #expect(json.contains(#""evictions":{"own":1}"#))
    let byPriority = try Command.run(["schedule", path, "--policy", "priority"] + period).output
    #expect(!byPriority.contains("neverShown"))
  }

  @Test("An app that runs at noon serves the evening with the slots of the morning")
  func launches() throws {
    let scratch = try Scratch()
    let reminders =
      (0..<64).map {
        #"{"id":"a.\#($0)","title":"x","at":"2026-03-02T\#(10 + $0 / 60):\#($0 % 60 / 10)\#($0 % 10)"}"#
      } + (0..<8).map { #"{"id":"b.\#($0)","title":"x","at":"2026-03-02T20:0\#($0)"}"# }
    let path = try scratch.write("r.json", "{\"reminders\":[\(reminders.joined(separator: ","))]}")
    let times = try scratch.write("launches.txt", "2026-03-02T12:00:00Z\n\n")
    let bad = try scratch.write("bad.txt", "2026-03-02T12:00:00Z\nnoon\n")
    func run(_ arguments: String...) throws -> Command.Result {
      try Command.run(
        ["schedule", path, "--from", "2026-03-02", "--for", "1d", "--strategy", "window"]
          + arguments)
    }
    #expect(try run().output.contains("\"dropped\":8"))
    for arguments in [
      ["--refresh-at", "12:00"], ["--launches", "08:00,12:00"], ["--launches", times],
      ["--opened", "1"],
    ] {
      let result = try run(arguments[0], arguments[1])
      #expect(result.output.contains("\"dropped\":0"), "\(arguments)")
    }
    let refused = try run("--launches", bad)
    #expect(refused.status == 65)
    #expect(
      refused.errors.contains("bad.txt, line 2: expected a time such as 2026-03-04T12:30:00Z"))
  }
}
