import CoreLocation
import FencepostApple
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import Foundation
import Testing
import UserNotifications

extension OnePhone {
  @Suite("Failures of an app with story alerts")
  @MainActor
  struct AppFailureTests {
    private let device = SimulatedDevice.current
    private let center = UNUserNotificationCenter.current()

    @Test(
      "says in a sentence what the user does not allow",
      arguments: [
        (CLAuthorizationStatus.denied, PhoneProblem.locationDenied),
        (.restricted, .locationRestricted), (.notDetermined, .locationNotAsked),
      ])
    func permission(status: CLAuthorizationStatus, problem: PhoneProblem) async throws {
      let (fixes, stories) = road(kilometers: 2)
      var behavior = SimulatedDevice.Behavior()
      behavior.crossingSeconds = 0
      let app = try TestApp(stories: stories, behavior: behavior)
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
      let (_, stories) = road(kilometers: 2)
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
      let (fixes, stories) = road(kilometers: 1)
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
      device.behavior.hasSignificantChanges = false
      device.behavior.greatestRadiusMeters = -1
      device.open()
      #expect(
        app.problems.all.prefix(2) == [.significantChangesUnavailable, .regionsUnavailable])
    }

    @Test("says which region is not monitored, and tries again at the next fix")
    func regionFailure() async throws {
      let (_, stories) = road(kilometers: 2)
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

    @Test("shows an alert later that the notification center refused at first")
    func refusedAlert() async throws {
      let (fixes, stories) = road(kilometers: 1)
      let app = try TestApp(stories: stories)
      app.updates = .continuous(distanceFilterMeters: 0)
      device.open()
      center.fail(2)
      await app.follow(fixes)
      await app.wait(seconds: 3, after: fixes)
      #expect(app.shown.sorted() == ["s1", "s2"])
      #expect(
        app.problems.all.contains {
          if case .notificationFailed = $0 { true } else { false }
        })
    }
  }
}
