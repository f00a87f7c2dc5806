import CoreLocation
// sample: imports
import FencepostApple
import Foundation
// end
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostStateFile
import TestSupport
import Testing
import UserNotifications

// The guide's code, between marks, so that it is compiled and run; the last test compares the page with it.

// sample: app
@MainActor
final class Alerts {
  let phone = CoreLocationPhone()
  let center = UserNotificationCenter()
  let stories: StoryAlerts

  /// Called in `application(_:didFinishLaunchingWithOptions:)`, whatever the app is launched for.
  init(_ places: [Place], folder: URL) throws {
    let scheduler = NotificationScheduler(
      statePath: folder.appendingPathComponent("notifications.state").path, center: center
    ) { .now }
    stories = StoryAlerts(
      stories: try PlaceIndex(places), phone: phone, center: center, scheduler: scheduler,
      store: StoryStateFile(path: folder.appendingPathComponent("stories.state").path))
    stories.onProblem = { problem in print(problem) }
    stories.start()
  }

  /// Called when the user has seen what alerts are good for.
  func askForPermission() async throws {
    phone.requestPermission()
    _ = try await center.requestPermission()
    if let problem = await center.permissionProblem() { print(problem) }
  }
}
// end

extension OnePhone {
  @Suite("The guide to Apple's systems")
  @MainActor
  struct AppleGuideTests {
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try await body(folder)
    }

    @Test("has an app that alerts, and has alerted when it is launched again")
    func app() async throws {
      let device = SimulatedDevice.current
      var behavior = SimulatedDevice.Behavior()
      behavior.significantChangeScatterMeters = 0
      device.reset(at: Date(), behavior: behavior)
      UNUserNotificationCenter.current().reset()
      try await withFolder { folder in
        let here = Place(id: "here", coordinate: point(east: 600))
        let start = WallClock.nowMilliseconds
        var fixes = [fix(0, 0, second: 0), fix(0, here.coordinate.longitudeDegrees, second: 0)]
        fixes[0].timeMilliseconds = start
        fixes[1].timeMilliseconds = start + 310_000
        var app: Alerts?
        device.launch = { MainActor.assumeIsolated { app = try? Alerts([here], folder: folder) } }
        device.open()
        device.follow(fixes)
        try await app?.askForPermission()
        await app?.stories.finishHandover()
        #expect(UNUserNotificationCenter.current().shown.count == 1)
        device.terminate()
        device.open()
        await app?.stories.finishHandover()
        #expect(UNUserNotificationCenter.current().shown.count == 1)
      }
    }

    @Test("has a monitor and rules of its own")
    func variants() async throws {
      SimulatedDevice.current.reset(at: noonDate)
      // sample: variants
      var options = StoryAlertsOptions()
      options.watch.monitoring.refresh = .adaptive
      options.watch.monitoring.hasTripwire = true
      options.watch.alerts.maxAlertSpeedMetersPerSecond = 15
      let fixes = CoreLocationPhone(updates: .continuous(distanceFilterMeters: 10))
      let phone = ConditionPhone(fixes: fixes)
      // end
      #expect(phone.permission.problem == nil)
      #expect(options.watch.monitoring.hasTripwire)
    }

    @Test("shows exactly the code that was compiled")
    func page() throws {
      let guide = Document.project.appendingPathComponent(
        "Sources/Faces/Apple/Documentation.docc/Apple.md")
      let compiled = DocumentedSamples.compiled(
        in: try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8))
      let page = DocumentedSamples.shown(in: try String(contentsOf: guide, encoding: .utf8))
      #expect(compiled.count == 3 && page.filter { !$0.hasPrefix(".package(") } == compiled)
    }
  }
}
