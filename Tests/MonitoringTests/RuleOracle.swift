import Geodesy
import Monitoring

/// The rule of the design contract written down a second time, slowly: every place is looked at
/// for every segment, distances and edges come from PROJ alone.
struct RuleOracle {
  struct Met: Equatable {
    var fix: Int
    var key: Int64
    var isEnter: Bool
    var fraction: Double
    var isAcrossBreak: Bool
  }

  var options: MonitoringOptions
  var regions: [Region]
  /// At which fixes the store fails.
  var fails: (Int) -> Bool = { _ in false }

  func walk(_ path: [PathPoint]) -> [Met] {
    var met: [Met] = []
    var monitored: [Int64: Bool] = [:]
    var anchor: Coordinate?
    let circles = Dictionary(uniqueKeysWithValues: regions.map { ($0.key, $0.circle) })
    for (fix, point) in path.enumerated() {
      if fix > 0 {
        let previous = path[fix - 1]
        var here: [Met] = []
        for (key, isInside) in monitored {
          guard let circle = circles[key] else { continue }
          here += step(
            fix: fix, key: key, circle: circle, from: previous, to: point, isInside: isInside)
        }
        for event in here { monitored[event.key] = monitored[event.key].map { !$0 } }
        met += here.sorted { ($0.fraction, $0.key) < ($1.fraction, $1.key) }
      }
      let moved = anchor.map { Reference.distanceMeters($0, point.coordinate) } ?? .infinity
      guard moved >= options.significantChangeMeters, options.limit != nil || anchor == nil
      else { continue }
      let question = CandidateRequest.Question.nearestCenters(count: options.limit ?? .max)
      let store = BruteForceStore(regions: regions, fails: fails(fix))
      guard
        case .found(let nearest) = store.answer(
          CandidateRequest(question: question, coordinate: point.coordinate))
      else { continue }
      anchor = point.coordinate
      monitored = Dictionary(
        uniqueKeysWithValues: nearest.map { region in
          let distance = Reference.distanceMeters(
            point.coordinate, region.circle.center.coordinate)
          return (region.key, monitored[region.key] ?? (distance <= region.circle.radiusMeters))
        })
    }
    return met
  }

  private func step(
    fix: Int, key: Int64, circle: Circle, from: PathPoint, to: PathPoint, isInside: Bool
  ) -> [Met] {
    let center = circle.center.coordinate
    let length = Reference.distanceMeters(from.coordinate, to.coordinate)
    guard joins(from, to, length: length) else {
      let inside = Reference.distanceMeters(to.coordinate, center) <= circle.radiusMeters
      return inside == isInside
        ? [] : [Met(fix: fix, key: key, isEnter: inside, fraction: 1, isAcrossBreak: true)]
    }
    var isInside = isInside
    return Reference.edges(
      from: from.coordinate, to: to.coordinate, center: center, radius: circle.radiusMeters
    ).map { along in
      isInside.toggle()
      return Met(
        fix: fix, key: key, isEnter: isInside, fraction: along / length, isAcrossBreak: false)
    }
  }

  private func joins(_ from: PathPoint, _ to: PathPoint, length: Double) -> Bool {
    if to.startsSegment && !options.joinsSegments { return false }
    guard let start = from.timeMilliseconds, let end = to.timeMilliseconds else { return true }
    if end < start { return false }
    if let most = options.maxGapMilliseconds, end - start > most { return false }
    if let most = options.maxSpeedMetersPerSecond, end > start,
      length / (Double(end - start) / 1000) > most
    {
      return false
    }
    return true
  }
}

extension Run {
  /// Enters and exits in the oracle's terms.
  var met: [RuleOracle.Met] {
    events.compactMap { entry in
      switch entry.event {
      case .enter(let crossing): Run.met(entry.fix, crossing, isEnter: true)
      case .exit(let crossing): Run.met(entry.fix, crossing, isEnter: false)
      case .refresh: nil
      }
    }
  }

  private static func met(_ fix: Int, _ crossing: Crossing, isEnter: Bool) -> RuleOracle.Met {
    RuleOracle.Met(
      fix: fix, key: crossing.key, isEnter: isEnter, fraction: crossing.fraction,
      isAcrossBreak: crossing.isAcrossBreak)
  }
}
