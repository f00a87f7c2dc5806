import CoreLocation
import FencepostApple
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import Foundation
import Testing
import UserNotifications

extension OnePhone {
  @Suite("Termination of an app with story alerts")
  @MainActor
  struct AppRelaunchTests {
    private let device = SimulatedDevice.current
    private let center = UNUserNotificationCenter.current()

    @Test("loses no alert and doubles none, at whichever callback the app is terminated")
    func endedAtCallbacks() async throws {
      let (fixes, stories) = road(kilometers: 3)
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

    @Test("loses no alert and doubles none, at whichever operation the app is terminated")
    func endedAtOperations() async throws {
      let (fixes, stories) = road(kilometers: 3)
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
      var behavior = SimulatedDevice.Behavior()
      behavior.crossingSeconds = 0
      behavior.significantChangeSeconds = 30
      behavior.significantChangeScatterMeters = 0
      let app = try TestApp(stories: stories, behavior: behavior)
      prepare(app, device)
      device.follow(Array(fixes.prefix(1)))
      device.open()
      await app.alerts?.finishHandover()
      await app.follow(Array(fixes.dropFirst()))
      // The user opens the app at the end of the day.
      device.open()
      await app.alerts?.finishHandover()
      await app.wait(seconds: 3, after: fixes)
      return (app.shown.sorted(), device.callbackCount, app.launchCount, app.life.count)
    }

    @Test("has saved each alert when the phone's callback returns")
    func savedInTime() async throws {
      let (fixes, stories) = road(kilometers: 2)
      var behavior = SimulatedDevice.Behavior()
      behavior.crossingSeconds = 0
      let app = try TestApp(stories: stories, behavior: behavior)
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

    @Test("alerts for a region that was entered while the app was not running")
    func enteredWhileEnded() async throws {
      let app = try TestApp(stories: [story("a", east: 400)])
      device.open()
      let here = fix(0, 0, second: 0)
      await app.follow([here])
      app.end()
      // The system cannot launch the app, as after a restart of the phone before it is unlocked.
      let launch = device.launch
      device.launch = nil
      device.behavior.reportsRegions = false
      device.follow([fix(0, point(east: 400).longitudeDegrees, second: 100)])
      device.terminate()
      device.launch = launch
      device.open()
      await app.alerts?.finishHandover()
      #expect(app.shown == ["a"])
    }

    @Test("follows other stories after an update of the app")
    func updated() async throws {
      let (fixes, stories) = road(kilometers: 3)
      let app = try TestApp(stories: stories)
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow(Array(fixes.prefix(30)))
      app.end()
      app.stories = try PlaceIndex(
        stories.filter { $0.id != "s5" } + [story("0-new", east: 2600, north: 30)])
      device.open()
      await app.follow(Array(fixes.dropFirst(30)))
      await app.wait(seconds: 3, after: fixes)
      let expected = stories.map(\.id).filter { $0 != "s5" } + ["0-new"]
      #expect(app.shown.sorted() == expected.sorted())
      #expect(device.regions["fencepost.story.s5"] == nil)
    }

    @Test("says that its state cannot be read or saved, and alerts all the same")
    func brokenState() async throws {
      let (fixes, stories) = road(kilometers: 1)
      let app = try TestApp(stories: stories)
      app.updates = .continuous(distanceFilterMeters: 0)
      app.brokenState = true
      device.open()
      await app.follow(fixes)
      await app.wait(seconds: 3, after: fixes)
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
      let (_, stories) = road(kilometers: 1)
      var watch = StoryWatch(stories: try PlaceIndex(stories))
      _ = watch.follow(fix(0, 0, second: 0))
      let app = try TestApp(stories: stories)
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow(road(kilometers: 1).fixes)
      let state = try #require(try app.disk.state())
      try store.save(state)
      #expect(try store.load() == state)
      try Data("fencepost-state".utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: (any Error).self) { try store.load() }
    }
  }
}
