import FencepostGeodesy

extension Engine {
  /// Continues with the store's answer to the last request.
  ///
  /// - Parameters:
  ///   - answer: The store's answer.
  ///   - events: Receives the events since then.
  /// - Returns: The next request, or nil when the vertex has been reached.
  /// - Precondition: A request is open.
  public mutating func resume(
    with answer: CandidateAnswer, into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    guard let awaiting = leg?.awaiting else { preconditionFailure("nothing was asked") }
    leg?.awaiting = nil
    switch (awaiting, answer) {
    case (.containing, .found(let regions)) where monitorsEveryPlace:
      return beginInside(regions)
    case (.edges, .found(let regions)):
      passEdges(of: regions, into: &events)
      return nil
    case (_, .failed) where monitorsEveryPlace:
      passUnknownEdges(into: &events)
      return nil
    case (.containing, .found(let regions)):
      takeContaining(regions, into: &events)
      return askForCandidates()
    case (.candidates, .found(let regions)):
      reportMissedExits(into: &events)
      if let wider = chooseOrWiden(among: regions, into: &events) { return wider }
    case (_, .failed):
      keepAfterFailure(into: &events)
    }
    guard leg?.hasArrived == true else { return walk(into: &events) }
    settle()
    return nil
  }

  /// Refreshes the monitored set at the last vertex, for example after the store was edited.
  ///
  /// A region with the same circle keeps its side. A new, moved or resized one takes its side from
  /// the last vertex, and a deleted one is dropped. None of this is reported, except for new
  /// regions under ``MonitoringOptions/InitialState/enter``.
  ///
  /// - Parameter events: Receives the refresh.
  /// - Returns: A request to answer with ``resume(with:into:)``, or nil before the first vertex.
  /// - Precondition: No request is open.
  public mutating func refresh(into events: inout [EngineEvent]) -> CandidateRequest? {
    precondition(leg == nil, "the engine still awaits an answer")
    guard let previous = path.previous else { return nil }
    neighborhood = nil
    nearEdges = nil
    shortcut.forget()
    before = Before(rest)
    leg = Leg(from: nil, to: previous, joinedStepMeters: nil, pathMeters: lengthMeters)
    leg?.isRefresh = true
    guard options.followsReach || monitorsEveryPlace else { return askForCandidates() }
    return ask(.containing, awaiting: .containing)
  }

  // MARK: Asking

  mutating func ask(
    _ question: CandidateRequest.Question, awaiting: Leg.Awaiting
  ) -> CandidateRequest? {
    guard let leg else { return nil }
    self.leg?.awaiting = awaiting
    return CandidateRequest(question: question, coordinate: leg.here.coordinate)
  }

  mutating func askToRefresh() -> CandidateRequest? {
    // Unseen entries must be known before the path leaves those circles or the stretch ends.
    let needsSides =
      options.test == .path && (options.exitMarginMeters > 0 || options.initial == .enter)
    return needsSides && exposure?.isSettling == false
      ? ask(.containing, awaiting: .containing) : askForCandidates()
  }

  mutating func askForCandidates() -> CandidateRequest? {
    let byEdge = NearestRank.edge(exitMarginMeters: options.exitMarginMeters)
    let slots = options.slots ?? 0
    let rank = options.followsReach || options.rank == .edge ? byEdge : .center
    // One more edge than slots shows which is left out.
    let count =
      choosesByNextEdge ? neighborhoodRequestCount : options.followsReach ? slots + 1 : slots
    return ask(.nearest(count: count, rank: rank), awaiting: .candidates)
  }

  // MARK: Answers

  /// Applies the circles that contain the first vertex, or the first after a break.
  private mutating func takeContaining(_ regions: [Region], into events: inout [EngineEvent]) {
    guard let leg else { return }
    if leg.isRefresh { forgetDeleted(regions, at: leg.position) }
    for region in regions
    where !monitored.contains(region.key)
      && options.isInside(region.circle, wasInside: false, at: leg)
    {
      guard containing.updateValue(region.circle, forKey: region.key) == nil else { continue }
      // Compare with the start of the break, whether or not the store answered there.
      let wasOutside = leg.isBreak && !options.wasInside(region.circle, atStartOf: leg)
      guard options.initial == .enter || wasOutside else { continue }
      crossings.append(leg.crossing(of: region, isEntry: true, isAcrossBreak: leg.isBreak))
    }
    reportCrossings(into: &events)
  }

  /// Forgets circles that no longer contain the device because the store was edited.
  private mutating func forgetDeleted(_ regions: [Region], at here: Position) {
    let found = Set(regions.map { $0.key })
    let gone = containing.filter { !found.contains($0.key) && $0.value.contains(here) }
      .map { $0.key }
    for key in gone { containing[key] = nil }
    forgetSides(of: gone)
  }

  mutating func adopt(
    _ choice: Choice, answered: [Region], into events: inout [EngineEvent]
  ) {
    guard let leg else { return }
    let here = leg.here
    let time = leg.timeMilliseconds(at: leg.fraction)
    let (candidates, reach) = (choice.regions, choice.reachMeters)
    let blur = blurMeters(on: leg)
    let safe = reach - blur.total
    endExposure(at: leg, answered: answered, reachMeters: safe)
    let (change, known) = replaceMonitored(with: candidates, of: leg)
    anchor = Anchor(
      position: here, timeMilliseconds: time, reachMeters: reach - blur.anchor,
      blurMeters: blur.leg, tripMeters: trip(reach: safe))
    updateHolds(among: monitored.regions)
    events.append(
      .refresh(
        Refresh(
          coordinate: here.coordinate, timeMilliseconds: time, fraction: leg.fraction,
          monitoredCount: monitored.count, added: change.added, removed: change.removed,
          foundInside: change.foundInside.map { $0.key },
          radiusMeters: candidates.lazy.map { $0.circle.distanceMeters(from: here) }.max(),
          reachMeters: options.followsReach ? reach : nil, hasFailed: false)))
    if options.initial == .enter || options.judgesAccuracy {
      enterFoundInside(change.foundInside.filter { !known.contains($0.key) }, into: &events)
    }
  }

