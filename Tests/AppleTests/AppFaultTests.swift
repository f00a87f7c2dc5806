import CoreLocation
import FencepostApple
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import Foundation
import TestSupport
import Testing

extension OnePhone {
  /// Faults that apps met on real phones in 2026: see ``SimulatedDevice/Faults``.
  @Suite("An app with story alerts on a faulty system")
  @MainActor
  struct AppFaultTests {
    private let device = SimulatedDevice.current

    /// What the system does wrong, and when, on a way with so many fixes.
    private struct Script {
      var faults = SimulatedDevice.Faults()
      var usesMonitor: Bool
      var seconds: Int64
      var approximate: Range<Int>
      var ends: Set<Int>

      init(_ random: inout SplitMix64, fixes: Int) {
        usesMonitor = random.next() % 4 > 0
        // 10 m/s, 3.3 m/s or 1 m/s.
        seconds = [10, 30, 100][Int(random.next() % 3)]
        faults.repeats = Int(random.next() % 3)
        faults.replays = Int(random.next() % 13)
        faults.keepsRemoved = random.next() % 3 == 0
        faults.seed = random.next()
        let place = Int(random.next() % UInt64(fixes))
        if random.next() % 3 == 0 {
          let start = noonDate.addingTimeInterval(Double(place) * Double(seconds))
          let minutes = 39 + Double(random.next() % 28)
          faults.silences = [start...start.addingTimeInterval(minutes * 60)]
        }
        let from = Int(random.next() % UInt64(fixes))
        approximate = from..<(random.next() % 4 == 0 ? min(fixes, from + 10) : from)
        ends = Set((0..<random.next() % 4).map { _ in Int(random.next() % UInt64(fixes)) })
      }
    }

    @Test("loses no alert that the system delivered, doubles none and makes none up")
    func scripts() async throws {
      var random = SplitMix64(seed: 20_260_918)
      let stories = (1...30).map { story("s\($0)", east: Double($0) * 400, north: 20) }
      let way = (0...40).map { point(east: Double($0) * 100) }
      var (delivered, repeated, replayed) = (0, 0, 0)
      for number in 0..<1000 {
        let script = Script(&random, fixes: way.count)
        let app = try await run(script, stories, way)
        let shown = app.shown
        let missing = Set(device.deliveredEntries).subtracting(shown)
        #expect(missing.isEmpty, "script \(number) lost \(missing.sorted())")
        #expect(Set(shown).count == shown.count, "script \(number) doubled: \(shown)")
        // Phones notice entries early: within 250 m of the edge none is proved false.
        let passed = stories.filter { story in
          way.contains { Geodesic.distanceMeters($0, story.coordinate) <= 350 }
        }
        let madeUp = Set(shown).subtracting(passed.map(\.id))
        #expect(madeUp.isEmpty, "script \(number) made up \(madeUp.sorted())")
        delivered += device.deliveredEntries.count
        repeated += device.repeatedEvents
        replayed += device.replayedEvents
        app.end()
        await app.settleMonitor()
      }
      #expect(delivered > 5000 && repeated > 1000 && replayed > 1000)
    }

    private func run(
      _ script: Script, _ stories: [Place], _ way: [Coordinate]
    ) async throws -> TestApp {
      let app = try TestApp(stories: stories)
      // A cooldown would hide what comes twice.
      app.options.watch.alerts.cooldown = .none
      app.regions = script.usesMonitor ? .monitor : .manager
      device.faults = script.faults
      var last = fix(0, 0, second: 0)
      for (number, point) in way.enumerated() {
        if number == script.approximate.lowerBound, !script.approximate.isEmpty {
          device.permit(.authorizedAlways, accuracy: .reducedAccuracy)
        }
        if number == script.approximate.upperBound { device.permit(.authorizedAlways) }
        last = fix(
          point.latitudeDegrees, point.longitudeDegrees, second: Int64(number) * script.seconds)
        if number == 0 { device.open() }
        await app.follow([last])
        if script.ends.contains(number) { app.end() }
      }
      device.permit(.authorizedAlways)
      device.open()
      await app.wait(seconds: 5, after: [last])
      return app
    }
  }
}
