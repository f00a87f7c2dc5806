import FencepostSession
import FencepostAnalysis
import FencepostFixes
import FencepostMonitoring
import FencepostNotifications
import FencepostPlaces
import FencepostTracks
import Foundation
import SampleStories
import TestSupport
import Testing

@Suite("A session whose crossings must last")
struct ConfirmationSessionTests {
  private func replay(_ change: (inout TrackSessionOptions) -> Void) throws -> Replayed {
    try SampleStories.replay(SampleStories.track("walk.gpx")) { change(&$0.session) }
  }

  private func encounters(_ replayed: Replayed) -> [Encounter] {
    replayed.events.compactMap {
      switch $0 {
      case .enter(let one), .exit(let one), .dwell(let one), .alert(let one, _),
        .suppressed(let one, _), .reminder(let one, _):
        one
      case .refresh, .summary: nil
      }
    }
  }

  @Test("Without any of the options no event says when the path met the edge, with one each does")
  func crossed() throws {
    let plain = try replay { _ in }
    #expect(encounters(plain).allSatisfy { $0.crossed == nil } && plain.summary?.dwells == nil)
    let changes: [(inout TrackSessionOptions) -> Void] = [
      { $0.monitoring.confirmation.holdMilliseconds = 5000 },
      { $0.monitoring.confirmation.fixes = 1 },
      { $0.monitoring.confirmation.dwellMilliseconds = 5000 },
      { $0.monitoring.test = .fixes }, { $0.alertsOn = .exit },
    ]
    for change in changes {
      let found = encounters(try replay(change))
      #expect(!found.isEmpty && found.allSatisfy { $0.crossed?.timeMilliseconds != nil })
    }
  }

  @Test(
    "The chosen event alerts, and the others do not",
    arguments: [AlertTrigger.enter, .dwell, .exit])
  func trigger(_ trigger: AlertTrigger) throws {
    let replayed = try replay {
      $0.monitoring.confirmation.dwellMilliseconds = 40_000
      $0.alertsOn = trigger
    }
    let summary = try #require(replayed.summary)
    let decided = summary.alerts + summary.suppressed.values.reduce(0, +)
    let lines = replayed.lines.filter { $0.type == trigger.rawValue }
    #expect(lines.count == decided && decided > 5)
    #expect(Set(replayed.alerts).isSubset(of: Set(lines.compactMap(\.place))))
    let dwells = replayed.lines.filter { $0.type == "dwell" }
    #expect(summary.dwells == dwells.count)
    let times = Set(lines.map(\.timeMilliseconds))
    for event in replayed.events {
      if case .alert(let one, _) = event { #expect(times.contains(one.timeMilliseconds)) }
    }
  }

  @Test("Exits that alert are decided even where only alerts are wanted")
  func exitsWithoutLines() throws {
    func alerts(_ selection: EventSelection) throws -> [String] {
      try SampleStories.replay(SampleStories.track("walk.gpx"), selection: selection) {
        $0.session.alertsOn = .exit
      }.alerts
    }
    let (few, all) = (try alerts(.alert), try alerts(.all))
    #expect(few.count > 5 && few == all)
  }

  @Test("A track without times says once that holds cannot be kept")
  func withoutTimes() throws {
    let scratch = try ScratchFolder()
    let path = scratch.url.appendingPathComponent("t.csv")
    try "lat,lon\n39.95,-75.15\n39.9489,-75.15\n39.948,-75.15\n39.94,-75.15\n".write(
      to: path, atomically: true, encoding: .utf8)
    var options = ReplayOptions()
    options.session.monitoring.confirmation.holdMilliseconds = 1000
    var notices: [String] = []
    var observer = Replay.Observer { _ in }
    observer.onNotice = { if $0.contains("held") { notices.append($0) } }
    _ = try Replay(options: options).run(
      path: path.path, source: SampleStories.source(), observer: observer)
    #expect(notices == [TrackSession.untimedNotice])
    notices = []
    options.session.monitoring.confirmation.holdMilliseconds = 0
    _ = try Replay(options: options).run(
      path: path.path, source: SampleStories.source(), observer: observer)
    #expect(notices == [])
  }

  @Test("A session goes on from a snapshot with its holds and stays half-way")
  func snapshots() throws {
    var options = TrackSessionOptions()
    options.monitoring.confirmation.holdMilliseconds = 8000
    options.monitoring.confirmation.dwellMilliseconds = 30_000
    options.alertsOn = .dwell
    var reader = try FixReader(path: SampleStories.track("walk.gpx"), options: FixStreamOptions())
    var batch = FixBatch()
    var fixes: [Fix] = []
    while try reader.read(into: &batch) { fixes += batch.fixes }
    let source = try SampleStories.source()
    var whole = TrackSession(name: "w", source: source, options: options)
    var (expected, found): ([String], [String]) = ([], [])
    whole.follow(fixes) { expected.append($0.json) }
    var session = TrackSession(name: "w", source: source, options: options)
    for (index, fix) in fixes.enumerated() {
      if index % 7 == 3 {
        let saved = try JSONEncoder().encode(session.snapshot())
        let snapshot = try JSONDecoder().decode(TrackSession.Snapshot.self, from: saved)
        session = try TrackSession(
          name: "w", source: source, options: options, snapshot: snapshot)
      }
      session.follow(fix) { found.append($0.json) }
    }
    whole.finish(rejected: [:]) { expected.append($0.json) }
    session.finish(rejected: [:]) { found.append($0.json) }
    let dwells = expected.filter { $0.contains("\"dwell\"") }
    #expect(found == expected && dwells.count > 5)
  }

  @Test("A reminder's circle fires where its crossing is confirmed, and not on a pass")
  func reminders() throws {
    func fired(hold: Int64) throws -> [Encounter] {
      let text = """
        {"reminders":[{"id":"hall","title":"Hall","region":
        {"lat":39.95308,"lon":-75.14275,"radius":50}}]}
        """
      let bytes = Array(text.utf8)
      let document = try ReminderDocument(parsing: bytes.span)
      let replayed = try SampleStories.replay(SampleStories.track("walk.gpx")) {
        $0.reminders = ReminderWatchOptions(document: document)
        $0.session.monitoring.confirmation.holdMilliseconds = hold
      }
      return replayed.events.compactMap {
        if case .reminder(let one, _) = $0 { one } else { nil }
      }
    }
    let (at, held) = (try fired(hold: 0), try fired(hold: 5000))
    #expect(at.count == 1 && held.count == 1)
    #expect(held[0].timeMilliseconds == at[0].timeMilliseconds.map { $0 + 5000 })
    #expect(held[0].crossed?.timeMilliseconds == at[0].timeMilliseconds)
    #expect(try fired(hold: 120_000).isEmpty)
  }
}
