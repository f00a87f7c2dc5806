import CoreLocation
import FencepostApple
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import Foundation
import Testing
import UserNotifications

extension OnePhone {
  @Suite("An app with story alerts")
  @MainActor
  struct AppLoopTests {
    private let device = SimulatedDevice.current
    private let centre = UNUserNotificationCenter.current()

    /// The stories that a watch alerts for on these fixes, without the phone's regions.
    private func expected(
      _ fixes: [PhoneFix], _ stories: [Place], _ options: StoryWatch.Options = .init()
    ) throws -> [String] {
      var watch = StoryWatch(stories: try PlaceIndex(stories), options: options)
      return fixes.flatMap { watch.take($0) }.compactMap {
        if case .alert = $0.decision { $0.story.id } else { nil }
      }
    }

    private var deliveredFixes: [PhoneFix] {
      device.delivered.map {
        PhoneFix(
          coordinate: Coordinate(
            latitudeDegrees: $0.coordinate.latitude, longitudeDegrees: $0.coordinate.longitude),
          timeMilliseconds: Int64(($0.timestamp.timeIntervalSince1970 * 1000).rounded()),
          accuracyMeters: $0.horizontalAccuracy)
      }
    }

    /// Lets time pass where the phone is, so that everything staggered is shown.
    private func wait(_ app: TestApp, seconds: Int64, after fixes: [PhoneFix]) async {
      guard var last = fixes.last else { return }
      for _ in 0..<seconds {
        last.timeMilliseconds += 1000
        await app.follow([last])
      }
    }

    /// A straight road east past stories 400 m apart, and the way back; a fix every five seconds.
    private func road(kilometres: Int, back: Bool = false) -> (fixes: [PhoneFix], stories: [Place])
    {
      let stories = (1...(kilometres * 1000 - 150) / 400).map {
        story("s\($0)", east: Double($0) * 400, north: 20)
      }
      let there = stride(from: 0.0, through: Double(kilometres) * 1000, by: 50).map { $0 }
      let way = there + (back ? there.reversed() : [])
      let fixes = way.enumerated().map { number, east in
        let point = point(east: east)
        return fix(
          point.latitudeDegrees, point.longitudeDegrees, second: Int64(number) * 5)
      }
      return (fixes, stories)
    }

    @Test(
      "alerts on every fix's way as the engine does, where updates are continuous",
      arguments: ["walk.gpx", "drive.gpx"])
    func continuous(track: String) async throws {
      let (fixes, stories) = (try Sample.track(track), try Sample.stories())
      var behaviour = SimulatedDevice.Behaviour()
      behaviour.reportsRegions = false
      let app = try TestApp(stories: stories, behaviour: behaviour)
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow(fixes)
      await wait(app, seconds: 10, after: fixes)
      let alerts = try expected(fixes, stories)
      #expect(alerts.count > 10 && app.shown.sorted() == alerts.sorted())
      #expect(app.problems.all.isEmpty)
    }

    @Test("says that the phone does not know where it is")
    func locationUnknown() async throws {
      let app = try TestApp(stories: [story("a", east: 100)])
      device.open()
      #expect(
        app.problems.all.map(\.description) == [
          "the phone could not find its location: \(CLError(.locationUnknown).localizedDescription)"
        ])
    }

    @Test("alerts for significant changes as the engine does on the same fixes")
    func significantChanges() async throws {
      let (fixes, stories) = (try Sample.track("drive.gpx"), try Sample.stories())
      var behaviour = SimulatedDevice.Behaviour()
      behaviour.reportsRegions = false
      let app = try TestApp(stories: stories, behaviour: behaviour)
      device.open()
      await app.follow(fixes)
      await wait(app, seconds: 20, after: fixes)
      let delivered = deliveredFixes
      #expect(delivered.count >= 8 && delivered.count < fixes.count / 4)
      let alerts = try expected(delivered, stories)
      #expect(alerts.count > 5 && app.shown.sorted() == alerts.sorted())
      #expect(centre.lost.isEmpty)
    }

