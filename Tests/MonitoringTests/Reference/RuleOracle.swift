import FencepostGeodesy
import FencepostMonitoring

/// The rule of the design contract written down a second time, slowly: every place is looked at
/// for every segment, distances and edges come from PROJ alone.
struct RuleOracle {
  struct Met: Equatable {
    var fix: Int
    var key: Int64
    var isEntry: Bool
    var fraction: Double
    var isAcrossBreak: Bool
    /// Whether it is a region that was found inside at a refresh.
    var isFoundInside = false
  }

  var options: MonitoringOptions
  var regions: [Region]
  /// At which fixes the store fails.
  var fails: (Int) -> Bool = { _ in false }

  /// A region that left the monitored set at a fix.
  struct Left: Equatable {
    var fix: Int
    var key: Int64
  }

  func walk(_ path: [PathPoint]) -> [Met] { follow(path).met }

  /// The crossings, and which regions left the set.
  func follow(_ path: [PathPoint]) -> (met: [Met], left: [Left]) {
    var met: [Met] = []
    var left: [Left] = []
    var monitored: [Int64: Bool] = [:]
    var anchor: PathPoint?
    let circles = Dictionary(uniqueKeysWithValues: regions.map { ($0.key, $0.circle) })
    for (fix, point) in path.enumerated() {
      if fix > 0 {
        var here: [Met] = []
        for (key, isInside) in monitored {
          guard let circle = circles[key] else { continue }
          let found = step(
            fix: fix, key: key, circle: circle, from: path[fix - 1], to: point, isInside: isInside)
          if let last = found.last { monitored[key] = last.isEntry }
          here += found
        }
        met += here.sorted { ($0.fraction, $0.key) < ($1.fraction, $1.key) }
      }
      guard isDue(point, since: anchor), let nearest = nearest(point.coordinate, fix: fix)
      else { continue }
      anchor = point
      let before = monitored
      monitored = [:]
      for region in nearest {
        // Where a region is new its own edge counts, whatever the margin.
        monitored[region.key] =
          before[region.key] ?? isInside(region.circle, at: point, wasInside: false)
      }
      for key in before.keys where monitored[key] == nil { left.append(Left(fix: fix, key: key)) }
      guard options.initial == .enter else { continue }
      for key in monitored.keys.sorted() where before[key] == nil && monitored[key] == true {
        met.append(
          Met(
            fix: fix, key: key, isEntry: true, fraction: 1, isAcrossBreak: false,
            isFoundInside: true))
      }
    }
    return (met, left)
  }

  /// The side at a fix, by the formulas of the rule.
  private func isInside(_ circle: Circle, at point: PathPoint, wasInside: Bool) -> Bool {
    let distance = Reference.distanceMeters(point.coordinate, circle.center.coordinate)
    let accuracy = Double(point.accuracyMeters)
    let judged = options.test == .fixes ? options.accuracy : .ignore
    guard !wasInside else {
      guard let exit = exitRadiusMeters(circle) else { return true }
      return !(distance - (judged == .ignore ? 0 : accuracy) > exit)
    }
    return switch judged {
    case .ignore: distance <= circle.radiusMeters
    case .contains: distance + accuracy <= circle.radiusMeters
    case .intersects: distance - accuracy <= circle.radiusMeters
    }
  }

  /// Whether the set is to be refreshed at a fix.
  private func isDue(_ point: PathPoint, since anchor: PathPoint?) -> Bool {
    guard let anchor else { return true }
    guard options.limit != nil else { return false }
    if let last = anchor.timeMilliseconds, let now = point.timeMilliseconds, now >= last,
      Double(now) - Double(last) < Double(options.minIntervalMilliseconds)
    {
      return false
    }
    return Reference.distanceMeters(anchor.coordinate, point.coordinate)
      >= options.significantChangeMeters
  }

  /// What is monitored after a refresh; nil where the store fails.
  private func nearest(_ coordinate: Coordinate, fix: Int) -> [Region]? {
    let count = options.limit ?? .max
    let question = CandidateRequest.Question.nearest(
      count: count,
      rank: options.rank == .edge && options.limit != nil
        ? .edge(exitMarginMeters: options.exitMarginMeters) : .center)
    let store = BruteForceStore(regions: regions, fails: fails(fix))
    let answer = store.answer(CandidateRequest(question: question, coordinate: coordinate))
    guard case .found(let regions) = answer else { return nil }
    return regions
  }

  /// How far from its center a circle is left, in meters; nil where it never is.
  private func exitRadiusMeters(_ circle: Circle) -> Double? {
    let radius = circle.radiusMeters + options.exitMarginMeters
    return radius > 20_000_000 ? nil : radius
  }

  private func step(
    fix: Int, key: Int64, circle: Circle, from: PathPoint, to: PathPoint, isInside: Bool
  ) -> [Met] {
    let center = circle.center.coordinate
    let exitRadius = exitRadiusMeters(circle)
    let length = Reference.distanceMeters(from.coordinate, to.coordinate)
    let isJoined = joins(from, to, length: length)
    guard isJoined, options.test == .path else {
      let isInsideNow = self.isInside(circle, at: to, wasInside: isInside)
      return isInsideNow == isInside
        ? []
        : [Met(fix: fix, key: key, isEntry: isInsideNow, fraction: 1, isAcrossBreak: !isJoined)]
    }
    func edges(_ radius: Double?, isExit: Bool) -> [(along: Double, isExit: Bool)] {
      guard let radius else { return [] }
      return Reference.edges(
        from: from.coordinate, to: to.coordinate, center: center, radius: radius
      ).map { ($0, isExit) }
    }
    let hasMargin = options.exitMarginMeters > 0
    let own = edges(circle.radiusMeters, isExit: false)
    let outer = hasMargin ? edges(exitRadius, isExit: true) : []
    var isInside = isInside
    var met: [Met] = []
    // From outside the own edge counts, from inside the exit edge; the other one is only passed.
    for edge in (own + outer).sorted(by: { $0.along < $1.along })
    where !hasMargin || edge.isExit == isInside {
      isInside.toggle()
      met.append(
        Met(
          fix: fix, key: key, isEntry: isInside, fraction: edge.along / length,
          isAcrossBreak: false))
    }
    return met
  }

  func joins(_ from: PathPoint, _ to: PathPoint, length: Double) -> Bool {
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
      guard case .crossing(let crossing) = entry.event else { return nil }
      return RuleOracle.Met(
        fix: entry.fix, key: crossing.key, isEntry: crossing.isEntry, fraction: crossing.fraction,
        isAcrossBreak: crossing.isAcrossBreak)
    }
  }
}
