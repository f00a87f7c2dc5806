import CoreLocation
import FencepostApple
import FencepostFiles
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPlaceList
import FencepostPlaces
import FencepostStateFile
import FencepostTracks
import Foundation
import TestSupport
import Testing
import UserNotifications

extension OnePhone {
  @Suite("The state and the settings of an app with story alerts")
  @MainActor
  struct AppStateTests {
    private let device = SimulatedDevice.current
    private let center = UNUserNotificationCenter.current()

    private func app(_ stories: [Place]) throws -> (TestApp, LockableStories) {
      let app = try TestApp(stories: stories)
      app.updates = .continuous(distanceFilterMeters: 0)
      let store = LockableStories(app.disk.stories(Life()))
      app.store = store
      return (app, store)
    }

    @Test("that cannot be read at a launch is not overwritten, and counts once it can be read")
    func locked() async throws {
      let (fixes, stories) = road(kilometers: 1, back: true)
      let (app, store) = try app(stories)
      device.open()
      await app.follow(Array(fixes.prefix(12)))
      #expect(app.shown == ["s1"])
      app.end()
      store.isLocked = true
      device.open()
      #expect(
        app.problems.all.contains { if case .stateNotLoaded = $0 { true } else { false } })
      await app.follow([fixes[12]])
      store.isLocked = false
      await app.follow(Array(fixes.dropFirst(13)))
      await app.wait(seconds: 3, after: fixes)
      // The way back passes s1 again, within its cooldown.
      #expect(app.shown == ["s1", "s2"])
      let saved = try #require(try store.load())
      #expect(
        ["s1", "s2"].allSatisfy { saved.watch.policy.lastAlertMilliseconds(placeID: $0) != nil })
    }

    @Test("whose alert was granted while it could not be read keeps that and what it held before")
    func merged() async throws {
      let (fixes, stories) = road(kilometers: 1, back: true)
      let (app, store) = try app(stories)
      device.open()
      await app.follow(Array(fixes.prefix(12)))
      app.end()
      store.isLocked = true
      device.open()
      await app.follow(Array(fixes[12..<20]))
      #expect(app.shown == ["s1", "s2"])
      store.isLocked = false
      await app.follow(Array(fixes[20...]))
      await app.wait(seconds: 3, after: fixes)
      #expect(app.shown == ["s1", "s2"])
    }

    @Test("that is damaged is put aside when the app says so, and kept")
    func damaged() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appendingPathComponent("stories.state").path
      try Data("fencepost-state 1 0 9\nbroken".utf8).write(to: URL(fileURLWithPath: path))
      let (fixes, stories) = road(kilometers: 1)
      let app = try TestApp(stories: stories)
      app.updates = .continuous(distanceFilterMeters: 0)
      app.store = StoryStateFile(path: path)
      device.open()
      await app.follow(Array(fixes.prefix(3)))
      #expect(throws: StateFileError.self) { try StoryStateFile(path: path).load() }
      try #require(app.alerts).replaceUnreadableState()
      #expect(try StoryStateFile(path: path).load() != nil)
      #expect(FileManager.default.fileExists(atPath: path + "-unreadable"))
      let count = app.problems.all.count
      await app.follow(Array(fixes.dropFirst(3)))
      #expect(app.problems.all.count == count)
    }

    @Test("shows alerts while the app is in front, unless the app has a delegate that does not")
    func inFront() async throws {
      let (fixes, stories) = road(kilometers: 1)
      let (app, _) = try app(stories)
      device.open()
      center.isInFront = true
      await app.follow(fixes)
      await app.wait(seconds: 3, after: fixes)
      #expect(app.shown == ["s1", "s2"])
    }

    @Test("follows and alerts in front with While Using, and monitors no regions then")
    func whileUsing() async throws {
      let (fixes, stories) = road(kilometers: 1)
      let app = try TestApp(stories: stories)
      device.permit(.authorizedWhenInUse)
      device.open()
      await app.follow(fixes)
      await app.wait(seconds: 3, after: fixes)
      #expect(app.shown == ["s1", "s2"] && device.regions.isEmpty)
      #expect(app.problems.all.first == .locationOnlyInUse)
      #expect(app.alerts?.lastProblem == app.problems.all.last)
    }

    @Test("says that the user has turned off alerts among the notification settings")
    func hidden() async {
      center.reset()
      let alerts = UserNotificationCenter { _ in }
      #expect(await alerts.permissionProblem() == nil)
      center.permitAlerts(.disabled)
      #expect(await alerts.permissionProblem() == .notificationsHidden)
    }

    @Test("opens a monitor only after the phone was unlocked")
    func unlocked() async throws {
      let (_, stories) = road(kilometers: 1)
      _ = try TestApp(stories: stories)
      let (unlocks, unlock) = AsyncStream.makeStream(of: Void.self)
      let phone = ConditionPhone(
        fixes: CoreLocationPhone(), unlocked: { for await _ in unlocks { return } })
      let (known, isKnown) = AsyncStream.makeStream(of: Void.self)
      phone.onEvent = { if case .regionsKnown = $0 { isKnown.yield() } }
      phone.start()
      for _ in 0..<100 { await Task.yield() }
      #expect(phone.regions == nil)
      unlock.yield()
      for await _ in known { break }
      #expect(phone.regions == [])
    }

    @Test("opens one monitor however often a phone is stopped and started")
    func oneMonitor() async throws {
      let (_, stories) = road(kilometers: 1)
      let app = try TestApp(stories: stories)
      app.regions = .monitor
      device.open()
      await app.settleMonitor()
      // The stand-in traps at a second monitor of the same name.
      for _ in 0..<3 {
        app.alerts?.stop()
        app.alerts?.start()
        await app.settleMonitor()
      }
      await app.follow(road(kilometers: 1).fixes)
      #expect(app.shown == ["s1", "s2"])
    }

    @Test("takes a phone as unlocked once if a file of the default protection can be used")
    func firstUnlock() throws {
      let folder = try ScratchFolder()
      let mark = folder.url.appendingPathComponent("unlocked")
      #expect(FirstUnlock.hasPassed(mark: mark) && FirstUnlock.hasPassed(mark: mark))
      #expect(!FirstUnlock.hasPassed(mark: mark.appendingPathComponent("nowhere")))
    }
  }
}

