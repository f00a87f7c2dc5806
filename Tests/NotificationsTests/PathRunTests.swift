import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import Testing

@Suite("A run along a path")
struct PathRunTests {
  /// Places whose keys are in no order of their ids.
  private final class ShuffledPlaces: PlaceSource {
    private let index: PlaceIndex
    private let count: Int64

    init(_ places: [Place]) throws {
      index = try PlaceIndex(places)
      count = Int64(places.count)
    }

    private func other(_ key: Int64) -> Int64 { count + 1 - key }

    func answer(_ request: CandidateRequest) -> CandidateAnswer {
      guard case .found(let regions) = index.answer(request) else { return .failed }
      return .found(regions.map { Region(key: other($0.key), circle: $0.circle) })
    }

    func place(forKey key: Int64) throws -> Place? { index.place(forKey: other(key)) }
    func hasPlace(forKey key: Int64) -> Bool { index.hasPlace(forKey: other(key)) }
    func key(forID id: String) throws -> Int64? { index.key(forID: id).map { other($0) } }
    var placeCount: Int { get throws { Int(count) } }
    var lastFailure: String? { nil }
  }

  private static func point(_ latitude: Double, minutes: Int64) -> PathPoint {
    PathPoint(
      coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: 0),
      timeMilliseconds: 1_772_643_600_000 + minutes * 60_000)
  }

  /// Up to a spot, across it and away from it.
  private static let path = [
    point(0, minutes: 0), point(0.01, minutes: 1), point(0.02, minutes: 2),
  ]

  private static func place(_ id: String, radiusMeters: Double = 100) -> Place {
    Place(
      id: id, coordinate: Coordinate(latitudeDegrees: 0.005, longitudeDegrees: 0),
      radiusMeters: radiusMeters)
  }

  private static func notices(
    _ run: inout PathRun, _ source: some PlaceSource, asks: (Crossing) -> Bool = { _ in true }
  ) -> [PathRun.Notice] {
    var notices: [PathRun.Notice] = []
    var rest = path[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(run.follow(rest, from: source))
      notices += run.steps(from: source, asks: asks).compactMap { $0.notice }
    }
    return notices
  }

  @Test("orders what happens at one point by the ids of the places")
  func ties() throws {
    let source = try ShuffledPlaces(["c", "a", "d", "b"].map { Self.place($0) })
    var run = PathRun(MonitoringOptions())
    let names = try Self.notices(&run, source).map { notice in
      "\(notice.kind) \(try source.place(forKey: notice.key)?.id ?? "")"
    }
    #expect(
      names == ["enter a", "enter b", "enter c", "enter d", "exit a", "exit b", "exit c", "exit d"])
  }

  @Test(
    "decides only about what can alert, and about all of it together",
    arguments: [
      AlertTrigger.enter, .exit,
    ])
  func decisions(alertsOn: AlertTrigger) throws {
    let source = try PlaceIndex([Self.place("a"), Self.place("b")])
    var run = PathRun(MonitoringOptions(), alertsOn: alertsOn)
    let notices = Self.notices(&run, source)
    #expect(notices.count == 4)
    for notice in notices { #expect((notice.decided != nil) == (notice.kind == alertsOn)) }
    // Places at one spot are one alert.
    let decisions = notices.compactMap { $0.decided?.decision }
    #expect(decisions.map { $0.suppressionReason } == [nil, .grouped])
    #expect(run.memory.lastAlertMilliseconds(placeID: "a") != nil)
  }

  @Test("leaves out of the decision what nobody asks about")
  func asking() throws {
    let source = try PlaceIndex([Self.place("a"), Self.place("b", radiusMeters: 200)])
    var run = PathRun(MonitoringOptions())
    let notices = Self.notices(&run, source) { $0.key != 1 }
    #expect(notices.filter { $0.decided != nil }.map { $0.key } == [2])
    #expect(run.memory.lastAlertMilliseconds(placeID: "a") == nil)
  }

  @Test("continues from its parts as if it had never stopped")
  func continuing() throws {
    let source = try PlaceIndex([Self.place("a"), Self.place("b", radiusMeters: 200)])
    var whole = PathRun(MonitoringOptions())
    let expected = Self.notices(&whole, source).map { $0.crossing }
    var run = PathRun(MonitoringOptions())
    var found: [Crossing] = []
    for point in Self.path {
      _ = run.follow([point], from: source)
      found += run.steps(from: source).compactMap { $0.notice?.crossing }
      run = try #require(
        PathRun(MonitoringOptions(), memory: run.memory, continuing: run.engine.snapshot))
    }
    #expect(found == expected)
    #expect(run.memory == whole.memory)
  }
}
