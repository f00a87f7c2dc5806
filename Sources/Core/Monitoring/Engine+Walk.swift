import FencepostGeodesy

/// Walks to each vertex, from stop to stop.
///
/// A stop is a point of the leg where the rule must act: it asks the store, or an unmonitored edge
/// comes within reach. The fixed rule has no stops, because it acts only at vertices.
extension Engine {
  /// `keepsBefore` is needed if the engine may be saved while a request is open.
  mutating func walk(
    to point: PathPoint, keepsBefore: Bool, into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    precondition(leg == nil, "the engine still awaits an answer")
    if !monitorsEveryPlace { shortcut.forget() }
    let rest = keepsBefore ? rest : nil
    let step = path.joinedStepMeters(to: point)
    let leg = Leg(
      from: path.previous, to: point, joinedStepMeters: step, pathMeters: path.lengthMeters)
    self.leg = leg
    path.append(point, joinedStepMeters: step)
    let request =
      monitorsEveryPlace
      ? walkPastEveryPlace(on: leg, into: &events)
      : leg.segment == nil ? arriveAcrossBreak(into: &events) : walk(into: &events)
    if request != nil { before = rest.map(Before.init) }
    return request
  }

  /// Walks the joined leg until the store must be asked or the vertex is reached.
  mutating func walk(into events: inout [EngineEvent]) -> CandidateRequest? {
    while let leg, let segment = leg.segment {
      let stop = nextStop(on: segment, of: leg)
      let end = stop?.fraction ?? 1
      switch options.test {
      case .path: monitored.follow(segment, of: leg, through: end, into: &crossings)
      case .fixes: if stop == nil { judgeSides(at: leg) }
      }
      self.leg?.fraction = end
      reportCrossings(into: &events)
      switch stop?.kind {
      case .exposure: openExposure()
      case .refresh: if !refreshFromNeighborhood(into: &events) { return askToRefresh() }
      case nil: return arrive(on: leg)
      }
    }
    return nil
  }

  /// Turns the crossings into events, in order along the path, then by key.
  mutating func reportCrossings(into events: inout [EngineEvent]) {
    if crossings.count > 1 {
      crossings.sort {
        let (one, other) = ($0.crossing, $1.crossing)
        return (one.fraction, one.key) < (other.fraction, other.key)
      }
    }
    for found in crossings {
      if !confirmsCrossings { events.append(.crossing(found.crossing)) }
      noteSide(found.crossing)
    }
    if confirmsCrossings { confirm(into: &events) }
    crossings.removeAll(keepingCapacity: true)
  }

  // MARK: Stops

  private struct Stop {
    enum Kind { case exposure, refresh }
    var fraction: Double
    var kind: Kind
  }

  /// The next point where the rule must act, or nil if the leg ends first.
  private func nextStop(on segment: GeodesicSegment, of leg: Leg) -> Stop? {
    guard options.followsReach, let anchor else { return nil }
    var stop: Stop?
    if let fraction = refreshFraction(on: segment, of: leg, from: anchor) {
      stop = Stop(fraction: fraction, kind: .refresh)
    }
    let reach = reachMeters(of: anchor, on: leg)
    if exposure?.isSettling ?? true,
      anchor.mustRetry || reach <= tripMeters(of: anchor, on: leg) || hasMinInterval,
      let fraction = leaves(anchor, beyond: reach, on: segment, after: leg.fraction),
      fraction < stop?.fraction ?? .infinity
    {
      stop = Stop(fraction: fraction, kind: .exposure)
    }
    return stop
  }

  private var hasMinInterval: Bool { options.minIntervalMilliseconds > 0 }

  private func refreshFraction(
    on segment: GeodesicSegment, of leg: Leg, from anchor: Anchor
  ) -> Double? {
    if anchor.mustRetry { return leg.hasFailed ? nil : 0 }
    guard
      let tripped = leaves(
        anchor, beyond: tripMeters(of: anchor, on: leg), on: segment, after: leg.fraction)
    else { return nil }
    guard hasMinInterval, let begin = leg.start?.timeMilliseconds,
      let end = leg.point.timeMilliseconds, let last = anchor.timeMilliseconds
    else { return tripped }
    let (due, overflows) = last.addingReportingOverflow(options.minIntervalMilliseconds)
    if overflows || due > end { return nil }
    guard end > begin, due > begin else { return tripped }
    return max(tripped, Double(due - begin) / Double(end - begin))
  }