    @Test("gains by the phone's own regions what the sparse path misses, and doubles nothing")
    func bothSources() async throws {
      let (fixes, stories) = (try Sample.track("walk.gpx"), try Sample.stories())
      let app = try TestApp(stories: stories)
      device.open()
      await app.follow(fixes)
      await wait(app, seconds: 20, after: fixes)
      let shown = app.shown
      #expect(Set(shown).count == shown.count)
      #expect(app.entries.contains { $0.isReportedByPhone })
      #expect(app.entries.contains { !$0.isReportedByPhone })
      // What a phone that monitored everything on every fix would have alerted for.
      let full = Set(try expected(fixes, stories))
      #expect(Set(shown).intersection(full).count > full.count / 2)
      #expect(device.mostRegions == 20)
    }

    @Test("alerts once a visit without a cool-down, although path and phone both report each")
    func visits() async throws {
      let (fixes, stories) = road(kilometres: 6, back: true)
      let app = try TestApp(stories: stories)
      app.options.watch.alerts.cooldown = .none
      app.options.watch.joinMilliseconds = 120_000
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow(fixes)
      await wait(app, seconds: 5, after: fixes)
      // Once on the way there and once on the way back; regions in the middle change in between.
      let counts = Dictionary(app.shown.map { ($0, 1) }, uniquingKeysWith: +)
      #expect(counts.count == stories.count && counts.values.allSatisfy { $0 == 2 })
    }

    @Test("shows what it is about, and opens the story when it is tapped")
    func content() async throws {
      let place = Place(
        id: "a", title: "A story", blurb: "Its first words.", url: "https://example.org/a",
        category: "history", coordinate: point(east: 400))
      let app = try TestApp(stories: [place])
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow(Array(road(kilometres: 1).fixes))
      let content = try #require(centre.shown.first?.request.content)
      #expect(content.title == "A story" && content.body == "Its first words.")
      #expect(content.categoryIdentifier == "history" && content.sound != nil)
      #expect(content.userInfo["story"] as? String == "a")
      #expect(content.userInfo["url"] as? String == "https://example.org/a")
    }

    @Test("shows alerts that come together one after the other, two a second")
    func crowd() async throws {
      let stories = (0..<7).map { story("s\($0)", east: 500 + Double($0) * 5) }
      let app = try TestApp(stories: stories)
      app.options.watch.alerts.sameSecondLimit = nil
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow([
        fix(0, 0, second: 0), fix(0, point(east: 550).longitudeDegrees, second: 60),
      ])
      await wait(app, seconds: 10, after: [fix(0, point(east: 550).longitudeDegrees, second: 60)])
      #expect(app.shown.count == 7 && centre.lost.isEmpty)
    }

    // MARK: Limits

