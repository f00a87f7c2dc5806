import Geodesy

/// Walking a leg: from stop to stop, then arriving at the vertex.
extension Engine {
  mutating func begin(_ leg: Leg, into events: inout [EngineEvent]) -> CandidateRequest? {
    self.leg = leg
    path.forgetSurroundings()
    guard leg.segment != nil else { return arriveAcrossBreak(into: &events) }
    return walk(into: &events)
  }

  /// Walks the joined leg until the store must be asked or the vertex is reached.
  mutating func walk(into events: inout [EngineEvent]) -> CandidateRequest? {
    while let leg, let segment = leg.segment {
      let stop = nextStop(on: segment, of: leg)
      follow(segment, of: leg, through: stop?.fraction ?? 1, into: &events)
      self.leg?.fraction = stop?.fraction ?? 1
      switch stop?.kind {
      case .exposure: openExposure()
      case .refresh:
        if !refreshFromNeighbourhood(into: &events) { return askAnew() }
      case nil: return arrive(into: &events)
      }
    }
    return nil
  }

  /// Reports the edges met up to `end`.
  private mutating func follow(
    _ segment: GeodesicSegment, of leg: Leg, through end: Double,
    into events: inout [EngineEvent]
  ) {
    monitored.follow(segment, after: leg.fraction, through: end, into: &crossings)
    reportCrossings(of: leg, isAcrossBreak: false, into: &events)
  }

  /// Turns the crossings found into events, in order along the path, ties by key.
  mutating func reportCrossings(
    of leg: Leg, isAcrossBreak: Bool, into events: inout [EngineEvent]
  ) {
    guard !crossings.isEmpty else { return }
    if crossings.count > 1 {
      crossings.sort { ($0.fraction, $0.key) < ($1.fraction, $1.key) }
    }
    for found in crossings {
      let position =
        found.fraction < 1 ? leg.segment?.position(atFraction: found.fraction) : leg.position
      let crossing = Crossing(
        key: found.key, coordinate: (position ?? leg.position).coordinate,
        timeMilliseconds: leg.timeMilliseconds(at: found.fraction), fraction: found.fraction,
        distanceMeters: found.distanceMeters, isAcrossBreak: isAcrossBreak)
      events.append(found.isEnter ? .enter(crossing) : .exit(crossing))
      noteSide(found)
    }
    crossings.removeAll(keepingCapacity: true)
  }

  // MARK: Stops

  struct Stop {
    enum Kind { case exposure, refresh }
    var fraction: Double
    var kind: Kind
  }

  /// Where the rule must act next on the rest of the leg; nil where it need not before its end.
  private func nextStop(on segment: GeodesicSegment, of leg: Leg) -> Stop? {
    guard options.followsReach, let anchor else { return nil }
    var stop: Stop?
    if let fraction = refreshFraction(on: segment, of: leg, from: anchor) {
      stop = Stop(fraction: fraction, kind: .refresh)
    }
    if exposure?.isSettling ?? true,
      anchor.mustRetry || anchor.reachMeters <= anchor.tripMeters || mayWait,
      let fraction = leaves(anchor, beyond: anchor.reachMeters, on: segment, after: leg.fraction),
      fraction < stop?.fraction ?? .infinity
    {
      stop = Stop(fraction: fraction, kind: .exposure)
    }
    return stop
  }

  private var mayWait: Bool { options.minIntervalMilliseconds > 0 }

  private func refreshFraction(
    on segment: GeodesicSegment, of leg: Leg, from anchor: Anchor
  ) -> Double? {
    if anchor.mustRetry { return leg.hasFailed ? nil : 0 }
    guard
      let tripped = leaves(anchor, beyond: anchor.tripMeters, on: segment, after: leg.fraction)
    else { return nil }
    guard mayWait, let begin = leg.start?.timeMilliseconds, let end = leg.point.timeMilliseconds,
      let last = anchor.timeMilliseconds
    else { return tripped }
    let due = last + options.minIntervalMilliseconds
    if due > end { return nil }
    guard end > begin else { return tripped }
    return max(tripped, Double(due - begin) / Double(end - begin))
  }

  /// The first fraction after `start` at which the path is farther than `radius` from the anchor,
  /// or nil where it stays within.
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

  /// Beyond this nothing on Earth is farther; a trip there is never reached.
  static var farthestTripMeters: Double { 20_000_000 }

  // MARK: Arriving

  /// The joined leg has been walked to its end.
  private mutating func arrive(into events: inout [EngineEvent]) -> CandidateRequest? {
    guard let leg else { return nil }
    path.lengthMeters += leg.lengthMeters
    self.leg?.segment = nil
    self.leg?.lengthMeters = 0
    if options.followsReach {
      if anchor == nil { return ask(.containing, awaiting: .containing) }
    } else if isSignificantChange(leg) {
      return askForCandidates()
    }
    settle()
    return nil
  }

  /// The leg is the first vertex or one across a break: only the sides at it are known.
  private mutating func arriveAcrossBreak(
    into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    guard let leg else { return nil }
    compareSides(of: leg)
    guard options.followsReach else {
      reportCrossings(of: leg, isAcrossBreak: true, into: &events)
      if isSignificantChange(leg) { return askForCandidates() }
      settle()
      return nil
    }
    // What is found in the answer stands in one order with what was found here.
    guard let anchor else { return ask(.containing, awaiting: .containing) }
    let moved = Geodesic.distanceMeters(anchor.position, leg.position)
    if anchor.mustRetry || moved > anchor.tripMeters && isIntervalOver(at: leg.point) {
      return ask(.containing, awaiting: .containing)
    }
    reportCrossings(of: leg, isAcrossBreak: true, into: &events)
    if leg.isBeyondReach(of: anchor) { openExposure() }
    settle()
    return nil
  }

