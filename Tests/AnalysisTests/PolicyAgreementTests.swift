import FencepostAnalysis
import FencepostSession
import Foundation
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import SampleStories
import FencepostPlaces
import TestSupport
import Testing

/// What became of an entry that the phone saw.
private struct Fate: Hashable, Comparable, CustomStringConvertible {
  var fix: Int
  var fractionMillionths: Int
  var place: String
  var delivery: Int64?
  var reason: String

  var description: String { "\(place) at \(fix): \(reason) \(delivery.map { "\($0)" } ?? "–")" }

  static func < (one: Fate, other: Fate) -> Bool {
    (one.fix, one.fractionMillionths, one.place, one.reason)
      < (other.fix, other.fractionMillionths, other.place, other.reason)
  }
}

/// A rule with a name.
struct NamedRule: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var options: TrackSessionOptions

  init(_ name: String, _ change: (inout TrackSessionOptions) -> Void) {
    testDescription = name
    options = TrackSessionOptions()
    change(&options)
  }

  static let all = [
    NamedRule("the defaults") { _ in },
    NamedRule("adaptive") { $0.monitoring.refresh = .adaptive },
    NamedRule("no cooldown") { $0.alerts.cooldown = .none },
    NamedRule("one alert for ever, adaptive") {
      $0.alerts.cooldown = .forever
      $0.monitoring.refresh = .adaptive
    },
    NamedRule("quiet hours") {
      $0.alerts.quietHours = TimeOfDay(hour: 17, minute: 10).flatMap { start in
        TimeOfDay(hour: 17, minute: 30).flatMap { QuietHours(start: start, end: $0, zone: .utc) }
      }
    },
    NamedRule("no alerts while driving") { $0.alerts.maxAlertSpeedMetersPerSecond = 1.2 },
    NamedRule("one alert a second, one slot") {
      $0.alerts.sameSecondLimit = 1
      $0.alerts.pendingSlots = 1
      $0.alerts.cooldown = .none
    },
    NamedRule("entering where found inside") {
      $0.monitoring.initial = .enter
      $0.alerts.cooldown = .seconds(60)
    },
    NamedRule("adaptive, entering where found inside, wide spots") {
      $0.monitoring.refresh = .adaptive
      $0.monitoring.initial = .enter
      $0.alerts.spotMeters = 300
      $0.alerts.cooldown = .none
    },
    NamedRule("three regions and a tripwire, adaptive") {
      $0.monitoring.refresh = .adaptive
      $0.monitoring.limit = 4
      $0.monitoring.hasTripwire = true
      $0.alerts.cooldown = .none
    },
    NamedRule("ranked by edge, with an exit margin") {
      $0.monitoring.rank = .edge
      $0.monitoring.limit = 5
      $0.monitoring.exitMarginMeters = 30
      $0.alerts.cooldown = .none
    },
    NamedRule("every place") { $0.monitoring.limit = nil },
  ]
}

@Suite("A replay and an analysis decide alike")
struct PolicyAgreementTests {
  private func fates(of events: [Event]) -> [Fate] {
    events.compactMap { event in
      switch event {
      case .alert(let met, let alert):
        Fate(
          fix: met.fix, fractionMillionths: Int((met.fraction * 1e6).rounded()),
          place: met.placeID, delivery: alert.deliveryMilliseconds, reason: "alert")
      case .suppressed(let met, let reason):
        Fate(
          fix: met.fix, fractionMillionths: Int((met.fraction * 1e6).rounded()),
          place: met.placeID, delivery: nil, reason: reason)
      default: nil
      }
    }.sorted()
  }

  private func fates(of analysis: TrackAnalysis, _ places: [Place]) -> [Fate] {
    analysis.entries.compactMap { entry in
      guard entry.isAlert || entry.suppression != nil else { return nil }
      // The phone learned of a late entry where it was found inside.
      let time = entry.foundMilliseconds ?? entry.timeMilliseconds
      return Fate(
        fix: entry.foundFix ?? entry.fix,
        fractionMillionths: entry.foundFix == nil ? Int((entry.fraction * 1e6).rounded()) : -1,
        place: places[entry.story].id,
        delivery: entry.isAlert ? entry.deliveryMilliseconds ?? time : nil,
        reason: entry.suppression?.rawValue ?? "alert")
    }.sorted()
  }

  /// Entries that were found late have no fraction in an analysis; they are compared without.
  private func expectSame(_ replayed: [Fate], _ analyzed: [Fate]) {
    var left = replayed
    for fate in analyzed {
      let index = left.firstIndex {
        ($0.fix, $0.place, $0.delivery, $0.reason)
          == (fate.fix, fate.place, fate.delivery, fate.reason)
          && (fate.fractionMillionths < 0 || $0.fractionMillionths == fate.fractionMillionths)
      }
      guard let index else {
        Issue.record("only the analysis has \(fate)")
        continue
      }
      left.remove(at: index)
    }
    for fate in left { Issue.record("only the replay has \(fate)") }
  }

  private func analyze(
    _ path: String, _ places: [Place], _ rule: NamedRule,
    _ makeSource: @escaping @Sendable () throws -> any PlaceSource
  ) async throws -> [Fate] {
    var options = TrackAnalysisOptions()
    options.session = rule.options
    let index = StoryIndex(places)
    var found: TrackAnalysis?
    try await TrackAnalysisSession(index: index, options: options, makeSource: makeSource)
      .run([path]) { outcome in
        if case .success(let analysis) = outcome { found = analysis }
      }
    return fates(of: try #require(found), index.places)
  }

  @Test(
    "Replay and analysis agree on the sample tracks under every rule",
    arguments: SampleAnalysis.tracks,
    NamedRule.all)
  func samples(track: String, rule: NamedRule) async throws {
    let path = SampleStories.track(track)
    let store = try SampleAnalysis.store()
    let replayed = try SampleStories.replay(path) { $0.session = rule.options }
    let analyzed = try await analyze(path, StoryIndex(store).places, rule) {
      StoreSource(reader: try store.makeReader())
    }
    let expected = fates(of: replayed.events)
    #expect(!expected.isEmpty)
    expectSame(expected, analyzed)
  }

  @Test(
    "Replay and analysis agree on random walks with many places to a spot",
    arguments: [UInt64](1...12), NamedRule.all)
  func invented(seed: UInt64, rule: NamedRule) async throws {
    let center = Coordinate(latitudeDegrees: 60.17, longitudeDegrees: 24.94)
    let scene = AnalysisScene(seed: seed, around: center, placeCount: 24, fixCount: 30)
    // Every third place shares its spot with two others, whose circles are larger.
    let places = scene.places.indices.map { index in
      let place = scene.places[index]
      let shared = scene.places[index - index % 3]
      return Place(
        key: place.key, id: place.id, priority: Int(seed) % 2 == 0 ? 2 - index % 3 : 0,
        coordinate: seed % 3 == 0 ? place.coordinate : shared.coordinate,
        radiusMeters: place.radiusMeters)
    }
    let scratch = try ScratchFolder()
    let path = try scene.write(to: scratch.url, named: "walk.csv", isTimed: seed % 4 != 1)
    var options = ReplayOptions()
    options.session = rule.options
    var events: [Event] = []
    _ = try Replay(options: options).run(
      path: path, source: SceneSource(places),
      observer: Replay.Observer { events.append($0) })
    let analyzed = try await analyze(path, places, rule) { SceneSource(places) }
    expectSame(fates(of: events), analyzed)
  }
}
