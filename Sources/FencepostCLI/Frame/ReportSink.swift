import Fencepost
import FencepostFormats
import FencepostFixes
import FencepostMonitoring
import FencepostReporting

/// Writes the events of a command's tracks to the report and adds up the summary.
final class ReportSink {
  private var report: EventReport
  private var failure: OutputFailure?

  private(set) var account = ReplayAccount()
  private(set) var lastSummary: TrackSummary?

  /// Finds a place by its ID, for a report that shows circles.
  private let findPlace: (String) -> Place?
  /// The places already written to the report for this track.
  private var shownPlaces: Set<String> = []

  init(_ report: consuming EventReport, findPlace: @escaping (String) -> Place? = { _ in nil }) {
    self.report = report
    self.findPlace = findPlace
  }

  /// Whether to stop reading: after an interruption, or if the report cannot be written.
  var shouldStop: Bool { Task.isCancelled || failure != nil }

  var selection: EventSelection { report.selection }

  /// Whether the report already contains everything in the summary.
  var includesAccount: Bool {
    account.tracks == 1 && report.format == .text && report.selection.contains(.summary)
  }

  func take(_ event: Event) {
    if case .summary(let summary) = event {
      account.add(summary)
      lastSummary = summary
    }
    write { report throws(OutputFailure) in
      if report.format.showsPlaces, report.selection.includes(event), let id = event.placeID,
        shownPlaces.insert(id).inserted, let place = findPlace(id)
      {
        try report.write(place)
      }
      try report.write(event)
    }
  }

  /// Takes the next piece of a track's path.
  func take(path fixes: [Fix], of track: String) {
    write { report throws(OutputFailure) in try report.write(path: fixes, of: track) }
  }

  func endTrack() {
    shownPlaces = []
    write { report throws(OutputFailure) in try report.endTrack() }
  }

  /// Writes something, unless writing has failed before.
  private func write(_ body: (inout EventReport) throws(OutputFailure) -> Void) {
    guard failure == nil else { return }
    do throws(OutputFailure) {
      try body(&report)
    } catch {
      failure = error
    }
  }

  func finish() throws(OutputFailure) {
    if let failure { throw failure }
    try report.finish()
  }
}

extension Event {
  /// The ID of the event's place; nil for other events and for reminders, which have their own IDs.
  fileprivate var placeID: String? {
    switch self {
    case .enter(let encounter), .exit(let encounter), .dwell(let encounter),
      .alert(let encounter, _), .suppressed(let encounter, _):
      encounter.placeID
    case .reminder, .refresh, .summary: nil
    }
  }
}

/// The summary of a replay, for standard error.
struct ReplayAccount {
  private(set) var tracks = 0
  private(set) var fixes = 0
  private var refreshes = 0
  private var enters = 0
  private var alerts = 0
  private var rejected: [String: Int] = [:]
  private var suppressed: [String: Int] = [:]
  private var neverMonitored: Int?
  private var uncertified = 0
  /// The entries missed because of the limit.
  private(set) var misses = MissCounts()

  mutating func add(_ summary: TrackSummary) {
    tracks += 1
    fixes += summary.fixes
    refreshes += summary.refreshes
    enters += summary.enters
    alerts += summary.alerts
    rejected.merge(summary.rejected, uniquingKeysWith: +)
    suppressed.merge(summary.suppressed, uniquingKeysWith: +)
    if summary.certified == false { uncertified += 1 }
    if let misses = summary.misses { self.misses += misses }
    if let count = summary.neverMonitored { neverMonitored = min(neverMonitored ?? count, count) }
  }

  var text: String {
    var lines = [
      "\(count(tracks, "walk")), \(count(fixes, "fix", "fixes"))"
        + Self.parts(rejected, called: "rejected"),
      "\(count(refreshes, "lookup")), \(count(enters, "entry", "entries")), "
        + count(alerts, "alert") + Self.parts(suppressed, called: "held back"),
    ]
    if let neverMonitored {
      lines.append(
        tracks == 1
          ? "\(count(neverMonitored, "story", "stories")) never watched"
          : "at least \(count(neverMonitored, "story", "stories")) never watched on each walk")
    }
    if uncertified > 0 {
      lines.append("on \(count(uncertified, "walk")), an unwatched circle was within reach")
    }
    return lines.joined(separator: "\n")
  }

  private func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }

  private static func parts(_ counts: [String: Int], called name: String) -> String {
    let total = counts.values.reduce(0, +)
    guard total > 0 else { return "" }
    let parts = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return ", \(total) \(name) (\(parts.joined(separator: ", ")))"
  }
}
