import CoreLocation
import FencepostSession
import FencepostApple
import FencepostExpectations
import FencepostFixes
import FencepostMonitoring
import FencepostStateFile
import Foundation
import StoryCore
import TestSupport
import Testing
import UserNotifications

/// The tutorial's program as its readers run it, and its alerts on the simulated phone.
///
/// `Tools/check products` follows the steps.
@Suite("The tutorial of story alerts")
struct StoryWalkTests {
  private static let catalog = Document.project.appendingPathComponent(
    "Sources/Faces/Apple/Documentation.docc")
  fileprivate static let samples = Document.project.appendingPathComponent("Data/app")

  /// The program, beside the test bundle in the folder of built products.
  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("Replay")

  /// A run of the program in a folder, fed by hand.
  private final class Run {
    private let folder: ScratchFolder
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    init(in folder: ScratchFolder, _ arguments: [String] = []) throws {
      self.folder = folder
      process.executableURL = StoryWalkTests.program
      process.arguments = arguments
      process.currentDirectoryURL = folder.url
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    func feed(_ lines: some Sequence<String>) throws {
      try input.fileHandleForWriting.write(contentsOf: Data(lines.joined().utf8))
    }

    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    /// Ends the input; the lines that the program prints.
    func finish() throws -> [String] {
      try input.fileHandleForWriting.close()
      let data = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  private static func walk() throws -> [String] {
    try String(contentsOf: samples.appendingPathComponent("walk.jsonl"), encoding: .utf8)
      .split(separator: "\n").map { "\($0)\n" }
  }

  fileprivate static func fixes() throws -> [PhoneFix] {
    try walk().map { try JSONDecoder().decode(PhoneFix.self, from: Data($0.utf8)) }
  }

  private func folder() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try FileManager.default.copyItem(
      at: Self.samples.appendingPathComponent("stories.json"),
      to: folder.url.appendingPathComponent("stories.json"))
    return folder
  }

  /// The time of the last fix that the program has saved.
  private func savedMilliseconds(in folder: ScratchFolder) -> Int64? {
    struct Journal: Decodable {
      struct Watch: Decodable { var lastFix: PhoneFix? }
      var watch: Watch?
    }
    let file = StateFile(path: folder.url.appendingPathComponent("walk.state").path)
    guard let bytes = try? file.read() else { return nil }
    let journal = try? JSONDecoder().decode(Journal.self, from: Data(bytes))
    return journal?.watch?.lastFix?.timeMilliseconds
  }

  @Test("alerts once for each story, however often the program is killed and run again")
  func killed() async throws {
    let (walk, fixes) = (try Self.walk(), try Self.fixes())
    let whole = try Run(in: folder())
    try whole.feed(walk)
    let expected = try whole.finish()
    #expect(expected.count == 21)
    let folder = try folder()
    for count in [50, 300, 500] {
      let run = try Run(in: folder)
      try run.feed(walk.prefix(count))
      while savedMilliseconds(in: folder) != fixes[count - 1].timeMilliseconds {
        try await Task.sleep(for: .milliseconds(5))
      }
      run.kill()
    }
    // Somewhere in its work.
    let run = try Run(in: folder)
    try run.feed(walk)
    run.kill()
    let last = try Run(in: folder)
    try last.feed(walk)
    #expect(try last.finish() == expected)
  }

  @Test("finds every story that an independent program finds without limits")
  func complete() throws {
    let run = try Run(in: folder(), ["check"])
    try run.feed(Self.walk())
    #expect(try run.finish() == ["missed 0 of 21"])
    let entered = Set(
      try Sample.expectedEntries("walk.gpx.none.oracle.ndjson").compactMap {
        $0.split(separator: " ").first.map(String.init)
      })
    let stories = try loadStories(Self.samples.appendingPathComponent("stories.json"))
    var watch = StoryWatch(stories: stories, options: storyRules().watch)
    let seen = try Self.fixes().flatMap { watch.follow($0) }
    #expect(Set(seen.map(\.story.id)) == entered)
  }

  @Test("alerts as an app's own test of its stories expects")
  func expectations() throws {
    let stories = try loadStories(Self.samples.appendingPathComponent("stories.json")).places
    let walk = try Self.fixes().map { fix in
      Fix(
        coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
        accuracyMeters: Float(fix.accuracyMeters),
        speedMetersPerSecond: fix.speedMetersPerSecond.map { Float($0) } ?? .nan)
    }
    var rules = TrackSessionOptions()
    (rules.monitoring, rules.alerts) = (storyRules().watch.monitoring, storyRules().watch.alerts)
    // sample
    try expectStories(
      stories, fixes: walk, rules: rules,
      [.alert("independence-hall"), .noAlert("fort-mifflin"), .atMost(21), .certified])
    // end
    try expectStories(stories, fixes: walk, rules: rules, [.atLeast(21)])
    // The rules that the tutorial begins with miss it.
    rules.monitoring.refresh = .fixed
    let failure = #expect(throws: UnmetExpectations.self) {
      try expectStories(stories, fixes: walk, rules: rules, [.alert("independence-hall")])
    }
    #expect(
      failure?.description.hasPrefix(
        "Expected independence-hall to alert, found no alert. The walk entered the circle of")
        == true)
  }

