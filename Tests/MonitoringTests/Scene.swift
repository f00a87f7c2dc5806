import FencepostCProj
import FencepostGeodesy
import Glibc
import FencepostMonitoring
import Testing

/// Places and a path laid out in meters around an origin, for tests to read like a map.
struct Scene {
  var origin: Coordinate
  var regions: [Region] = []
  var path: [PathPoint] = []

  init(origin: Coordinate = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)) {
    self.origin = origin
  }

  /// The coordinate so many meters east and north of the origin, by PROJ.
  func at(_ eastMeters: Double, _ northMeters: Double) -> Coordinate {
    let distance = (eastMeters * eastMeters + northMeters * northMeters).squareRoot()
    let azimuth = atan2(eastMeters, northMeters) * 180 / .pi
    let point = cproj_direct(
      origin.latitudeDegrees, origin.longitudeDegrees, azimuth, distance)
    return Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon)
  }

  mutating func place(
    _ key: Int64, east: Double, north: Double = 0, radius: Double = 100
  ) {
    regions.append(
      Region(key: key, circle: Circle(center: at(east, north), radiusMeters: radius)))
  }

  /// Adds a vertex; `second` is its time, nil for none.
  mutating func go(
    east: Double, north: Double = 0, second: Double? = nil, startsSegment: Bool = false
  ) {
    path.append(
      PathPoint(
        coordinate: at(east, north), timeMilliseconds: second.map { Int64($0 * 1000) },
        startsSegment: startsSegment))
  }

  /// Runs an engine over the path with these places as the store.
  func run(_ options: MonitoringOptions = MonitoringOptions()) -> Run {
    var run = Run(options)
    let store = BruteForceStore(regions: regions)
    for point in path { run.advance(to: point, store: store) }
    run.finish()
    return run
  }
}

extension Run {
  /// A run of an engine with the shortcut, which a twin without it checks at every vertex.
  init(_ options: MonitoringOptions = MonitoringOptions()) {
    var twin = Engine(options: options)
    twin.takesShortcut = false
    self.init(engine: Engine(options: options), twin: twin)
    onDifference = { Issue.record("the shortcut makes a difference at \($0)") }
  }

  /// Replaces the engine, and its twin, by one made from its snapshot.
  mutating func restore() throws {
    let options = engine.options
    let restored = Engine(options: options, snapshot: engine.snapshot)
    engine = try #require(restored)
    guard let snapshot = twin?.snapshot else { return }
    twin = Engine(options: options, snapshot: snapshot)
    twin?.takesShortcut = false
  }
}
