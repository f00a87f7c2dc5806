import FencepostSession
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones
import Foundation
import SampleStories
import TestSupport
import Testing

@Suite("Simulated phones over several tracks")
struct PhonePersonTests {
  private static let center = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)

  /// Writes walks east past the place, one a day from a day in March on, as one file or one each.
  private func write(
    _ days: ClosedRange<Int>, together: Bool, prefix: String = "day", in folder: ScratchFolder
  ) throws -> [String] {
    let header = "time,lat,lon\n"
    func day(_ day: Int) -> String {
      (0..<60).map { minute in
        let longitude = -75.18 + Double(minute) * 0.0008
        func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "2026-03-\(padded(day))T09:\(padded(minute)):00Z,39.9502,\(longitude)\n"
      }.joined()
    }
    let texts =
      together ? [(prefix, days.map(day).joined())] : days.map { ("\(prefix)\($0)", day($0)) }
    return try texts.map { name, text in
      let file = folder.url.appendingPathComponent("\(name).csv")
      try (header + text).write(to: file, atomically: true, encoding: .utf8)
      return file.path
    }
  }

  private func analyze(
    _ groups: [PersonTracks<String>], trials: Int = 100, profile: PhoneProfile? = nil,
    _ change: (inout AlertOptions) -> Void = { _ in }
  ) async throws -> (analyses: [TrackAnalysis], totals: ProfileTotals) {
    var options = TrackAnalysisOptions()
    options.chance = ChanceOptions(
      profiles: [profile ?? Self.android], simulation: .init(trials: trials))
    options.chance?.measuresDoubts = false
    change(&options.session.alerts)
    let places = [Place(key: 1, id: "story", coordinate: Self.center, radiusMeters: 60)]
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
    return (analyses, try #require(totals.profiles.first))
  }

  /// An Android phone that is often silent.
  private static var android: PhoneProfile {
    var profile = BuiltInProfile.android.profile
    profile.delivery.neverShare[.residential].value = 0.4
    return profile
  }

  @Test("A week in one file and in seven files is the same, but for chance")
  func week() async throws {
    let folder = try ScratchFolder()
    let one = try write(1...7, together: true, prefix: "week", in: folder)
    let seven = try write(1...7, together: false, in: folder)
    let whole = try await analyze([PersonTracks(person: "a", tracks: one)], trials: 400) {
      $0.cooldown = .none
    }.totals
    let parts = try await analyze([PersonTracks(person: "a", tracks: seven)], trials: 400) {
      $0.cooldown = .none
    }.totals
    #expect(whole.all.due == 7 && parts.all.due == 7)
    let shares = [try #require(whole.probability), try #require(parts.probability)]
    // The standard deviation of 2,800 entries is below 0.01.
    #expect(abs(shares[0] - shares[1]) < 0.04 && abs(shares[0] - 0.57) < 0.06, "\(shares)")
    #expect(whole.fatigue.days == 7 * 400 && parts.fatigue.days == 7 * 400)
    #expect(abs((whole.fatigue.mean ?? 0) - (parts.fatigue.mean ?? 0)) < 0.05)
    // The first day's alert cannot stand for another day's entry.
    let story = try #require(whole.stories[0])
    #expect(try #require(story.probability) > 0.99)
    let (low, high) = (
      try #require(story.chance.delaySeconds.quantile(0)),
      try #require(story.chance.delaySeconds.quantile(1))
    )
    #expect(low > -1000 && high < 2000)
  }

  @Test("The name of a file changes no random number")
  func names() async throws {
    let folder = try ScratchFolder()
    let first = try write(1...1, together: true, prefix: "a", in: folder)
    let second = try write(1...1, together: true, prefix: "another name", in: folder)
    let found = try await analyze(PersonTracks.alone(first + second)).analyses
    #expect(found[0].chances[0].stories == found[1].chances[0].stories)
    let next = try await analyze(
      PersonTracks.alone(try write(2...2, together: true, prefix: "b", in: folder))
    ).analyses
    #expect(found[0].chances[0].stories != next[0].chances[0].stories)
  }

  @Test("A cooldown holds on a phone from the alert that came, and a later one is counted apart")
  func cooldown() async throws {
    let folder = try ScratchFolder()
    let group = [
      PersonTracks(person: "a", tracks: try write(1...3, together: false, in: folder))
    ]
    let totals = try await analyze(group, trials: 1000).totals
    // One alert is due; where it is lost, with 0.4, the next day's comes with 0.6, and so on.
    #expect(totals.all.due == 1)
    let probability = try #require(totals.probability)
    #expect(abs(probability - 0.6) < 0.06)
    let later = try #require(totals.laterAlertsPerRun)
    #expect(abs(later - (0.4 * 0.6 + 0.4 * 0.4 * 0.6)) < 0.06, "\(later)")
    // Never two alerts in a run: as many days with one as alerts.
    let days = totals.fatigue
    #expect(days.days == 3000 && days.most == 1)
    #expect(days.days(over: 0) == totals.all.chance[.alert] + totals.all.laterAlerts)
    let without = try await analyze(group, trials: 1000) { $0.cooldown = .none }.totals
    #expect(without.all.due == 3 && without.all.laterAlerts == 0)
  }

  @Test("Quiet hours hold back what a phone reports in them")
  func quiet() async throws {
    let folder = try ScratchFolder()
    let group = PersonTracks.alone(try write(1...1, together: false, in: folder))
    let (start, end) = (try #require(TimeOfDay(hour: 8)), try #require(TimeOfDay(hour: 10)))
    let totals = try await analyze(group) {
      $0.quietHours = QuietHours(start: start, end: end, zone: .utc)
    }.totals
    #expect(totals.all.due == 0 && totals.heldBack == 1)
    #expect(totals.fatigue.most == 0 && totals.all.falseAlerts == 0)
  }

  @Test("An alert after midnight counts on its day, though the walk ended before")
  func midnight() async throws {
    let folder = try ScratchFolder()
    let rows = (30..<60).map { minute in
      "2026-03-04T23:\(minute):00Z,39.9502,\(-75.16 - Double(59 - minute) * 0.0008)\n"
    }
    let file = folder.url.appendingPathComponent("walk.csv")
    try ("time,lat,lon\n" + rows.joined()).write(to: file, atomically: true, encoding: .utf8)
    let totals = try await analyze(PersonTracks.alone([file.path]), trials: 400).totals
    let days = totals.fatigue
    #expect(days.days == 2 * 400)
    #expect(days.alerts > 0 && days.alerts == totals.all.chance[.alert])
  }
}
