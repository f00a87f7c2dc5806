import FencepostSession
import FencepostAnalysis
import FencepostExpectations
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import FencepostReporting
import Foundation
import SampleStories

/// Story tests from JSON, with the few rules that the tests need.
enum Cases {
  /// The folder of the sample tracks, with a final slash.
  static let folder = SampleStories.data.appendingPathComponent("tracks").path + "/"

  /// A street to the east along which stories lie, 1 km long.
  static let street = #"{"points": [[40, -75], [40, -74.9883]], "start": "2026-03-04T17:00Z"}"#

  static func file(_ json: String) throws -> CaseFile {
    try CaseFile(JSONNode(JSONValue(parsing: json))) { _ in
      [CaseRule(name: "limit", values: ["3"])]
    }
  }

  static func runner(_ file: CaseFile, mostTrials: Int = 2000) throws -> CaseRunner {
    try CaseRunner(file, folder: folder, mostTrials: mostTrials) { try rules($0) }
  }

  static func run(_ json: String, mostTrials: Int = 2000) throws -> [CaseResult] {
    try runner(file(json), mostTrials: mostTrials).run()
  }

  /// The findings of one case on the street past a gate after 200 m and a mill after 600 m.
  static func findings(
    _ expect: String, rules: String = "{}", track: String = street, more: String = ""
  ) throws -> [CaseResult.Finding] {
    try run(
      """
      {"places": [
        {"id": "gate", "title": "City Gate", "category": "history", "lat": 40, "lon": -74.99766,
         "radius": "50m"},
        {"id": "mill", "title": "Old Mill", "category": "food", "lat": 40, "lon": -74.99298,
         "radius": 50, "expires": "2026-01-01T00:00:00Z"},
        {"id": "far", "title": "Far away", "category": "sports", "lat": 41, "lon": -75}],
       "rules": \(rules),
       "cases": [{"name": "street", "track": \(track), "expect": [\(expect)]\(more)}]}
      """)[0].findings
  }

  /// The reminders of a file in `Data/reminders`, with the slots that a phone has.
  static func reminders(_ name: String) throws -> ReminderWatchOptions {
    let file = SampleStories.data.appendingPathComponent("reminders/\(name)")
    let bytes = ContiguousArray(try Data(contentsOf: file))
    var options = ReminderWatchOptions(document: try ReminderDocument(parsing: bytes.span))
    options.run.totalLimit = 64
    return options
  }

  struct UnknownRule: Error {
    var name: String
  }

  static func rules(_ rules: [CaseRule]) throws -> CaseRules {
    var made = CaseRules()
    for rule in rules {
      let value = rule.values[0]
      switch rule.name {
      case "limit": made.session.monitoring.limit = Int(value)
      case "refresh": made.session.monitoring.refresh = value == "adaptive" ? .adaptive : .fixed
      case "cooldown": made.session.alerts.cooldown = value == "none" ? .none : .days(7)
      case "reminders": made.reminders = try reminders(value)
      case "pending-limit": made.reminders?.run.totalLimit = Int(value)
      case "time-zone": made.zone = ClockZone(identifier: value) ?? .utc
      case "profile":
        let profile = (BuiltInProfile(rawValue: value) ?? .iphone).profile
        made = CaseRules(
          session: made.session, zone: made.zone,
          chance: ChanceOptions(profiles: [profile], simulation: .init(trials: 50)))
      default: throw UnknownRule(name: rule.name)
      }
    }
    return made
  }
}

/// A text report.
func report(_ suites: [CaseSuite], _ format: CaseReport.Format) -> String {
  var buffer = OutputBuffer()
  CaseReport(suites).write(format, to: &buffer)
  return buffer.text
}
