import FencepostSession
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import TestSupport
import Testing

@Suite("A comparison of two runs")
struct ComparisonTests {
  /// Where something happens: the vertex that ends a step, and how far on the way to it.
  private struct Spot: Hashable {
    var vertex: Int
    var fraction: Double
  }

  private struct World {
    var places: PlaceIndex
    var path: [PathPoint]

    /// A path of random turns among many circles.
    init(seed: UInt64) throws {
      var generator = SplitMix64(seed: seed)
      func degrees(_ most: Double) -> Double { Double.random(in: -most...most, using: &generator) }
      places = try PlaceIndex(
        (0..<120).map { number in
          Place(
            id: "p\(number)",
            coordinate: Coordinate(latitudeDegrees: degrees(0.02), longitudeDegrees: degrees(0.02)),
            radiusMeters: Double.random(in: 40...250, using: &generator))
        })
      var (latitude, longitude) = (0.0, 0.0)
      path = (0..<300).map { number in
        latitude = max(-0.02, min(0.02, latitude + degrees(0.0025)))
        longitude = max(-0.02, min(0.02, longitude + degrees(0.0025)))
        return PathPoint(
          coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
          timeMilliseconds: Int64(number) * 60_000)
      }
    }

    /// Everything that an engine reports, vertex by vertex.
    func events(_ rule: MonitoringOptions) -> [[EngineEvent]] {
      var engine = Engine(options: rule)
      return path.map { point in
        var events: [EngineEvent] = []
        engine.advance(along: [point], from: places, into: &events)
        return events
      }
    }
  }

  private struct Tally: Equatable {
    var due: [Int64: [Spot]] = [:]
    var found = 0
    var late = 0
    var extra = 0
  }

  private static func rule(_ limit: Int?, _ initial: MonitoringOptions.InitialState)
    -> MonitoringOptions
  {
    var rule = MonitoringOptions()
    (rule.limit, rule.initial) = (limit, initial)
    return rule
  }

  /// What both runs' events mean by the definition of each word, without following them together.
  private static func expected(_ world: World, _ initial: MonitoringOptions.InitialState) -> Tally {
    let all = world.events(rule(nil, initial))
    let limited = world.events(rule(6, initial))
    var tally = Tally()
    /// Where the phone notices a circle, and whether it says so itself.
    var noticed: [Int64: [(spot: Spot, isReported: Bool)]] = [:]
    for (vertex, events) in limited.enumerated() {
      for event in events {
        switch event {
        case .crossing(let crossing) where crossing.isEntry:
          noticed[crossing.key, default: []].append(
            (Spot(vertex: vertex, fraction: crossing.fraction), true))
        case .refresh(let refresh) where initial == .silent:
          for key in refresh.foundInside {
            noticed[key, default: []].append(
              (Spot(vertex: vertex, fraction: refresh.fraction), false))
          }
        default: break
        }
      }
    }
    var stays: [Int64: [(from: Spot, to: Spot?)]] = [:]
    for (vertex, events) in all.enumerated() {
      for case .crossing(let crossing) in events {
        let spot = Spot(vertex: vertex, fraction: crossing.fraction)
        if crossing.isEntry {
          tally.due[crossing.key, default: []].append(spot)
          stays[crossing.key, default: []].append((spot, nil))
        } else if let last = stays[crossing.key]?.indices.last {
          stays[crossing.key]?[last].to = spot
        }
      }
    }
    func isBefore(_ one: Spot, _ other: Spot?) -> Bool {
      guard let other else { return true }
      return (one.vertex, one.fraction) < (other.vertex, other.fraction)
    }
    for (key, spots) in noticed {
      var taken: Set<Spot> = []
      for (spot, isReported) in spots {
        let stay = stays[key]?.last { !isBefore(spot, $0.from) && isBefore(spot, $0.to) }
        guard let stay, taken.insert(stay.from).inserted else {
          if isReported { tally.extra += 1 }
          continue
        }
        if isReported, stay.from == spot { tally.found += 1 } else { tally.late += 1 }
      }
    }
    return tally
  }

  @Test(
    "finds what is due, found, late and extra as these words are defined",
    arguments: [MonitoringOptions.InitialState.silent, .enter], 0..<12)
  func words(initial: MonitoringOptions.InitialState, seed: Int) throws {
    let world = try World(seed: UInt64(seed))
    var unlimited = PathRun(Self.rule(nil, initial))
    var limited = PathRun(Self.rule(6, initial))
    var comparison = Comparison(Self.rule(6, initial), alertsOn: .enter)
    var tally = Tally()
    for (vertex, point) in world.path.enumerated() {
      _ = unlimited.follow([point], from: world.places)
      _ = limited.follow([point], from: world.places)
      let happened = unlimited.steps(from: world.places).compactMap { $0.notice }
      let steps = limited.steps(from: world.places)
      for (meaning, step) in comparison.compare(steps, with: happened, at: vertex) {
        switch meaning {
        case .due:
          let notice = try #require(step.notice)
          tally.due[notice.key, default: []].append(
            Spot(vertex: vertex, fraction: notice.crossing.fraction))
        case .found: tally.found += 1
        case .late, .foundInside: tally.late += 1
        case .extra: tally.extra += 1
        case .other, .refresh: break
        }
      }
    }
    #expect(tally == Self.expected(world, initial))
    #expect(tally.found > 0 && tally.late > 0)
  }

  @Test("forgets what is unnoticed, so that a later notice is extra")
  func forgetting() throws {
    let world = try World(seed: 1)
    var unlimited = PathRun(Self.rule(nil, .silent))
    var limited = PathRun(Self.rule(6, .silent))
    var comparison = Comparison(Self.rule(6, .silent), alertsOn: .enter, unnoticed: [3, 1])
    #expect(comparison.unnoticed == [1, 3])
    var extra = 0
    for (vertex, point) in world.path.enumerated() {
      _ = unlimited.follow([point], from: world.places)
      _ = limited.follow([point], from: world.places)
      let happened = unlimited.steps(from: world.places).compactMap { $0.notice }
      _ = comparison.compare([], with: happened, at: vertex)
      comparison.forget()
      #expect(comparison.unnoticed.isEmpty)
      let steps = limited.steps(from: world.places)
      for (meaning, _) in comparison.compare(steps, with: [], at: vertex) {
        switch meaning {
        case .extra: extra += 1
        case .refresh: break
        default: Issue.record("\(meaning) at vertex \(vertex)")
        }
      }
    }
    #expect(extra > 0)
  }
}
