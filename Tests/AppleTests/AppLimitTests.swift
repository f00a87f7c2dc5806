import CoreLocation
import FencepostApple
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import Foundation
import Testing
import UserNotifications

extension OnePhone {
  @Suite("The limits of an app with story alerts")
  @MainActor
  struct AppLimitTests {
    private let device = SimulatedDevice.current
    private let center = UNUserNotificationCenter.current()

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
      let (fixes, stories) = road(kilometers: 1)
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
      device.behavior.hasSignificantChanges = false
      device.behavior.crossingSeconds = 0
      device.follow(Array(fixes.prefix(1)))
      device.open()
      await app.follow(Array(fixes.dropFirst()))
      await app.wait(seconds: 5, after: fixes)
      #expect(device.mostRegions == 20)
      #expect(device.delivered.count > 10)
      #expect(app.shown.count > 10)
      #expect(app.problems.all.contains(.significantChangesUnavailable))
    }

    @Test("clips a radius to the greatest that the phone takes")
    func clipping() async throws {
      let app = try TestApp(stories: [story("wide", east: 3000, radius: 2000)])
      device.behavior.greatestRadiusMeters = 800
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
      #expect(await center.pendingNotificationRequests().count == 64)
      let near = point(east: 520).longitudeDegrees
      await app.follow([fix(0, near, second: 60)])
      await app.wait(seconds: 30, after: [fix(0, near, second: 60)])
      #expect(app.shown.count == 30 && center.lost.isEmpty)
      #expect(center.mostPending == 64)
      #expect(try await scheduler.requests().count { $0.identifier.hasPrefix("reminder.") } == 80)
    }

    @Test("an alert yields to two reminders of its second, and all three are shown")
    func oneSecond() async throws {
      let app = try TestApp(stories: [story("s", east: 500)])
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      await app.follow([fix(0, 0, second: 0)])
      try await app.scheduler?.update { requests in
        for number in 0..<2 {
          requests.append(timed("reminder.\(number)", at: noon + 60_000))
        }
      }
      let near = point(east: 500).longitudeDegrees
      await app.follow([fix(0, near, second: 60)])
      await app.wait(seconds: 30, after: [fix(0, near, second: 60)])
      #expect(app.shown.count == 1 && center.lost.isEmpty)
    }
  }
}