@Suite("Errors in an app")
struct LocalizedErrorTests {
  private static let errors: [any Error & CustomStringConvertible] = [
    PhoneProblem.locationDenied, PhoneProblem.storiesNotFetched(reason: "offline"),
    StateFileError(code: .diskFull, subject: "x.state"), KindRegistryError.nameTaken("habit"),
    CalendarPatternError.empty,
    PlaceListError.format(file: "stories.csv", line: 2, sentence: "the row is cut off"),
    PlaceStoreError(code: .locked, path: "stories.sqlite"),
    PlaceImportError.store(PlaceStoreError(code: .missing, path: "stories.sqlite")),
    ByteSourceError(kind: .missing, name: "walk.gpx"),
    GunzipError(reason: .truncated, compressedByteOffset: 9),
    DecodeError("no time", line: 3),
    FixSourceError(name: "walk.gpx", cause: .contents(DecodeError("no time", line: 3))),
  ]

  @Test("have their sentence as the localized description", arguments: errors.indices)
  func sentences(index: Int) throws {
    let error = Self.errors[index]
    #expect(error.localizedDescription == error.description)
  }
}

@Suite("The way between two fixes")
struct StoryGapTests {
  private func watch() throws -> StoryWatch {
    StoryWatch(stories: try PlaceIndex([story("half-way", east: 2000)]))
  }

  private func fix(east: Double, second: Int64) -> PhoneFix {
    let place = point(east: east)
    return AppleTests.fix(place.latitudeDegrees, place.longitudeDegrees, second: second)
  }

  @Test("makes no alert if it took longer than two minutes, unless the phone is there now")
  func gap() throws {
    for (seconds, entries) in [(Int64(120), 1), (121, 0), (360, 0)] {
      var watch = try watch()
      #expect(watch.follow(fix(east: 0, second: 0)).isEmpty)
      #expect(watch.follow(fix(east: 4000, second: seconds)).count == entries)
    }
    var watch = try watch()
    _ = watch.follow(fix(east: 0, second: 0))
    let entry = try #require(watch.follow(fix(east: 2000, second: 360)).first)
    #expect(entry.timeMilliseconds == noon + 360_000)
  }

  @Test("makes no alert if it is five minutes old when the fixes come")
  func age() throws {
    for (now, entries) in [(Int64(330), 1), (400, 0)] {
      var watch = try watch()
      _ = watch.follow(fix(east: 0, second: 0))
      let found = watch.follow(fix(east: 4000, second: 100), nowMilliseconds: noon + now * 1000)
      #expect(found.count == entries)
    }
  }
}
