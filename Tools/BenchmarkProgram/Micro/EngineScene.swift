import FencepostGeodesy
import FencepostMonitoring

/// A journey, the metro's places, and the store's answers worked out beforehand, so that the engine's
/// own cost is what is measured.
struct EngineScene {
  let name: String
  private let points: [PathPoint]
  private let options: MonitoringOptions
  private let answers: [CandidateAnswer]

  init(kind: Journey.Kind, fixes: Int, rule: String, options: MonitoringOptions, in town: Town) {
    name = "engine, \(kind)\(town.isDense ? ", dense" : ""), \(rule)"
    self.options = options
    points = Journey(kind: kind, seed: 7).prefix(fixes).map {
      PathPoint(coordinate: $0.point.coordinate, timeMilliseconds: $0.timeMilliseconds)
    }
    var answers: [CandidateAnswer] = []
    Self.walk(points, options) { asked in
      let answer = CandidateAnswer.found(town.answer(asked))
      answers.append(answer)
      return answer
    }
    self.answers = answers
  }

  var microCase: MicroCase {
    let (points, options, answers) = (points, options, answers)
    return MicroCase(name: name, unit: "fix") {
      var next = 0
      let events = Self.walk(points, options) { _ in
        next += 1
        return answers[next - 1]
      }
      return (points.count, Double(events))
    }
  }

  @discardableResult
  private static func walk(
    _ points: [PathPoint], _ options: MonitoringOptions,
    answer: (CandidateRequest) -> CandidateAnswer
  ) -> Int {
    var engine = Engine(options: options)
    var events: [EngineEvent] = []
    var count = 0
    for point in points {
      var request = engine.advance(to: point, into: &events)
      while let asked = request { request = engine.resume(with: answer(asked), into: &events) }
      count += events.count
      events.removeAll(keepingCapacity: true)
    }
    engine.finish()
    return count
  }
}

/// The places of the metro, searched one by one.
struct Town {
  let isDense: Bool
  private let regions: [Region]

  init(isDense: Bool) {
    self.isDense = isDense
    let worldCount = 100_000
    let places = WorldPlaces(count: worldCount, isDense: isDense)
    regions = (0..<worldCount).lazy.map { (index: $0, place: places[$0]) }
      .filter { $0.place.city == 0 }
      .map { index, place in
        Region(
          key: Int64(index),
          circle: Circle(
            center: place.point.coordinate, radiusMeters: Double(place.radiusMeters)))
      }
  }

  func answer(_ request: CandidateRequest) -> [Region] {
    let here = Position(request.coordinate)
    switch request.question {
    case .containing: return regions.filter { $0.circle.contains(here) }
    case .nearestCenters(let count):
      return least(count) { $0.circle.distanceMeters(from: here) }
    case .nearestEdges(let count, _):
      return least(count) { $0.circle.edgeDistanceMeters(from: here) }
    }
  }

  private func least(_ count: Int, by distance: (Region) -> Double) -> [Region] {
    var best: [(distance: Double, region: Region)] = []
    for region in regions {
      let distance = distance(region)
      if best.count == count, distance >= best[count - 1].distance { continue }
      if best.count == count { best.removeLast() }
      let slot = best.firstIndex { $0.distance > distance } ?? best.count
      best.insert((distance, region), at: slot)
    }
    return best.map(\.region)
  }
}
