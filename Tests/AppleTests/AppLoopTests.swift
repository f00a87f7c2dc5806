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
    private let center = UNUserNotificationCenter.current()

    /// The stories that a watch alerts for on these fixes, without the phone's regions.
    private func expected(
      _ fixes: [PhoneFix], _ stories: [Place], _ options: StoryWatchOptions = .init()
    ) throws -> [String] {
      var watch = StoryWatch(stories: try PlaceIndex(stories), options: options)
      return fixes.flatMap { watch.follow($0) }.compactMap {
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

    @Test(
      "alerts on every fix's way as the engine does, where updates are continuous",
      arguments: ["walk.gpx", "drive.gpx"])
    func continuous(track: String) async throws {
      let (fixes, stories) = (try Sample.track(track), try Sample.stories())
      var behavior = SimulatedDevice.Behavior()
      behavior.reportsRegions = false
      let app = try TestApp(stories: stories, behavior: behavior)
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow(fixes)
      await app.wait(seconds: 10, after: fixes)
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
      var behavior = SimulatedDevice.Behavior()
      behavior.reportsRegions = false
      let app = try TestApp(stories: stories, behavior: behavior)
      // Significant changes are five minutes apart.
      app.options.watch.maxGapMilliseconds = 600_000
      app.options.watch.maxAgeMilliseconds = 600_000
      device.open()
      await app.follow(fixes)
      await app.wait(seconds: 20, after: fixes)
      let delivered = deliveredFixes
      #expect(delivered.count >= 8 && delivered.count < fixes.count / 4)
      let alerts = try expected(delivered, stories, app.options.watch)
      #expect(alerts.count > 5 && app.shown.sorted() == alerts.sorted())
      #expect(center.lost.isEmpty)
    }

    @Test("gains by the phone's own regions what the sparse path misses, and doubles nothing")
    func bothSources() async throws {
      let (fixes, stories) = (try Sample.track("walk.gpx"), try Sample.stories())
      let app = try TestApp(stories: stories)
      device.open()
      await app.follow(fixes)
      await app.wait(seconds: 20, after: fixes)
      let shown = app.shown
      #expect(Set(shown).count == shown.count)
      #expect(app.entries.contains { $0.isReportedByPhone })
      #expect(app.entries.contains { !$0.isReportedByPhone })
      // What a phone that monitored everything on every fix would have alerted for.
      let full = Set(try expected(fixes, stories))
      #expect(Set(shown).intersection(full).count > full.count / 2)
      #expect(device.mostRegions == 20)
    }

    @Test("alerts once a visit without a cooldown, although path and phone both report each")
    func visits() async throws {
      let (fixes, stories) = road(kilometers: 6, back: true)
      let app = try TestApp(stories: stories)
      app.options.watch.alerts.cooldown = .none
      app.options.watch.joinMilliseconds = 120_000
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow(fixes)
      await app.wait(seconds: 5, after: fixes)
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
      await app.follow(Array(road(kilometers: 1).fixes))
      let content = try #require(center.shown.first?.request.content)
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
      await app.wait(seconds: 10, after: [fix(0, point(east: 550).longitudeDegrees, second: 60)])
      #expect(app.shown.count == 7 && center.lost.isEmpty)
    }

    @Test("alerts by the conditions of a monitor, and goes on with them after termination")
    func conditions() async throws {
      let (fixes, stories) = road(kilometers: 2)
      var behavior = SimulatedDevice.Behavior()
      behavior.significantChangeSeconds = 30
      let app = try TestApp(stories: stories, behavior: behavior)
      app.regions = .monitor
      device.open()
      await app.settleMonitor()
      await app.follow(Array(fixes.prefix(20)))
      #expect(!device.conditionIdentifiers.isEmpty && device.regions.isEmpty)
      app.end()
      await app.follow(Array(fixes.dropFirst(20)))
      await app.wait(seconds: 3, after: fixes)
      #expect(app.shown.sorted() == stories.map(\.id).sorted())
      #expect(app.entries.contains { $0.isReportedByPhone })
      #expect(app.launchCount == 2)
    }
  }
}