  /// Returns the changes, and the new regions known to contain the device.
  private mutating func replaceMonitored(
    with candidates: ArraySlice<Region>, of leg: Leg
  ) -> (MonitoredSet.Replacement, known: [Int64]) {
    // Moved out, because capturing the property in a closure would force a copy.
    var containing: [Int64: Circle] = [:]
    swap(&containing, &self.containing)
    defer { swap(&containing, &self.containing) }
    var known: [Int64] = []
    if options.test == .fixes { notePassed() }
    let change = monitored.replace(with: candidates) { [options] region in
      if containing[region.key] == region.circle {
        known.append(region.key)
        return true
      }
      return options.startingSide(of: region.circle, at: leg)
    }
    if !passed.isEmpty { passed = passed.filter { !monitored.contains($0.key) } }
    guard options.followsReach else {
      // The fixed rule forgets the sides of regions that leave the set.
      forgetSides(of: change.removed)
      forgetSides(of: change.changed)
      return (change, known)
    }
    for key in change.added where containing.removeValue(forKey: key) != nil {
      if !known.contains(key) { forgetSides(of: [key]) }
    }
    forgetSides(of: change.changed)
    for region in change.removedInside { containing[region.key] = region.circle }
    return (change, known)
  }

  /// The distance from the anchor to the next refresh in meters.
  private func trip(reach: Double) -> Double {
    guard options.followsReach else { return options.significantChangeMeters }
    guard reach > Self.leastTripMeters else { return crowdedTripMeters }
    // New regions must be in place before their edges are met, and each refresh must make progress.
    return max(reach - Self.headStartMeters, Self.leastTripMeters, options.refreshFloorMeters)
  }

  /// The distance to the next refresh where more edges than regions are within reach, in meters.
  ///
  /// There, nothing can be certified, however often the set is refreshed. The first refresh comes
  /// after the least trip. Each one that still finds the crowd doubles the distance, up to 25 m. So
  /// an uncertified stretch grows by at most its own length and at most 25 m.
  private var crowdedTripMeters: Double {
    var trip = Self.leastTripMeters
    if let anchor, anchor.reachMeters - anchor.blurMeters <= Self.leastTripMeters,
      !anchor.mustRetry
    {
      trip = min(2 * anchor.tripMeters, Self.greatestCrowdedTripMeters)
    }
    return max(trip, options.refreshFloorMeters)
  }

  private static var headStartMeters: Double { 0.01 }
  static var leastTripMeters: Double { 0.05 }
  private static var greatestCrowdedTripMeters: Double { 25 }

  private mutating func enterFoundInside(
    _ regions: [Region], into events: inout [EngineEvent]
  ) {
    guard let leg, !regions.isEmpty else { return }
    // Across a break, the store does not know which accuracy circles meet a place's circle.
    let comparesBreak = options.followsReach && options.judgesAccuracy && leg.isBreak
    guard options.initial == .enter || comparesBreak else { return }
    for region in regions {
      let isAcrossBreak = comparesBreak && !options.wasInside(region.circle, atStartOf: leg)
      guard options.initial == .enter || isAcrossBreak else { continue }
      crossings.append(leg.crossing(of: region, isEntry: true, isAcrossBreak: isAcrossBreak))
    }
    reportCrossings(into: &events)
  }

  private mutating func keepAfterFailure(into events: inout [EngineEvent]) {
    guard let leg else { return }
    reportCrossings(into: &events)
    reportFailure(into: &events)
    self.leg?.hasFailed = true
    guard options.followsReach else { return }
    anchor?.mustRetry = true
    // The walk would stop where this becomes true later on the leg; here it may be true already.
    if isBeyondReach(leg) { openExposure() }
  }

  /// Reports at the current point of the leg that the store did not answer.
  mutating func reportFailure(into events: inout [EngineEvent]) {
    guard let leg else { return }
    events.append(
      .refresh(
        Refresh(
          coordinate: leg.here.coordinate,
          timeMilliseconds: leg.timeMilliseconds(at: leg.fraction), fraction: leg.fraction,
          monitoredCount: monitored.count, added: [], removed: [], foundInside: [],
          radiusMeters: nil,
          reachMeters: nil, hasFailed: true)))
  }

  /// Whether an unmonitored edge may have been crossed since the store last answered.
  func isBeyondReach(_ leg: Leg) -> Bool {
    guard let anchor else { return true }
    return Geodesic.distanceMeters(anchor.position, leg.here) > reachMeters(of: anchor, on: leg)
  }
}

extension Engine.Leg {
  /// Whether the device is inside a circle at the current point of the leg.
  ///
  /// On a segment, the crossings decide this too, so that none is lost or doubled.
  func isInside(_ circle: Circle) -> Bool {
    guard let segment, fraction < 1 else { return circle.contains(position) }
    let spans = segment.insideSpans(of: circle)
    return (0..<spans.count).contains {
      spans[$0].start <= fraction && fraction < spans[$0].end
    }
  }
}
