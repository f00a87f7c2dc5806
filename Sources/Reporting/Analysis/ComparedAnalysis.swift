package import FencepostAnalysis
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications

/// Reads an NDJSON analysis for a comparison, line by line.
package struct ComparedAnalysis: Sendable {
  package struct Failure: Error, Sendable, CustomStringConvertible {
    package var description: String
  }

  package private(set) var side = AnalysisComparison.Side()
  private let name: String
  private var line = 0
  private var isComplete = false

  package init(name: String) {
    self.name = name
  }

  package mutating func take(_ text: String) throws(Failure) {
    line += 1
    // Most lines have no alerts.
    if text.hasPrefix("{\"type\":\"verdict\"") { return }
    do throws(JSONPathError) {
      let node = try Self.parse(text)
      switch try node.member("type").string() {
      case "settings": side.rule = try Self.rule(node)
      case "entry": try take(entry: node)
      case "track": side.tracks.append(try TrackAccount(node))
      case "story":
        side.titles[try node.member("place").string()] = try node.member("title").string()
      case "totals": isComplete = true
      case "skipped", "spot", "together", "copy": break
      case let type: throw node.error("an analysis has no lines of type “\(type)”")
      }
    } catch {
      guard line > 1 else { throw Failure(description: Self.notAnAnalysis(name)) }
      throw Failure(description: "\(name): line \(line): \(error)")
    }
  }

  /// Says that a file is not an analysis, and how to get one.
  static func notAnAnalysis(_ name: String) -> String {
    let file = name.split(separator: "/").last ?? "analysis"
    let stem = file.prefix { $0 != "." }
    let output = stem.isEmpty || stem == "-" ? "analysis" : stem
    return "\(name) is not an analysis. Save one with: fencepost analyze … -o \(output).ndjson"
  }

  package func finish() throws(Failure) {
    guard line > 0 else { throw Failure(description: Self.notAnAnalysis(name)) }
    guard isComplete else { throw Failure(description: "\(name): ends early, without its totals") }
  }

  private mutating func take(entry node: JSONNode) throws(JSONPathError) {
    guard try node.member("alert").boolean() else { return }
    let (track, place) = (try node.member("track").string(), try node.member("place").string())
    side.alerts[track, default: [:]][place, default: 0] += 1
  }

  /// The rule in a few words, such as `20 stories by nearest center, looked up every 500 m`.
  private static func rule(_ node: JSONNode) throws(JSONPathError) -> String {
    var (rule, alerts) = (MonitoringOptions(), AlertPolicy.Options())
    rule.limit = try node.optionalMember("limit")?.integer()
    rule.refresh = try node.member("refresh").string() == "fixed" ? .fixed : .adaptive
    rule.significantChangeMeters = try node.member("significantChange").double()
    rule.rank = try node.member("rank").string() == "center" ? .center : .edge
    if let dates = try node.optionalMember("dates")?.string() {
      alerts.dates = StoryDates(dates, in: .utc)
    }
    return AnalysisSettings(
      monitoring: rule, alerts: alerts, zoneIdentifier: "UTC", storyCount: 0
    ).sentence
  }

  private static func parse(_ text: String) throws(JSONPathError) -> JSONNode {
    do throws(JSONError) {
      return JSONNode(try JSONValue(parsing: text))
    } catch {
      throw JSONPathError(path: "", sentence: "\(error)")
    }
  }
}
