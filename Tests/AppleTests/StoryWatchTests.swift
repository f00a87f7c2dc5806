import FencepostApple
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostTime
import Foundation
import Testing

@Suite("A story watch")
struct StoryWatchTests {
  private func watch(
    _ stories: [Place] = [story("a", east: 1000)],
    _ change: (inout StoryWatchOptions) -> Void = { _ in }
  ) throws -> StoryWatch {
    var options = StoryWatchOptions()
    options.alerts.cooldown = .none
    change(&options)
    return StoryWatch(stories: try PlaceIndex(stories), options: options)
  }

  /// A fix some meters east of (0, 0).
  private func at(_ east: Double, second: Int64, accuracy: Double = 10) -> PhoneFix {
    let point = point(east: east)
    return fix(
      point.latitudeDegrees, point.longitudeDegrees, second: second, accuracy: accuracy)
  }

  private func entered(_ watch: inout StoryWatch, second: Int64) -> Int {
    watch.phoneEntered(storyID: "a", atMilliseconds: noon + second * 1000).count
  }

  @Test(
    "finds on a track the entries that another program found",
    arguments: ["walk.gpx", "ride.gpx", "standstill.gpx"])
  func path(track: String) throws {
    var watch = try watch(Sample.stories())
    let expected = try Sample.expectedEntries("\(track).fixed-20.oracle.ndjson")
    var found: [String] = []
    for fix in try Sample.track(track) {
      for entry in watch.follow(fix) {
        found.append("\(entry.story.id) \(entry.timeMilliseconds)")
      }
    }
    let expectedMilliseconds = try expected.map { line -> String in
      let parts = line.split(separator: " ")
      let time = try #require(ISO8601.milliseconds(parsing: String(parts[1])))
      return "\(parts[0]) \(time)"
    }
    #expect(found == expectedMilliseconds)
  }

  @Test("counts an entry once, whether the path or the phone reports it first")
  func joining() throws {
    var pathFirst = try watch()
    #expect(pathFirst.follow(at(0, second: 0)).isEmpty)
    #expect(pathFirst.follow(at(1000, second: 100)).count == 1)
    #expect(entered(&pathFirst, second: 160) == 0)

    var phoneFirst = try watch()
    #expect(phoneFirst.follow(at(0, second: 0)).isEmpty)
    #expect(entered(&phoneFirst, second: 110) == 1)
    #expect(phoneFirst.follow(at(1000, second: 300)).isEmpty)
  }

  @Test("takes the phone's late report for the visit that the path has ended")
  func late() throws {
    var watch = try watch()
    _ = watch.follow(at(0, second: 0))
    #expect(watch.follow(at(2000, second: 120)).count == 1)
    #expect(entered(&watch, second: 300) == 0)
    watch.phoneLeft(storyID: "a", atMilliseconds: noon + 320_000)
    // No entry on the path matches this second report.
    #expect(entered(&watch, second: 400) == 1)
  }

  @Test("takes a report that comes much later for a visit of its own")
  func tooLate() throws {
    var watch = try watch()
    _ = watch.follow(at(0, second: 0))
    #expect(watch.follow(at(2000, second: 120)).count == 1)
    #expect(entered(&watch, second: 801) == 1)
  }

  @Test("counts two visits twice where both report both")
  func twoVisits() throws {
    var watch = try watch()
    var count = watch.follow(at(0, second: 0)).count
    for start in [Int64(0), 1000] {
      count += entered(&watch, second: start + 95)
      count += watch.follow(at(1000, second: start + 100)).count
      count += watch.follow(at(0, second: start + 200)).count
      watch.phoneLeft(storyID: "a", atMilliseconds: noon + (start + 230) * 1000)
    }
    #expect(count == 2)
  }

