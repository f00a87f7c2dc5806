import FencepostGeodesy
import FencepostMonitoring
import Foundation
import ProjGeodesics
import Testing

/// A walk through a bakery and a church; the snapshot is taken in the bakery.
@Suite("A snapshot names places", .comparedWithPROJ)
struct PlaceNamesTests {
  private static func place(_ id: String, east: Double) -> Place {
    Place(id: id, title: id, coordinate: Scene().at(east, 0), radiusMeters: 100)
  }

  private static let places = [place("bakery", east: 1000), place("church", east: 2000)]
  private static let path = (0...30).map { step in
    PathPoint(coordinate: Scene().at(Double(step) * 100, 0), timeMilliseconds: Int64(step) * 60_000)
  }

  /// Walks to the end, restarting in the bakery with other places if there are any.
  private static func walk(
    from index: PlaceIndex, restartingWith other: PlaceIndex? = nil,
    _ options: MonitoringOptions = MonitoringOptions()
  ) throws -> [String] {
    var (index, engine, log) = (index, Engine(options: options), [String]())
    for (step, point) in path.enumerated() {
      var events: [EngineEvent] = []
      var request = engine.advance(to: point, into: &events)
      while let asked = request {
        request = engine.resume(with: index.answer(asked), into: &events)
      }
      for case .crossing(let crossing) in events {
        let id = try #require(index.place(forKey: crossing.key)).id
        log.append("\(crossing.isEntry ? "enter" : "exit") \(id) \(crossing.timeMilliseconds ?? 0)")
      }
      guard step == 10, let other else { continue }
      let saved = try JSONEncoder().encode(engine.snapshot(naming: index))
      index = other
      engine = try Engine(
        options: options, snapshot: JSONDecoder().decode(Engine.Snapshot.self, from: saved),
        source: other)
    }
    return log
  }

  @Test(
    "A place added before a restart changes nothing else", arguments: [nil, 0, 30_000] as [Int64?])
  func added(hold: Int64?) throws {
    var options = MonitoringOptions()
    if let hold { options.confirmation.holdMilliseconds = hold }
    for refresh in [MonitoringOptions.RefreshRule.fixed, .adaptive] {
      options.refresh = refresh
      let index = try PlaceIndex(Self.places)
      let more = try PlaceIndex(Self.places + [Self.place("airport", east: 70_000)])
      let log = try Self.walk(from: index, options)
      #expect(log.count == 4)
      #expect(try Self.walk(from: index, restartingWith: more, options) == log)
      #expect(try Self.walk(from: more, restartingWith: index, options) == log)
    }
  }

  @Test("A place removed before a restart is forgotten, and the others are not")
  func removed() throws {
    let index = try PlaceIndex(Self.places)
    let log = try Self.walk(from: index)
    let fewer = try PlaceIndex([Self.places[1]])
    #expect(
      try Self.walk(from: index, restartingWith: fewer)
        == log.filter { !$0.contains("exit bakery") })
  }

  @Test("Keys that were saved without names are refused if they mean other places")
  func unnamed() throws {
    let index = try PlaceIndex(Self.places)
    var (engine, events) = (Engine(), [EngineEvent]())
    let request = try #require(engine.advance(to: Self.path[10], into: &events))
    #expect(engine.resume(with: index.answer(request), into: &events) == nil)
    let snapshot = engine.snapshot
    #expect(try Engine(options: engine.options, snapshot: snapshot, source: index).fixCount == 1)
    let more = try PlaceIndex(Self.places + [Self.place("airport", east: 70_000)])
    let error = #expect(throws: SnapshotError.self) {
      try Engine(options: engine.options, snapshot: snapshot, source: more)
    }
    #expect(error?.description.hasPrefix("the snapshot does not name its places") == true)
  }

  @Test("A snapshot taken while a request is open is the state before the vertex")
  func open() throws {
    let index = try PlaceIndex(Self.places)
    var requests = 0
    for refresh in [MonitoringOptions.RefreshRule.fixed, .adaptive] {
      var options = MonitoringOptions()
      options.refresh = refresh
      var engine = Engine(options: options)
      for point in Self.path {
        let before = engine.snapshot
        var (events, again) = ([EngineEvent](), [EngineEvent]())
        var request = engine.advance(to: point, into: &events)
        while let asked = request {
          #expect(engine.snapshot == before)
          requests += 1
          var restored = try #require(Engine(options: options, snapshot: engine.snapshot))
          again = []
          var other = restored.advance(to: point, into: &again)
          while let asked = other {
            other = restored.resume(with: index.answer(asked), into: &again)
          }
          request = engine.resume(with: index.answer(asked), into: &events)
          if request == nil { #expect(again == events && restored.snapshot == engine.snapshot) }
        }
        #expect(engine.snapshot.fixCount == before.fixCount + 1)
      }
    }
    #expect(requests >= 8)
  }
}
