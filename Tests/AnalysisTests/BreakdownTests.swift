import FencepostSession
import FencepostAnalysis
import FencepostMonitoring
import FencepostNotifications
import FencepostReporting
import Foundation
import SampleStories
import Testing

@Suite("Breakdowns of an analysis, against a count of its entry lines")
struct BreakdownTests {
  private static let zone = "America/New_York"

  private typealias Line = [String: Any]

  private func lines(_ text: String, _ type: String) throws -> [Line] {
    try text.split(separator: "\n").compactMap {
      let object = try JSONSerialization.jsonObject(with: Data($0.utf8))
      let line = try #require(object as? Line)
      return line["type"] as? String == type ? line : nil
    }
  }

  private func analyze(
    _ tracks: [String] = SampleAnalysis.tracks,
    _ change: @escaping (inout TrackAnalysisOptions) -> Void = { _ in }
  ) async throws -> String {
    try await SampleAnalysis.analyze(tracks.map { SampleStories.track($0) }) {
      if let zone = ClockZone(identifier: Self.zone) { $0.zone = zone }
      // Every pass of a circle alerts, so that there is much to count.
      $0.session.alerts.cooldown = .none
      change(&$0)
    }.text
  }

  private func instant(_ value: Any?) throws -> Date? {
    guard let text = value as? String else { return nil }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
    return try style.parse(text)
  }

  private func calendar() throws -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: Self.zone))
    return calendar
  }

  @Test("Hours, weekdays, months and categories are those of the alerts by the analysis' clock")
  func calendarCounts() async throws {
    let text = try await analyze()
    let totals = try #require(try lines(text, "totals").first)
    var categories: [String: String] = [:]
    for story in try lines(text, "story") {
      let place = try #require(story["place"] as? String)
      categories[place] = story["category"] as? String
    }
    let calendar = try calendar()
    var hours = [Int](repeating: 0, count: 24)
    var weekdays = [Int](repeating: 0, count: 7)
    var months: [String: Int] = [:]
    var byCategory: [String: Int] = [:]
    for entry in try lines(text, "entry") where entry["alert"] as? Bool == true {
      let place = try #require(entry["place"] as? String)
      let category = try #require(categories[place])
      byCategory[category, default: 0] += 1
      guard let time = try instant(entry["delivery"]) ?? instant(entry["time"]) else { continue }
      let parts = calendar.dateComponents([.year, .month, .weekday, .hour], from: time)
      let hour = try #require(parts.hour)
      hours[hour] += 1
      // Foundation's week begins on a Sunday, as number 1.
      let weekday = try #require(parts.weekday)
      weekdays[(weekday + 5) % 7] += 1
      let year = try #require(parts.year)
      let month = try #require(parts.month)
      months[String(format: "%04d-%02d", year, month), default: 0] += 1
    }
    #expect(weekdays.reduce(0, +) > 50)
    #expect(totals["alertsByHour"] as? [Int] == hours)
    #expect(totals["alertsByWeekday"] as? [Int] == weekdays)
    #expect(totals["alertsByMonth"] as? [String: Int] == months)
    #expect(totals["alertsByCategory"] as? [String: Int] == byCategory)
  }

  @Test("Medians and 90th percentiles lie within 2.5 % of those of all values")
  func spreads() async throws {
    let text = try await analyze()
    let totals = try #require(try lines(text, "totals").first)
    var values: [String: [Double]] = [:]
    func note(_ key: String, from start: Date?, to end: Date?) {
      guard let start, let end else { return }
      values[key, default: []].append(end.timeIntervalSince(start))
    }
    for entry in try lines(text, "entry") {
      let (time, left) = (try instant(entry["time"]), try instant(entry["left"]))
      if entry["cause"] as? String == "late" {
        note("lateness", from: time, to: try instant(entry["foundTime"]))
      }
      note("inside", from: try instant(entry["entered"]) ?? time, to: left)
      guard entry["alert"] as? Bool == true else { continue }
      note("dwell", from: try instant(entry["delivery"]) ?? time, to: left)
      if let speed = entry["speed"] as? Double { values["alertSpeed", default: []].append(speed) }
    }
    for key in ["alertSpeed", "lateness", "inside", "dwell"] {
      let spread = try #require(totals[key] as? Line)
      let sorted = try #require(values[key]).sorted()
      #expect(spread["count"] as? Int == sorted.count, "\(key)")
      #expect((spread["counts"] as? [Int])?.reduce(0, +) == sorted.count)
      for (name, share) in [("median", 0.5), ("p90", 0.9)] {
        let found = try #require(spread[name] as? Double)
        let exact = sorted[Int(share * Double(sorted.count - 1))]
        // Besides the bins' width there is the rounding of the entry lines.
        #expect(abs(found - exact) <= 0.0255 * exact + 0.006, "\(key): \(found) for \(exact)")
      }
    }
  }

  @Test("A walk through a circle is as fast, as long inside and as late as it was made")
  func knownWalk() async throws {
    let entries = try await analyze(["walk.gpx"]).split(separator: "\n")
      .filter { $0.contains("\"place\":\"bourse\"") && $0.hasPrefix("{\"type\":\"entry\"") }
    // What `explain` says of it: in at 17:11:34.908, out at 17:12:10.840.
    let entry = try #require(entries.first)
    #expect(entry.contains("\"left\":\"2026-03-04T17:12:10.840Z\""))
    #expect(!entry.contains("\"entered\""), "without a confirmation it is the entry's time")
  }

  @Test("With a hold the stay begins where the edge was crossed, before the confirmation")
  func held() async throws {
    let text = try await analyze(["walk.gpx"]) {
      $0.session.monitoring.confirmation.holdMilliseconds = 10_000
    }
    let entries = try lines(text, "entry").filter { $0["left"] != nil && $0["across"] == nil }
    #expect(entries.count > 5)
    for entry in entries {
      let times = (try instant(entry["entered"]), try instant(entry["time"]))
      let entered = try #require(times.0)
      let confirmed = try #require(times.1)
      #expect(abs(confirmed.timeIntervalSince(entered) - 10) < 0.002)
    }
  }

  @Test("Joined parts have the breakdowns of the whole, byte for byte")
  func joined() async throws {
    let whole = try await analyze()
    var merger = AnalysisMerger()
    for (number, tracks) in [["walk.gpx", "walk.nmea"], Array(SampleAnalysis.tracks[2...])]
      .enumerated()
    {
      try merger.begin(part: "\(number)")
      for line in try await analyze(tracks).split(separator: "\n") {
        _ = try merger.take(String(line))
      }
    }
    try merger.finish()
    var output = OutputBuffer()
    AnalysisNDJSONWriter(stories: merger.stories).end(merger.totals, to: &output)
    #expect(
      output.text.split(separator: "\n").last == whole.split(separator: "\n").last)
  }
}