  @Test("ignores a report that the phone repeats")
  func repeated() throws {
    var watch = try watch()
    #expect(entered(&watch, second: 1) == 1)
    #expect(entered(&watch, second: 2) == 0)
    #expect(
      watch.phoneFound(storyID: "a", isInside: true, atMilliseconds: noon + 3000).isEmpty)
  }

  @Test("notes silently where the phone is when it begins to monitor")
  func foundInside() throws {
    var watch = try watch()
    #expect(watch.phoneFound(storyID: "a", isInside: true, atMilliseconds: noon).isEmpty)
    // The report of a crossing counts all the same.
    #expect(entered(&watch, second: 60) == 1)
  }

  @Test("alerts for where the phone is at first if it is asked to")
  func initialEnter() throws {
    var watch = try watch { $0.monitoring.initial = .enter }
    #expect(watch.phoneFound(storyID: "a", isInside: true, atMilliseconds: noon).count == 1)
  }

  @Test("takes a side that changed unheard for a crossing")
  func lostCrossing() throws {
    var watch = try watch()
    #expect(watch.phoneFound(storyID: "a", isInside: false, atMilliseconds: noon).isEmpty)
    #expect(
      watch.phoneFound(storyID: "a", isInside: true, atMilliseconds: noon + 60_000).count == 1)
    #expect(
      watch.phoneFound(storyID: "a", isInside: false, atMilliseconds: noon + 90_000).isEmpty)
    #expect(entered(&watch, second: 3600) == 1)
  }

  @Test("leaves out what no story knows")
  func unknownStory() throws {
    var watch = try watch()
    #expect(watch.phoneEntered(storyID: "b", atMilliseconds: noon).isEmpty)
    #expect(watch.phoneFound(storyID: "b", isInside: true, atMilliseconds: noon).isEmpty)
    watch.phoneLeft(storyID: "b", atMilliseconds: noon)
  }

  @Test("counts the fixes that it does not take")
  func rejections() throws {
    var watch = try watch()
    _ = watch.follow(at(0, second: 10))
    for bad in [at(0, second: 20, accuracy: -1), at(0, second: 20, accuracy: .nan)] {
      #expect(watch.follow(bad).isEmpty)
    }
    #expect(watch.follow(at(1000, second: 10)).isEmpty)
    #expect(watch.follow(fix(91, 0, second: 30)).isEmpty)
    #expect(watch.rejections == [.invalid: 3, .notNewer: 1])
    #expect(watch.lastFix == at(0, second: 10))
  }

  @Test("goes on when the phone's clock has been set back")
  func clock() throws {
    var watch = try watch()
    _ = watch.follow(at(0, second: 0))
    _ = watch.follow(at(0, second: 86_400))
    // An old fix that the phone had kept.
    #expect(watch.follow(at(500, second: 50), nowMilliseconds: noon + 86_410_000).isEmpty)
    #expect(watch.rejections == [.notNewer: 1])
    #expect(watch.follow(at(0, second: 100), nowMilliseconds: noon + 100_000).isEmpty)
    #expect(watch.follow(at(1000, second: 200), nowMilliseconds: noon + 200_000).count == 1)
  }

  @Test("lets a vague fix choose regions and cross nothing")
  func vague() throws {
    var watch = try watch()
    _ = watch.follow(at(0, second: 0))
    #expect(watch.follow(at(2000, second: 60, accuracy: 1500)).isEmpty)
    #expect(watch.follow(at(3000, second: 120)).isEmpty)
    #expect(watch.follow(at(1000, second: 180)).count == 1)
  }

  @Test("refuses at speed by the phone's speed, or the path's")
  func speed() throws {
    var watch = try watch { $0.alerts.maxAlertSpeedMetersPerSecond = 15 }
    _ = watch.follow(at(0, second: 0))
    let entries = watch.follow(at(1000, second: 50))
    #expect(entries.map(\.decision) == [.suppressed(.driving)])
  }

  // MARK: Regions

  @Test("wants the nearest edges first, and the tripwire before them")
  func regions() throws {
    let stories = [
      story("far", east: 2000), story("near", east: 1000), story("wide", east: 1500, radius: 900),
    ]
    var watch = try watch(stories) { $0.monitoring.hasTripwire = true }
    #expect(watch.regions.isEmpty)
    _ = watch.follow(at(0, second: 0))
    let regions = watch.regions
    #expect(
      regions.map(\.identifier) == [
        "fencepost.tripwire", "fencepost.story.wide", "fencepost.story.near",
        "fencepost.story.far",
      ])
    #expect(regions.map(\.radiusMeters) == [500, 900, 100, 100])
    #expect(StoryWatch.storyID(ofRegion: "fencepost.story.near") == "near")
    #expect(StoryWatch.storyID(ofRegion: StoryWatch.tripwireIdentifier) == nil)
  }

  @Test("lays the tripwire of the adaptive rule where the nearest unmonitored edge is")
  func adaptiveTripwire() throws {
    let stories = (1...4).map { story("\($0)", east: Double($0) * 1000) }
    var watch = try watch(stories) {
      $0.monitoring.hasTripwire = true
      $0.monitoring.refresh = .adaptive
      $0.monitoring.limit = 3
    }
    _ = watch.follow(at(0, second: 0))
    let wire = try #require(watch.regions.first)
    #expect(wire.identifier == StoryWatch.tripwireIdentifier)
    #expect(abs(wire.radiusMeters - 2900) < 10)
    #expect(watch.regions.count == 3)
  }

  // MARK: Going on

  @Test("goes on from a snapshot as if it had not ended, at every fix")
  func snapshot() throws {
    let stories = try PlaceIndex(Sample.stories())
    var whole = StoryWatch(stories: stories)
    var broken = StoryWatch(stories: stories)
    var count = 0
    for fix in try Sample.track("ride.gpx") {
      let data = try JSONEncoder().encode(broken.snapshot)
      broken = StoryWatch(
        stories: stories, snapshot: try JSONDecoder().decode(StoryWatch.Snapshot.self, from: data))
      let entries = whole.follow(fix)
      #expect(broken.follow(fix) == entries)
      count += entries.count
    }
    #expect(count > 10)
  }

  @Test("knows what has alerted after the stories have changed")
  func otherStories() throws {
    var old = try watch([story("a", east: 1000), story("gone", east: 2000)]) {
      $0.alerts.cooldown = .forever
    }
    _ = old.follow(at(0, second: 0))
    #expect(old.follow(at(1000, second: 100)).count == 1)
    let stories = try PlaceIndex([
      story("a", east: 1000), story("0-new", east: 1000), story("next", east: 1500),
    ])
    var watch = StoryWatch(stories: stories, options: old.options, snapshot: old.snapshot)
    // The new story around the phone takes its side silently.
    #expect(watch.follow(at(1010, second: 110)).isEmpty)
    #expect(entered(&watch, second: 115) == 0)
    #expect(watch.follow(at(1500, second: 200)).map(\.story.id) == ["next"])
    let back = watch.follow(at(1000, second: 300))
    #expect(Set(back.map(\.story.id)) == ["a", "0-new"])
    #expect(
      back.first { $0.story.id == "a" }?.decision == .suppressed(.cooldown))
  }

  @Test("replaces its stories while it runs")
  func replacing() throws {
    var watch = try watch()
    _ = watch.follow(at(0, second: 0))
    watch.replaceStories(try PlaceIndex([story("b", east: 500)]))
    #expect(watch.regions.map(\.identifier) == ["fencepost.story.b"])
    #expect(watch.follow(at(1000, second: 100)).map(\.story.id) == ["b"])
  }
}