  /// Compares the sides of all regions known at the vertex with those before the break.
  private mutating func compareSides(of leg: Leg) {
    monitored.compare(at: leg.position, into: &crossings)
    leaveWhatIsBehind(of: leg)
  }

  /// Whether the fixed rule refreshes at the leg's vertex.
  private func isSignificantChange(_ leg: Leg) -> Bool {
    guard let anchor else { return true }
    return Geodesic.distanceMeters(anchor.position, leg.position)
      >= options.significantChangeMeters && isIntervalOver(at: leg.point)
  }

  private func isIntervalOver(at point: PathPoint) -> Bool {
    guard let last = anchor?.timeMilliseconds, let now = point.timeMilliseconds else {
      return true
    }
    let (wait, isBeyondAll) = now.subtractingReportingOverflow(last)
    return now < last || isBeyondAll || wait >= options.minIntervalMilliseconds
  }

  /// The vertex is done: remembers it, and how far around it nothing can happen.
  mutating func settle() {
    guard let leg else { return }
    let stepMeters = leg.from.map { Geodesic.distanceMeters($0, leg.position) } ?? 0
    self.leg = nil
    path.previous = leg.point
    settled = leg.position
    resolveDoubts(at: leg)
    // A doubt is resolved at a vertex: until then each is looked at.
    guard let anchor, !anchor.mustRetry, exposure?.isSettling != true else { return }
    let moved = Geodesic.distanceMeters(anchor.position, leg.position)
    let room = undisturbedMeters(of: anchor) - moved
    var survey = survey(roomMeters: room, stepMeters: stepMeters)
    monitored.measure(from: leg.position, &survey)
    look(around: leg.position, survey, roomMeters: room)
  }

  /// Asks for the edges within some steps like the last.
  private func survey(roomMeters: Double, stepMeters: Double) -> EdgeSurvey {
    EdgeSurvey(
      wantedMeters: min(roomMeters, max(Self.stepsAhead * stepMeters, Self.leastAheadMeters)))
  }

  /// Takes what was found about the surroundings of the last vertex.
  private mutating func look(
    around here: Position, _ survey: EdgeSurvey, roomMeters: Double
  ) {
    let room = min(roomMeters, Self.widestQuietMeters)
    path.surroundings = monitored.nearEdges(
      survey, at: here, withinMeters: room, pathMeters: path.lengthMeters)
    path.quiet = path.surroundings.disc.about(
      here.coordinate, radiusMeters: min(room, survey.leastMeters) - NearEdges.toleranceMeters)
  }

  /// For how many steps like the last the edges around a vertex are looked at one by one.
  private static var stepsAhead: Double { 8 }
  /// How far they are at least, in metres.
  private static var leastAheadMeters: Double { 30 }

  /// How far from the anchor the rule has nothing to do, in metres.
  private func undisturbedMeters(of anchor: Anchor) -> Double {
    options.followsReach && exposure == nil
      ? min(anchor.tripMeters, anchor.reachMeters) : anchor.tripMeters
  }

  // MARK: Striding

  /// Takes a joined leg on which the rule has nothing to do and few edges, if any, can be met; in
  /// events the same as walking it, in less time.
  ///
  /// - Returns: Whether it was one; if not, nothing has changed.
  mutating func strides(along leg: Leg, into events: inout [EngineEvent]) -> Bool {
    guard let anchor, !anchor.mustRetry, exposure?.isSettling != true,
      let segment = leg.segment, segment.lengthMeters < Self.widestQuietMeters
    else { return false }
    let here = leg.position
    let moved = Geodesic.distanceMeters(anchor.position, here)
    let room = undisturbedMeters(of: anchor)
    if options.followsReach {
      // Discs of this size are convex: what holds for both ends holds between them.
      let farthest = max(moved, Geodesic.distanceMeters(anchor.position, segment.start))
      guard farthest < min(room - NearEdges.toleranceMeters, Self.widestQuietMeters) else {
        return false
      }
    } else {
      guard moved < room else { return false }
    }
    var survey = survey(roomMeters: room - moved, stepMeters: leg.lengthMeters)
    monitored.stride(along: segment, &survey, into: &crossings)
    path.take(leg.point, stepMeters: leg.lengthMeters)
    reportCrossings(of: leg, isAcrossBreak: false, into: &events)
    settled = here
    look(around: here, survey, roomMeters: room - moved)
    return true
  }

  // MARK: Crossing

  /// Takes a joined vertex on the way to which nothing but some near edges can be met; in events the
  /// same as walking there.
  ///
  /// - Parameters:
  ///   - near: Which of the path's surroundings they are.
  ///   - point: The vertex.
  ///   - stepMeters: How long the step to it is.
  ///   - clearanceMeters: How far from it the nearest edge is.
  ///   - events: Receives the crossings.
  mutating func cross(
    _ near: NearEdges.Selection, to point: PathPoint, stepMeters: Double, clearanceMeters: Double,
    into events: inout [EngineEvent]
  ) {
    guard let previous = path.previous else { return }
    let leg = Leg(
      from: position(of: previous), at: previous, to: point, lengthMeters: stepMeters)
    guard let segment = leg.segment else { return }
    monitored.follow(segment, &path.surroundings, near, into: &crossings)
    // With a margin another edge may be nearer now.
    let isClear = crossings.isEmpty || options.exitMarginMeters == 0
    path.quiet = path.surroundings.disc.about(
      point.coordinate, radiusMeters: isClear ? clearanceMeters : 0)
    path.take(point, stepMeters: stepMeters)
    settled = leg.position
    reportCrossings(of: leg, isAcrossBreak: false, into: &events)
  }

  /// A disc wider than this would leave the range in which all its bounds are proved.
  private static var widestQuietMeters: Double { 50_000 }
}