  /// The first fraction from `start` on at which the path is farther than `radius` from the anchor.
  private func leaves(
    _ anchor: Anchor, beyond radius: Double, on segment: GeodesicSegment, after start: Double
  ) -> Double? {
    guard radius < Self.farthestTripMeters else { return nil }
    guard radius > 0 else { return start }
    let disc = Circle(center: anchor.position, radiusMeters: radius)
    let spans = segment.insideSpans(of: disc)
    for index in 0..<spans.count where spans[index].start <= start && start <= spans[index].end {
      return spans[index].end < 1 ? max(start, spans[index].end) : nil
    }
    return start
  }

  /// No point on the Earth is farther away, so a longer trip never ends.
  static var farthestTripMeters: Double { 20_000_000 }

  // MARK: Arriving

  private mutating func arrive(on leg: Leg) -> CandidateRequest? {
    self.leg?.hasArrived = true
    if options.followsReach {
      if anchor == nil || canEndExposure(at: leg) {
        return ask(.containing, awaiting: .containing)
      }
    } else if isSignificantChange(leg) {
      return askForCandidates()
    }
    settle()
    return nil
  }

  /// Takes the first vertex, or the first after a break; only its sides are known.
  private mutating func arriveAcrossBreak(
    into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    guard let leg else { return nil }
    monitored.compare(at: leg, into: &crossings)
    noteMissedExits(of: leg)
    guard options.followsReach else {
      reportCrossings(into: &events)
      if isSignificantChange(leg) { return askForCandidates() }
      settle()
      return nil
    }
    // Crossings that the answer reveals are sorted together with those found here.
    guard let anchor else { return ask(.containing, awaiting: .containing) }
    let moved = Geodesic.distanceMeters(anchor.position, leg.position)
    let trip = tripMeters(of: anchor, on: leg)
    if anchor.mustRetry || moved > trip && isIntervalOver(at: leg.point) {
      return ask(.containing, awaiting: .containing)
    }
    reportCrossings(into: &events)
    if isBeyondReach(leg) { openExposure() }
    settle()
    return nil
  }

  private func isSignificantChange(_ leg: Leg) -> Bool {
    guard let anchor else { return true }
    return Geodesic.distanceMeters(anchor.position, leg.position)
      >= options.significantChangeMeters && isIntervalOver(at: leg.point)
  }

  func isIntervalOver(at point: PathPoint) -> Bool {
    guard let last = anchor?.timeMilliseconds, let now = point.timeMilliseconds else {
      return true
    }
    let (wait, overflows) = now.subtractingReportingOverflow(last)
    return now < last || overflows || wait >= options.minIntervalMilliseconds
  }

  mutating func settle() {
    // In this order, because a leg is large to copy.
    if exposure?.isSettling == true, let leg { resolveDoubts(at: leg) }
    leg = nil
    before = nil
    if !passed.isEmpty { passed.removeAll(keepingCapacity: true) }
  }
}

extension Engine {
  /// Finds the crossings at the fix that ends a leg, for all circles monitored on the way.
  mutating func judgeSides(at leg: Leg) {
    var leg = leg
    leg.fraction = 1
    monitored.compare(at: leg, into: &crossings)
    for (key, circle) in passed {
      let wasInside = containing[key] != nil
      guard options.isInside(circle, wasInside: wasInside, at: leg) != wasInside else { continue }
      containing[key] = wasInside ? nil : circle
      let region = Region(key: key, circle: circle)
      crossings.append(leg.crossing(of: region, isEntry: !wasInside))
    }
    if exposure != nil { noteMissedExits(of: leg) }
  }

  /// Remembers circles that may leave the set before the leg's fix, where their sides are judged.
  mutating func notePassed() {
    guard let leg, options.followsReach, leg.fraction < 1 else { return }
    for region in monitored.regions { passed[region.key] = region.circle }
  }

  /// Whether to refresh at a fix to end an exposure, since no side is known between fixes.
  func canEndExposure(at leg: Leg) -> Bool {
    guard options.test == .fixes, exposure?.isSettling == false, !leg.hasFailed, let anchor else {
      return false
    }
    return isIntervalOver(at: leg.point)
      && Geodesic.distanceMeters(anchor.position, leg.position)
        >= max(Self.leastTripMeters, options.refreshFloorMeters)
  }
}
