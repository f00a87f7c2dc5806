import FencepostSession
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostTracks
import Foundation
import SampleStories
import TestSupport
import Testing

@Suite("Persons, over several tracks")
struct PersonTests {
  private static let place = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)

  /// Writes a walk through the place's circle, from a day and hour on.
  private func write(_ name: String, day: Int, hour: Int = 9, in folder: ScratchFolder) throws
    -> String
  {
    var text = "time,lat,lon\n"
    for minute in 0..<10 {
      let longitude = -75.165 + Double(minute) * 0.001
      text += "2026-03-0\(day)T\(hour < 10 ? "0" : "")\(hour):0\(minute):00Z,39.95,\(longitude)\n"
    }
    let file = folder.url.appendingPathComponent(name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  private func analyze(
    _ groups: [PersonTracks<String>], jobs: Int = 1,
    _ change: (inout AlertOptions) -> Void = { _ in }
  ) async throws -> (analyses: [TrackAnalysis], totals: AnalysisTotals) {
    var options = TrackAnalysisOptions()
    options.jobs = jobs
    change(&options.session.alerts)
    let places = [Place(key: 1, id: "story", coordinate: Self.place, radiusMeters: 100)]
    let session = TrackAnalysisSession(index: StoryIndex(places), options: options) {
      SceneSource(places)
    }
    var analyses: [TrackAnalysis] = []
    var totals = AnalysisTotals(storyCount: 1)
    try await session.run(groups) { outcome in
      guard case .success(let analysis) = outcome else { return }
      analyses.append(analysis)
      totals.add(analysis)
    }
    return (analyses, totals)
  }

  @Test("A cooldown goes on from one track of a person to the next, and not to another person's")
  func cooldown() async throws {
    let folder = try ScratchFolder()
    let days = try (1...9).map { try write("d\($0).csv", day: $0, in: folder) }
    let other = try write("other.csv", day: 2, in: folder)
    let found = try await analyze([
      PersonTracks(person: "anna", tracks: days), PersonTracks(person: "ben", tracks: [other]),
    ])
    // Seven days after the first the story may alert again.
    #expect(
      found.analyses.map { $0.account.counts.alerts } == [1, 0, 0, 0, 0, 0, 0, 1, 0, 1])
    // The oracle's policy has the same memory.
    #expect(found.totals.counts.dueAlerts == 3)
    let alone = try await analyze(PersonTracks.alone(days))
    #expect(alone.totals.counts.alerts == 9)
    let forever = try await analyze([PersonTracks(person: "anna", tracks: days)]) {
      $0.cooldown = .forever
    }
    #expect(forever.totals.counts.alerts == 1)
  }

  @Test("Tracks of a person come in time's order, whatever the order of the files")
  func order() async throws {
    let folder = try ScratchFolder()
    // By name the later days come first.
    let paths = try (1...4).map { try write("z\(9 - $0).csv", day: $0, in: folder) }
    var random = SplitMix64(seed: 2)
    for _ in 0..<5 {
      let files = paths.shuffled(using: &random)
      let outlines = files.compactMap { TrackOutline(path: $0, options: .init()) }
      let groups = PersonTracks<String>.groups(files, outlines: outlines) { _ in "anna" }
      #expect(groups == [PersonTracks(person: "anna", tracks: paths)])
    }
  }

  @Test("Person-days, and whom a story reached, are counted by person")
  func personDays() async throws {
    let folder = try ScratchFolder()
    let anna = [
      try write("a1.csv", day: 1, in: folder), try write("a2.csv", day: 1, hour: 20, in: folder),
      try write("a3.csv", day: 2, in: folder),
    ]
    let ben = [try write("b1.csv", day: 1, in: folder)]
    for jobs in [1, 3] {
      let found = try await analyze(
        [PersonTracks(person: "anna", tracks: anna), PersonTracks(person: "ben", tracks: ben)],
        jobs: jobs
      ) { $0.cooldown = .none }
      let fatigue = found.totals.persons.fatigue
      #expect(found.totals.persons.count == 2)
      #expect(fatigue.daysByAlerts == [1: 2, 2: 1])
      #expect(fatigue.quantile(0.5) == 1)
      #expect(fatigue.quantile(0.9) == 2)
      #expect(fatigue.most == 2)
      #expect(fatigue.days(over: 1) == 1)
      let story = found.totals.stories[0]
      #expect(story.persons == 2)
      #expect(story.personDays == 3)
      #expect(story.repeats == 2)
    }
    let alone = try await analyze(PersonTracks.alone(anna + ben)) { $0.cooldown = .none }
    #expect(alone.totals.persons.loneTracks == 4)
    #expect(alone.totals.persons.fatigue.daysByAlerts == [1: 4])
    #expect(alone.totals.stories[0].persons == 4)
  }

  @Test("A local day begins at the zone's midnight")
  func midnight() async throws {
    let folder = try ScratchFolder()
    let track = try write("night.csv", day: 2, hour: 4, in: folder)
    var options = TrackAnalysisOptions()
    options.zone = try #require(ClockZone(identifier: "America/New_York"))
    let session = TrackAnalysisSession(index: StoryIndex([]), options: options) { SceneSource([]) }
    try await session.run([track]) { outcome in
      guard case .success(let analysis) = outcome else { return }
      // 04:00 in UTC is 23:00 of 1 March in New York: day 20,513 since 1970.
      #expect(analysis.account.alertsByDay == [20_513: 0])
    }
  }

  @Test("The bootstrap of a mean agrees with the normal interval, and is the same in every run")
  func bootstrap() throws {
    var random = SplitMix64(seed: 4)
    let sample = (0..<400).map { _ in random.double(0...1) }
    func mean(_ drawn: [Int]) -> Double {
      drawn.reduce(0) { $0 + sample[$1] } / Double(drawn.count)
    }
    let interval = try #require(Bootstrap().interval(of: sample.count, mean))
    let center = mean(Array(sample.indices))
    let deviation = (1.0 / 12).squareRoot() / 20
    #expect(abs(interval.lowerBound - (center - 1.96 * deviation)) < 0.3 * deviation)
    #expect(abs(interval.upperBound - (center + 1.96 * deviation)) < 0.3 * deviation)
    #expect(Bootstrap().interval(of: sample.count, mean) == interval)
    #expect(Bootstrap(seed: 2).interval(of: sample.count, mean) != interval)
    #expect(Bootstrap().interval(of: 1, mean) == nil)
  }
}