    @Test("never monitors more than 20 regions, and leaves those of others alone")
    func foreignRegions() async throws {
      let (fixes, stories) = (try Sample.track("drive.gpx"), try Sample.stories())
      let app = try TestApp(stories: stories)
      let other = CLLocationManager()
      let foreign = (0..<3).map {
        CLCircularRegion(
          center: CLLocationCoordinate2D(latitude: 10, longitude: Double($0)), radius: 500,
          identifier: "other.\($0)")
      }
      for region in foreign { other.startMonitoring(for: region) }
      other.startMonitoring(for: CLBeaconRegion(uuid: UUID(), identifier: "beacon"))
      device.open()
      await app.follow(fixes)
      #expect(device.mostRegions == 20)
      #expect(device.regions.keys.filter { !$0.hasPrefix("fencepost.") }.count == 4)
      #expect(
        !app.problems.all.contains {
          if case .regionFailed = $0 { true } else { false }
        })
    }

    @Test("says that others have taken all regions")
    func noRegionLeft() async throws {
      let (fixes, stories) = road(kilometres: 1)
      let app = try TestApp(stories: stories)
      let other = CLLocationManager()
      for number in 0..<20 {
        other.startMonitoring(
          for: CLBeaconRegion(uuid: UUID(), identifier: "beacon.\(number)"))
      }
      device.open()
      await app.follow(Array(fixes.prefix(2)))
      #expect(app.problems.all.contains(.noRegionLeft(foreign: 20)))
      #expect(device.regions.count == 20)
    }

    @Test("gives one of the 20 to the tripwire, whose exit brings a fix and new regions")
    func tripwire() async throws {
      let (fixes, stories) = (try Sample.track("drive.gpx"), try Sample.stories())
      let app = try TestApp(stories: stories)
      app.options.watch.monitoring.hasTripwire = true
      app.options.watch.monitoring.refresh = .adaptive
      device.behaviour.hasSignificantChanges = false
      device.behaviour.crossingSeconds = 0
      device.follow(Array(fixes.prefix(1)))
      device.open()
      await app.follow(Array(fixes.dropFirst()))
      await wait(app, seconds: 5, after: fixes)
      #expect(device.mostRegions == 20)
      #expect(device.delivered.count > 10)
      #expect(app.shown.count > 10)
      #expect(app.problems.all.contains(.significantChangesUnavailable))
    }

    @Test("clips a radius to the greatest that the phone takes")
    func clipping() async throws {
      let app = try TestApp(stories: [story("wide", east: 3000, radius: 2000)])
      device.behaviour.greatestRadiusMeters = 800
      device.open()
      await app.follow([fix(0, 0, second: 0)])
      let region = device.regions["fencepost.story.wide"]?.region as? CLCircularRegion
      #expect(region?.radius == 800)
    }

    @Test("shares the 64 requests with everything else that the app has")
    func budget() async throws {
      let stories = (0..<30).map { story("s\($0)", east: 500 + Double($0)) }
      let app = try TestApp(stories: stories)
      app.options.watch.monitoring.limit = nil
      app.options.watch.alerts.sameSecondLimit = nil
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow([fix(0, 0, second: 0)])
      let scheduler = try #require(app.scheduler)
      try await scheduler.update { requests in
        for number in 0..<80 {
          requests.append(timed("reminder.\(number)", at: noon + 86_400_000))
        }
      }
      #expect(await centre.pendingNotificationRequests().count == 64)
      let near = point(east: 520).longitudeDegrees
      await app.follow([fix(0, near, second: 60)])
      await wait(app, seconds: 30, after: [fix(0, near, second: 60)])
      #expect(app.shown.count == 30 && centre.lost.isEmpty)
      #expect(centre.mostPending == 64)
      #expect(try await scheduler.requests().count { $0.identifier.hasPrefix("reminder.") } == 80)
    }

    // MARK: Permission and failures

    @Test(
      "says in a sentence what the user does not allow",
      arguments: [
        (CLAuthorizationStatus.denied, PhoneProblem.locationDenied),
        (.restricted, .locationRestricted), (.notDetermined, .locationNotAsked),
        (.authorizedWhenInUse, .locationOnlyInUse),
      ])
    func permission(status: CLAuthorizationStatus, problem: PhoneProblem) async throws {
      let (fixes, stories) = road(kilometres: 2)
      var behaviour = SimulatedDevice.Behaviour()
      behaviour.crossingSeconds = 0
      let app = try TestApp(stories: stories, behaviour: behaviour)
      device.permit(status)
      device.open()
      #expect(app.problems.all.first == problem)
      await app.follow(Array(fixes.prefix(20)))
      #expect(app.shown.isEmpty && device.regions.isEmpty)
      // With permission it goes on.
      device.permit(.authorizedAlways)
      await app.follow(Array(fixes.dropFirst(20)))
      #expect(!app.shown.isEmpty && !device.regions.isEmpty)
    }

    @Test("asks for permission and goes on when it is given")
    func asking() async throws {
      let (_, stories) = road(kilometres: 2)
      let app = try TestApp(stories: stories)
      device.permit(.notDetermined)
      device.open()
      let phone = CoreLocationPhone()
      #expect(phone.permission.status == .notAsked)
      phone.requestPermission()
      #expect(phone.permission == LocationPermission(status: .always))
      await app.follow([fix(0, 0, second: 0)])
      #expect(!device.regions.isEmpty)
    }

    @Test("says that positions are only approximate, and monitors nothing with them")
    func imprecise() async throws {
      let (fixes, stories) = road(kilometres: 1)
      let app = try TestApp(stories: stories)
      device.permit(.authorizedAlways, accuracy: .reducedAccuracy)
      device.open()
      await app.follow(Array(fixes.prefix(2)))
      #expect(app.problems.all.first == .locationImprecise)
      #expect(device.regions.isEmpty)
    }

    @Test("says that the phone can do neither regions nor significant changes")
    func missingServices() throws {
      let app = try TestApp(stories: [story("a", east: 100)])
      device.behaviour.hasSignificantChanges = false
      device.behaviour.greatestRadiusMeters = -1
      device.open()
      #expect(
        app.problems.all.prefix(2) == [.significantChangesUnavailable, .regionsUnavailable])
    }

    @Test("says which region is not monitored, and tries again at the next fix")
    func regionFailure() async throws {
      let (_, stories) = road(kilometres: 2)
      let app = try TestApp(stories: stories)
      let identifier = "fencepost.story.s2"
      device.failingRegions[identifier] = 2
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      for second in [Int64(0), 10] {
        await app.follow([fix(0, 0, second: second)])
        #expect(device.regions[identifier] == nil)
      }
      await app.follow([fix(0, 0, second: 20)])
      #expect(device.regions[identifier] != nil)
      let failures = app.problems.all.filter {
        if case .regionFailed(identifier, _) = $0 { true } else { false }
      }
      #expect(failures.count == 2)
      #expect(
        failures.first?.description.hasPrefix("the region fencepost.story.s2 is not monitored: ")
          == true)
    }

    @Test("shows an alert later that the notification centre refused at first")
    func refusedAlert() async throws {
      let (fixes, stories) = road(kilometres: 1)
      let app = try TestApp(stories: stories)
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      centre.fail(2)
      await app.follow(fixes)
      await wait(app, seconds: 3, after: fixes)
      #expect(app.shown.sorted() == ["s1", "s2"])
      #expect(
        app.problems.all.contains {
          if case .notificationFailed = $0 { true } else { false }
        })
    }

    // MARK: The end and after

    @Test("loses no alert and doubles none, whichever callback the app is ended at")
    func endedAtCallbacks() async throws {
      let (fixes, stories) = road(kilometres: 3)
      let count = try await run(fixes, stories) { _, _ in }.callbacks
      #expect(count > 20)
      for last in 0..<count {
        for isBefore in [true, false] {
          let (shown, _, launches, _) = try await run(fixes, stories) { app, device in
            if isBefore {
              device.beforeCallback = { number, _ in
                MainActor.assumeIsolated { if number == last { app.end() } }
              }
            } else {
              device.afterCallback = { number, _ in
                MainActor.assumeIsolated { if number == last { app.end() } }
              }
            }
          }
          #expect(shown == stories.map(\.id).sorted(), "\(last) \(isBefore)")
          #expect(launches >= 1)
        }
      }
    }

    @Test("loses no alert and doubles none, whatever it is doing when it is ended")
    func endedAtOperations() async throws {
      let (fixes, stories) = road(kilometres: 3)
      let whole = try await run(fixes, stories) { _, _ in }
      #expect(whole.shown == stories.map(\.id).sorted() && whole.operations > 50)
      var ended = 0
      for last in 0..<whole.operations {
        let (shown, _, launches, _) = try await run(fixes, stories) { app, _ in
          app.nextLife = Life(operations: last)
        }
        #expect(shown == whole.shown, "\(last)")
        ended += launches - 1
      }
      #expect(ended > whole.operations / 2)
    }

    private func run(
      _ fixes: [PhoneFix], _ stories: [Place],
      _ prepare: (TestApp, SimulatedDevice) -> Void
    ) async throws -> (shown: [String], callbacks: Int, launches: Int, operations: Int) {
      var behaviour = SimulatedDevice.Behaviour()
      behaviour.crossingSeconds = 0
      behaviour.significantChangeSeconds = 30
      behaviour.significantChangeScatterMeters = 0
      let app = try TestApp(stories: stories, behaviour: behaviour)
      prepare(app, device)
      device.follow(Array(fixes.prefix(1)))
      device.open()
      await app.alerts?.finishHandover()
      await app.follow(Array(fixes.dropFirst()))
      // The user opens the app at the end of the day.
      device.open()
      await app.alerts?.finishHandover()
      await wait(app, seconds: 3, after: fixes)
      return (app.shown.sorted(), device.callbackCount, app.launchCount, app.life.count)
    }

    @Test("has saved each alert when the phone's callback returns")
    func savedInTime() async throws {
      let (fixes, stories) = road(kilometres: 2)
      var behaviour = SimulatedDevice.Behaviour()
      behaviour.crossingSeconds = 0
      let app = try TestApp(stories: stories, behaviour: behaviour)
      var (alertCount, unsaved) = (0, 0)
      device.afterCallback = { _, _ in
        MainActor.assumeIsolated {
          for entry in app.entries.dropFirst(alertCount) {
            let identifier = "story.\(entry.story.id)@\(entry.timeMilliseconds)"
            let waiting = try? app.disk.state()?.waiting.map(\.identifier)
            if waiting?.contains(identifier) != true { unsaved += 1 }
          }
          alertCount = app.entries.count
        }
      }
      device.open()
      await app.follow(fixes)
      #expect(alertCount == stories.count && unsaved == 0)
    }

    @Test("alerts for a region that it entered while it was ended")
    func enteredWhileEnded() async throws {
      let app = try TestApp(stories: [story("a", east: 400)])
      device.open()
      let here = fix(0, 0, second: 0)
      await app.follow([here])
      app.end()
      // The system cannot launch the app, as after a restart of the phone before it is unlocked.
      let launch = device.launch
      device.launch = nil
      device.behaviour.reportsRegions = false
      device.follow([fix(0, point(east: 400).longitudeDegrees, second: 100)])
      device.terminate()
      device.launch = launch
      device.open()
      await app.alerts?.finishHandover()
      #expect(app.shown == ["a"])
    }

    @Test("follows other stories after an update of the app")
    func updated() async throws {
      let (fixes, stories) = road(kilometres: 3)
      let app = try TestApp(stories: stories)
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow(Array(fixes.prefix(30)))
      app.end()
      app.stories = try PlaceIndex(
        stories.filter { $0.id != "s5" } + [story("0-new", east: 2600, north: 30)])
      device.open()
      await app.follow(Array(fixes.dropFirst(30)))
      await wait(app, seconds: 3, after: fixes)
      let expected = stories.map(\.id).filter { $0 != "s5" } + ["0-new"]
      #expect(app.shown.sorted() == expected.sorted())
      #expect(device.regions["fencepost.story.s5"] == nil)
    }

    @Test("says that its state cannot be read or saved, and alerts all the same")
    func brokenState() async throws {
      let (fixes, stories) = road(kilometres: 1)
      let app = try TestApp(stories: stories)
      app.updates = .continuous(distanceFilterMeters: 0)
      app.brokenState = true
      device.open()
      await app.follow(fixes)
      await wait(app, seconds: 3, after: fixes)
      #expect(app.shown.sorted() == ["s1", "s2"])
      let sentences = app.problems.all.map(\.description)
      #expect(sentences.contains { $0.hasPrefix("the saved state cannot be read: ") })
      #expect(sentences.contains { $0.hasPrefix("the state cannot be saved: ") })
    }

    @Test("keeps its state in a file")
    func stateFile() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appendingPathComponent("stories.state").path
      let store = StoryStateFile(path: path)
      #expect(try store.load() == nil)
      let (_, stories) = road(kilometres: 1)
      var watch = StoryWatch(stories: try PlaceIndex(stories))
      _ = watch.take(fix(0, 0, second: 0))
      let app = try TestApp(stories: stories)
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow(road(kilometres: 1).fixes)
      let state = try #require(try app.disk.state())
      try store.save(state)
      #expect(try store.load() == state)
      try Data("fencepost-state".utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: (any Error).self) { try store.load() }
    }

    // MARK: CLMonitor

    @Test("alerts by the conditions of a monitor, and goes on with them after it was ended")
    func conditions() async throws {
      let (fixes, stories) = road(kilometres: 2)
      var behaviour = SimulatedDevice.Behaviour()
      behaviour.significantChangeSeconds = 30
      let app = try TestApp(stories: stories, behaviour: behaviour)
      app.regions = .monitor
      device.open()
      await app.settleMonitor()
      await app.follow(Array(fixes.prefix(20)))
      #expect(!device.conditionIdentifiers.isEmpty && device.regions.isEmpty)
      app.end()
      await app.follow(Array(fixes.dropFirst(20)))
      await wait(app, seconds: 3, after: fixes)
      #expect(app.shown.sorted() == stories.map(\.id).sorted())
      #expect(app.entries.contains { $0.isReportedByPhone })
      #expect(app.launchCount == 2)
    }
  }
}