  @Test("shows each of its files in a step, and no other")
  func files() throws {
    let page = try String(
      contentsOf: Self.catalog.appendingPathComponent("StoryWalk.tutorial"), encoding: .utf8)
    let shown = Set(page.matches(of: /file: "([^"]+)"/).map { String($0.1) })
    let resources = Self.catalog.appendingPathComponent("Resources")
    let files = try #require(FileManager.default.enumerator(atPath: resources.path))
    let kept = Set(
      files.compactMap { ($0 as? String).map { URL(fileURLWithPath: $0) } }
        .filter { !$0.pathExtension.isEmpty && $0.pathExtension != "svg" }
        .map(\.lastPathComponent))
    #expect(shown == kept && kept.count > 15)
    let story = try loadStories(resources.appendingPathComponent("Steps/story.json")).places
    #expect(story.map(\.id) == ["firemans-hall"])
  }
}

extension OnePhone {
  @Suite("The tutorial's alerts")
  @MainActor
  struct StoryWalkPhoneTests {
    private let device = SimulatedDevice.current

    private var shown: [String] {
      UNUserNotificationCenter.current().shown.map(\.request.content.title).sorted()
    }

    /// The alerts that a phone shows on the walk if the app is ended after so many fixes.
    private func walk(endedAfter count: Int?) async throws -> [String] {
      let stories = try loadStories(
        StoryWalkTests.samples.appendingPathComponent("stories.json"))
      let fixes = try StoryWalkTests.fixes()
      let folder = try ScratchFolder()
      var behavior = SimulatedDevice.Behavior()
      behavior.significantChangeScatterMeters = 0
      device.reset(
        at: Date(timeIntervalSince1970: Double(fixes[0].timeMilliseconds) / 1000),
        behavior: behavior)
      UNUserNotificationCenter.current().reset()
      var app: StoryCore.Alerts?
      device.launch = {
        MainActor.assumeIsolated {
          // As on a new phone, which has no such folder.
          let support = folder.url.appendingPathComponent("Library/Application Support")
          app = StoryCore.Alerts(stories, folder: support) {
            Int64(SimulatedDevice.current.now.timeIntervalSince1970 * 1000)
          }
        }
      }
      device.open()
      for (number, fix) in fixes.enumerated() {
        device.follow([fix])
        await app?.finish()
        if number == count {
          app = nil
          device.terminate()
        }
      }
      device.open()
      await app?.finish()
      // What was staggered is shown.
      for second in 1...10 {
        var last = fixes[fixes.count - 1]
        last.timeMilliseconds += Int64(second) * 1000
        device.follow([last])
        await app?.finish()
      }
      #expect(device.mostRegions == 20)
      return shown
    }

    @Test("are the same on a phone that ends the app and launches it again")
    func terminated() async throws {
      let whole = try await walk(endedAfter: nil)
      #expect(whole.count > 10 && Set(whole).count == whole.count)
      for count in [30, 400] {
        #expect(try await walk(endedAfter: count) == whole, "\(count)")
      }
    }
  }
}
