import FencepostTracks
import FencepostAnalysis
import FencepostPlaces
import FencepostSession
import FencepostFixes
import FencepostGeodesy
import Foundation
import FencepostMonitoring
import FencepostNotifications
import SampleStories
import Testing

@Suite("A track session")
struct SessionTests {
  @Test("Every enter is either an alert or suppressed, and the summary counts both")
  func everyEnterIsDecided() throws {
    let replayed = try SampleStories.replay(SampleStories.track("walk.gpx"))
    let summary = try #require(replayed.summary)
    let suppressed = summary.suppressed.values.reduce(0, +)
    #expect(summary.enters == summary.alerts + suppressed)
    #expect(summary.alerts == replayed.alerts.count)
    #expect(replayed.lines.filter { $0.type == "enter" }.count == summary.enters)
  }

  @Test("Fixes that arrive over time give the events of fixes taken at once")
  func eventSequence() async throws {
    let index = try PlaceIndex([
      Place(
        id: "hall", title: "Hall",
        coordinate: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15))
    ])
    let walk = (0..<600).map { second in
      Fix(
        coordinate: Coordinate(
          latitudeDegrees: 39.947 + Double(second) * 1e-5, longitudeDegrees: -75.15),
        timeMilliseconds: 1_772_643_600_000 + Int64(second) * 1000)
    }
    let session = TrackSession(name: "walk", source: index)
    var whole = session
    var atOnce: [Event] = []
    whole.follow(walk) { atOnce.append($0) }
    whole.finish(rejected: [:]) { atOnce.append($0) }
    let (fixes, continuation) = AsyncStream.makeStream(of: Fix.self)
    for fix in walk { continuation.yield(fix) }
    continuation.finish()
    var oneByOne: [Event] = []
    for try await event in session.events(of: fixes) { oneByOne.append(event) }
    #expect(oneByOne == atOnce)
    #expect(atOnce.count > 3)
    // Ended after each event, and continued from what was saved last.
    for end in 1..<atOnce.count {
      var session = session
      var seen: [Event] = []
      for count in [end, .max] {
        let done = session.fixCount
        let rest = AsyncStream<Fix> { continuation in
          for fix in walk.dropFirst(done) { continuation.yield(fix) }
          continuation.finish()
        }
        var (events, saved, settled) = (
          session.events(of: rest).makeAsyncIterator(), try session.snapshot(), seen
        )
        while seen.count < count, let event = try await events.next() {
          seen.append(event)
          if let snapshot = try events.snapshot() { (saved, settled) = (snapshot, seen) }
        }
        if count == end { seen = settled }
        session = try TrackSession(
          name: "walk", source: index, options: TrackSessionOptions(), snapshot: saved)
      }
      // The length of the path is added up in another order.
      #expect(seen.count == atOnce.count && seen.dropLast() == atOnce.dropLast(), "\(end)")
    }
  }

  @Test("Events and fixes are the same after they were saved as JSON")
  func savedEvents() throws {
    var events = try SampleStories.replay(SampleStories.track("walk.gpx")) {
      $0.session.monitoring.refresh = .adaptive
      $0.session.monitoring.limit = 3
    }.events
    var known = Fix(
      coordinate: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15), line: 7)
    // The last lookup watches everything that is in reach.
    events.append(
      .refresh(
        RefreshEvent(
          track: "walk", segment: 0, fix: 0, fraction: 1, timeMilliseconds: nil,
          coordinate: known.coordinate, monitored: 3, added: 0, removed: 0, radiusMeters: nil,
          reachMeters: .infinity)))
    #expect(try JSONDecoder().decode([Event].self, from: JSONEncoder().encode(events)) == events)
    let unknown = known
    known.accuracyMeters = 4.5
    let fixes = try JSONDecoder().decode([Fix].self, from: JSONEncoder().encode([unknown, known]))
    #expect(fixes == [unknown, known])
    #expect(unknown != known)
  }

  @Test("A second enter within the cooldown is suppressed, without one it alerts")
  func cooldown() throws {
    let within = try SampleStories.replay(SampleStories.track("walk.gpx"))
    #expect(within.suppressed(for: "cooldown").contains("arden-theatre"))
    let without = try SampleStories.replay(SampleStories.track("walk.gpx")) {
      $0.session.alerts.cooldown = .none
    }
    #expect(without.suppressed(for: "cooldown").isEmpty)
    #expect(without.alerts.filter { $0 == "arden-theatre" }.count == 2)
  }

  @Test("Stories that are not yet published or have expired are suppressed")
  func validity() throws {
    let replayed = try SampleStories.replay(SampleStories.track("walk.gpx"))
    #expect(replayed.suppressed(for: "not-published") == ["bourse"])
    #expect(replayed.suppressed(for: "expired") == ["dilworth-park"])
  }

  @Test(
    "Entries without a time say which rules about time they escape",
    arguments: [
      (nil, Cooldown.days(7), false, []), (nil, .none, true, .quietHours),
      (1_577_836_800_000, .none, false, .dates),
      (1_577_836_800_000, .days(7), true, [.dates, .quietHours]),
    ] as [(Int64?, Cooldown, Bool, RulesWithoutTime)])
  func untimed(published: Int64?, cooldown: Cooldown, isQuiet: Bool, rules: RulesWithoutTime) throws
  {
    var place = Place(
      id: "a", coordinate: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.15))
    place.publishedMilliseconds = published
    var options = TrackSessionOptions()
    options.alerts.cooldown = cooldown
    if isQuiet {
      let (start, end) = (try #require(TimeOfDay("00:00")), try #require(TimeOfDay("23:59")))
      options.alerts.quietHours = QuietHours(start: start, end: end, zone: .utc)
    }
    func run(_ latitudes: [Double], time: Int64?) throws -> RulesWithoutTime {
      var session = TrackSession(
        name: "a", source: try PlaceIndex([place]), options: options)
      for (number, latitude) in latitudes.enumerated() {
        var fix = Fix(coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: -75.15))
        if let time { fix.rawTimeMilliseconds = time + Int64(number) * 60_000 }
        session.follow(fix) { _ in }
      }
      return session.summary.rulesWithoutTime
    }
    #expect(try run([39.94, 39.95], time: nil) == rules)
    #expect(try run([39.94, 39.95], time: 1_772_643_612_250) == [])
    // The story alerts a second time, where no cooldown can keep it from that.
    let again: RulesWithoutTime = cooldown == .none ? rules : rules.union(.cooldown)
    #expect(try run([39.94, 39.95, 39.96, 39.95], time: nil) == again)
  }

  @Test("Rules are listed as in a sentence")
  func ruleNames() {
    #expect("\(RulesWithoutTime.dates)" == "the dates of stories")
    #expect(
      "\([.dates, .quietHours, .cooldown] as RulesWithoutTime)"
        == "the dates of stories, quiet hours and the cooldown")
  }

  @Test("Nothing alerts during quiet hours in local time")
  func quietHours() throws {
    let zone = try #require(ClockZone(identifier: "America/New_York"))
    let noon = try #require(TimeOfDay("12:00"))
    let one = try #require(TimeOfDay("13:00"))
    // The walk is from 17:00 to 17:46 UTC, which is noon in Philadelphia.
    let quiet = try SampleStories.replay(SampleStories.track("walk.gpx")) {
      $0.session.alerts.quietHours = QuietHours(start: noon, end: one, zone: zone)
    }
    #expect(quiet.alerts.isEmpty)
    #expect(!quiet.suppressed(for: "quiet-hours").isEmpty)
  }

  @Test("A driver gets no alert, a walker does")
  func drivingGate() throws {
    func replayed(_ track: String) throws -> Replayed {
      try SampleStories.replay(SampleStories.track(track)) {
        $0.session.alerts.maxAlertSpeedMetersPerSecond = 6
      }
    }
    #expect(try replayed("walk.gpx").suppressed(for: "driving").isEmpty)
    #expect(try replayed("walk.gpx").alerts.count > 10)
    let drive = try replayed("drive.gpx")
    #expect(drive.suppressed(for: "driving").count > drive.alerts.count)
  }

  @Test("Two stories at one spot become one alert that names both")
  func oneSpot() throws {
    let replayed = try SampleStories.replay(SampleStories.track("walk.gpx"))
    #expect(replayed.alerts.contains("city-hall-tower"))
    #expect(replayed.suppressed(for: "grouped") == ["william-penn-statue"])
  }

  @Test("The summary has the track's first and last time, its length and its segments")
  func summary() throws {
    let summary = try #require(try SampleStories.replay(SampleStories.track("drive.gpx")).summary)
    #expect(summary.segments == 2)
    #expect(summary.firstMilliseconds.map { $0 < (summary.lastMilliseconds ?? 0) } == true)
    #expect(summary.neverMonitored.map { $0 > 0 && $0 < 219 } == true)
    #expect(summary.error == nil)
  }

  @Test(
    "Deselected events are counted but not emitted",
    arguments: [EventSelection.standard, [], .enter, [.exit, .refresh], .alert, .reminder])
  func selection(selection: EventSelection) throws {
    let bytes = Array(
      try Data(contentsOf: SampleStories.data.appendingPathComponent("reminders/errands.json")))
    let reminders = try ReminderDocument(parsing: bytes.span)
    for track in ["walk.gpx", "drive.gpx"] {
      for withReminders in [false, true] {
        let change: (inout ReplayOptions) -> Void = {
          $0.session.monitoring.refresh = .adaptive
          if withReminders { $0.reminders = .init(document: reminders) }
        }
        let all = try SampleStories.replay(SampleStories.track(track), change)
        let some = try SampleStories.replay(
          SampleStories.track(track), selection: selection, change)
        let expected = all.events.filter { selection.union(.summary).includes($0) }
        #expect(some.events.map(\.json) == expected.map(\.json))
      }
    }
  }

  @Test("Fixes in batches give the same events as one by one", arguments: [false, true])
  func batches(watchesSpeed: Bool) throws {
    var options = TrackSessionOptions()
    options.monitoring.refresh = .adaptive
    if watchesSpeed { options.alerts.maxAlertSpeedMetersPerSecond = 3 }
    for track in ["walk.gpx", "drive.gpx", "ride.gpx"] {
      let source = try SampleStories.source()
      var single = TrackSession(name: track, source: source, options: options)
      var whole = TrackSession(name: track, source: source, options: options)
      var (expected, events): ([String], [String]) = ([], [])
      var reader = try FixReader(path: SampleStories.track(track))
      var batch = FixBatch()
      while try reader.read(into: &batch) {
        for fix in batch.fixes { single.follow(fix) { expected.append($0.json) } }
        whole.follow(batch.fixes) { events.append($0.json) }
      }
      single.finish(rejected: [:]) { expected.append($0.json) }
      whole.finish(rejected: [:]) { events.append($0.json) }
      #expect(events == expected && events.count > 5)
    }
  }

  @Test("A source has exactly the places it can read")
  func hasPlace() throws {
    let source = try SampleStories.source()
    for key in [Int64.min, -1, 0, 1, 2, 100, 100_000, .max] {
      for _ in 0..<2 {
        #expect(source.hasPlace(forKey: key) == (try source.place(forKey: key) != nil))
      }
    }
  }

  @Test("A file that turns bad half-way is reported up to there")
  func badHalfWay() throws {
    let whole = try String(contentsOfFile: SampleStories.track("walk.gpx"), encoding: .utf8)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("cut.gpx").path
    try String(whole.prefix(whole.count / 2)).write(
      toFile: path, atomically: false, encoding: .utf8)
    let replayed = try SampleStories.replay(path)
    let summary = try #require(replayed.summary)
    #expect(summary.fixes > 1000 && summary.alerts > 3)
    #expect(summary.error?.contains("cut.gpx: line ") == true)
    guard case .failed? = replayed.outcome else {
      Issue.record("the replay did not fail")
      return
    }
  }
}
