import Foundation
import TestSupport
import Testing

@Suite("fencepost schedule")
struct ScheduleCommandTests {
  static let folder = Document.project.appendingPathComponent("Data/reminders")
  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  static let twoHundred = [
    "--from", "2026-03-02T00:00:00-05:00", "--for", "30d",
  ]

  func twoHundred(_ arguments: String...) throws -> Command.Result {
    try Command.run(
      ["schedule", Self.path("two-hundred-reminders.json")] + Self.twoHundred + arguments)
  }

  /// Each option with a value that the result shows; what the simulation does with it is tested beside it.
  @Test(
    "Every option reaches the simulation",
    arguments: [
      ("two-hundred-reminders", "--strategy naive", #""onTime":64,"late":0,"dropped":136"#),
      ("two-hundred-reminders", "--strategy naive --device android", #""onTime":200,"late":0"#),
      ("two-hundred-reminders", "--device ios-documented", #""device":"ios-documented""#),
      (
        "two-hundred-reminders", "--strategy window --miss-refresh 0.3 --seed 7",
        #"hes":22,"missedRefreshes":7"#
      ),
      (
        "two-hundred-reminders", "--strategy window --miss-refresh 0.3 --seed 8",
        #"hes":17,"missedRefreshes":12"#
      ),
      (
        "two-hundred-reminders",
        "--strategy window --low-power-delay 15min --low-power-share 0.2",
        #""reasons":{"low-power":27}"#
      ),
      (
        "sixty-six-requests", "--strategy budget --policy priority",
        #""evictions":{"inactivity":2}"#
      ),
      ("sixty-six-requests", "--strategy budget --policy quotas", #""evictions":{"habit":2}"#),
      (
        "seven-habits", "--strategy naive --restore-at 2026-03-04T00:00:00Z",
        #""reasons":{"restored":"#
      ),
      (
        "traveler", "--strategy window --travel \(path("zone-changes.json"))",
        #""local":"2026-03-10T10:00","due":"2026-03-10T10:00:00Z""#
      ),
    ])
  func options(file: String, options: String, words: String) throws {
    let result = try Command.run(
      ["schedule", Self.path("\(file).json")] + Self.twoHundred
        + options.split(separator: " ").map(String.init))
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output.contains(words), "\(result.output.suffix(700))")
  }

  @Test("Tap rates change a kind's priority only when they are to")
  func tapRates() throws {
    let scratch = try Scratch()
    let path = try scratch.write(
      "r.json",
      """
      {"kinds":[{"name":"liked","prefix":"liked.","priority":2,"shown":1000,"tapped":400},
      {"name":"spam","prefix":"spam.","priority":2,"shown":1000,"tapped":3}],
      "reminders":[{"id":"liked.1","title":"l","at":"2026-03-05T08:00"},
      {"id":"spam.1","title":"s","at":"2026-03-03T08:00"}]}
      """)
    for (options, priorities) in [([], [2, 2]), (["--adapt-priorities"], [1, 3])] {
      let report = try Command.run(
        ["schedule", path, "--from", "2026-03-02T00:00:00Z", "--for", "4d"] + options)
      for (kind, priority) in zip(["liked", "spam"], priorities) {
        #expect(report.output.contains("\"kind\":\"\(kind)\",\"priority\":\(priority),"))
      }
    }
  }

  @Test("A file without quotas is reported where they are needed")
  func noQuotas() throws {
    let none = try twoHundred("--policy", "quotas")
    #expect(none.status == 65)
    #expect(none.errors.contains("reminders.json: no quotas, which --policy quotas needs"))
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

  @Test("A phone may be named by its profile, but not twice")
  func profiles() throws {
    func naive(_ option: String, _ name: String) throws -> String {
      // The output names the phone as it was asked for.
      try twoHundred("--strategy", "naive", option, name).output
        .replacingOccurrences(of: "\"device\":\"\(name)\"", with: "")
    }
    #expect(try naive("--profile", "iphone") == naive("--device", "ios"))
    #expect(try naive("--profile", "android") == naive("--device", "android"))
  }

  @Test("A plan says what is pending at a time, what waits, and behind what")
  func plan() throws {
    let text = try Command.run([
      "schedule", Self.path("two-hundred-reminders.json"), "--from", "2026-03-02", "--strategy",
      "budget", "--plan-at", "2026-03-02T12:00:00Z", "--format", "text",
    ]).output
    #expect(
      text.hasPrefix("budget at 2026-03-02T07:00: 64 of 64 pending, 136 waiting\n"), "\(text)")
    #expect(text.contains("waits: over-limit, behind entry."))
  }
}
