import FencepostCProj
import FencepostGeodesy
import FencepostMonitoring

/// Geometry by PROJ, independent of the product's.
enum Reference {
  static func distanceMeters(_ a: Coordinate, _ b: Coordinate) -> Double {
    cproj_inverse(
      a.latitudeDegrees, a.longitudeDegrees, b.latitudeDegrees, b.longitudeDegrees
    ).distance_m
  }

  /// The distances along the geodesic from `a` to `b`, in meters, at which the path is exactly
  /// `radius` from `center`; a grazing touch of less than a tenth of a millimeter is left out.
  ///
  /// Along a meter of path, the distance to a point changes by at most a meter. A piece whose ends are
  /// together farther from the edge than the piece is long cannot cross it; any other piece is halved.
  static func edges(
    from a: Coordinate, to b: Coordinate, center: Coordinate, radius: Double
  ) -> [Double] {
    let length = distanceMeters(a, b)
    let outside = distanceMeters(a, center) - radius
    if abs(outside) > length { return [] }
    let line = cproj_inverse_line(
      a.latitudeDegrees, a.longitudeDegrees, b.latitudeDegrees, b.longitudeDegrees)
    func signed(_ along: Double) -> Double {
      distanceMeters(point(line, along), center) - radius
    }
    var found: [Double] = []
    var open = [(0.0, outside, length, distanceMeters(b, center) - radius)]
    while let (low, atLow, high, atHigh) = open.popLast() {
      let differs = (atLow <= 0) != (atHigh <= 0)
      if !differs && abs(atLow) + abs(atHigh) > high - low { continue }
      if high - low < 1e-4 {
        if differs { found.append((low + high) / 2) }
        continue
      }
      let middle = (low + high) / 2
      let atMiddle = signed(middle)
      open.append((low, atLow, middle, atMiddle))
      open.append((middle, atMiddle, high, atHigh))
    }
    return found.sorted()
  }

  static func point(_ line: cproj_line, _ along: Double) -> Coordinate {
    let point = unsafe withUnsafePointer(to: line) { unsafe cproj_position($0, along) }
    return Coordinate(latitudeDegrees: point.lat, longitudeDegrees: point.lon)
  }
}

/// A store that looks at every place, by PROJ.
struct BruteForceStore {
  var regions: [Region]
  var fails = false

  func answer(_ request: CandidateRequest) -> CandidateAnswer {
    if fails { return .failed }
    let here = request.coordinate
    func distance(_ region: Region) -> Double {
      Reference.distanceMeters(here, region.circle.center.coordinate)
    }
    switch request.question {
    case .containing:
      return .found(regions.filter { distance($0) <= $0.circle.radiusMeters })
    case .edges(let segment, let meters):
      return .found(regions.filter { comes(within: meters, ofEdgeOf: $0, segment) })
    case .nearest(let count, .center):
      return .found(nearest(count, by: distance))
    case .nearest(let count, .edge(let margin)):
      return .found(
        nearest(count) { region in
          let beyond = distance(region) - region.circle.radiusMeters
          return beyond < 0 ? -beyond : max(0, beyond - margin)
        })
    }
  }

  /// Whether a segment comes within a distance of an edge, by its points at most 10 m apart.
  private func comes(
    within meters: Double, ofEdgeOf region: Region, _ segment: GeodesicSegment
  ) -> Bool {
    let steps = max(1, (segment.lengthMeters / 10).rounded(.up))
    return stride(from: 0, through: steps, by: 1).contains { step in
      let point = segment.position(atFraction: step / steps).coordinate
      let distance = Reference.distanceMeters(point, region.circle.center.coordinate)
      return abs(distance - region.circle.radiusMeters) <= meters + segment.lengthMeters / steps
    }
  }

  private func nearest(_ count: Int, by measure: (Region) -> Double) -> [Region] {
    let measured = regions.map { (measure($0), $0.key, $0) }
    return measured.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(count).map(\.2)
  }
}

/// An engine and everything it reported, with the fix that each event belongs to.
///
/// A second engine, if there is one, takes the same path and must report the same to the last bit.
struct Run {
  var engine: Engine
  var twin: Engine?
  /// Called with each difference between both engines.
  var onDifference: (String) -> Void = { _ in }
  var events: [(fix: Int, event: EngineEvent)] = []
  var requests = 0

  init(engine: Engine, twin: Engine? = nil) {
    self.engine = engine
    self.twin = twin
  }

  mutating func advance(to point: PathPoint, store: BruteForceStore) {
    step(store) { $0.advance(to: point, into: &$1) }
  }

  mutating func refresh(_ store: BruteForceStore) {
    step(store) { $0.refresh(into: &$1) }
  }

  mutating func finish() {
    engine.finish()
    twin?.finish()
    compare()
  }

  private mutating func step(
    _ store: BruteForceStore, _ begin: (inout Engine, inout [EngineEvent]) -> CandidateRequest?
  ) {
    var asked: [CandidateRequest] = []
    var answers: [CandidateAnswer] = []
    let found = Run.events(of: &engine, begin) { request in
      asked.append(request)
      answers.append(store.answer(request))
      return answers[answers.count - 1]
    }
    requests += asked.count
    for event in found { events.append((engine.fixCount - 1, event)) }
    guard var plain = twin.take() else { return }
    var next = 0
    let expected = Run.events(of: &plain, begin) { request in
      // Reuse the answer to a request that both make.
      defer { next += 1 }
      return next < asked.count && asked[next] == request ? answers[next] : store.answer(request)
    }
    twin = plain
    if found != expected {
      onDifference("fix \(engine.fixCount - 1): \(found) instead of \(expected)")
    }
    compare()
  }

  private static func events(
    of engine: inout Engine,
    _ begin: (inout Engine, inout [EngineEvent]) -> CandidateRequest?,
    answer: (CandidateRequest) -> CandidateAnswer
  ) -> [EngineEvent] {
    var events: [EngineEvent] = []
    var request = begin(&engine, &events)
    while let asked = request { request = engine.resume(with: answer(asked), into: &events) }
    return events
  }

  private func compare() {
    guard let twin, engine.snapshot != twin.snapshot || engine.isJoined != twin.isJoined else {
      return
    }
    onDifference("fix \(engine.fixCount - 1): \(engine.snapshot) instead of \(twin.snapshot)")
  }

  var enters: [(fix: Int, crossing: Crossing)] { crossings.filter(\.crossing.isEntry) }

  var exits: [(fix: Int, crossing: Crossing)] { crossings.filter { !$0.crossing.isEntry } }

  private var crossings: [(fix: Int, crossing: Crossing)] {
    events.compactMap { entry in
      if case .crossing(let crossing) = entry.event { (entry.fix, crossing) } else { nil }
    }
  }

  var refreshes: [(fix: Int, refresh: Refresh)] {
    events.compactMap { entry in
      if case .refresh(let refresh) = entry.event { (entry.fix, refresh) } else { nil }
    }
  }
}
