import Geodesy

/// Asking the store, and what its answers change.
extension Engine {
  /// Goes on with the store's answer to the last request.
  ///
  /// - Parameters:
  ///   - answer: What the store said.
  ///   - events: Receives what happened since.
  /// - Returns: What the store must be asked next, or nil when the vertex has been reached.
  /// - Precondition: A request is open.
  public mutating func resume(
    with answer: CandidateAnswer, into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    guard let awaiting = leg?.awaiting else { preconditionFailure("nothing was asked") }
    leg?.awaiting = nil
    switch (awaiting, answer) {
    case (.containing, .found(let regions)):
      meet(regions, into: &events)
      return askForCandidates()
    case (.candidates, .found(let regions)):
      if let wider = widerRequest(than: regions) { return wider }
      adopt(regions, into: &events)
    case (_, .failed):
      keepAfterFailure(into: &events)
    }
    guard leg?.segment == nil else { return walk(into: &events) }
    settle()
    return nil
  }

  // MARK: Asking

  mutating func ask(
    _ question: CandidateRequest.Question, awaiting: Leg.Awaiting
  ) -> CandidateRequest? {
    guard let leg else { return nil }
    self.leg?.awaiting = awaiting
    return CandidateRequest(question: question, coordinate: leg.here.coordinate)
  }

  mutating func askForCandidates() -> CandidateRequest? {
    let margin = options.exitMarginMeters
    let question: CandidateRequest.Question
    if let slots = options.placeSlots {
      if options.followsReach {
        question = .nearestEdges(count: slots + 1, exitMarginMeters: margin)
      } else if options.rank == .edge {
        question = .nearestEdges(count: slots, exitMarginMeters: margin)
      } else {
        question = .nearestCenters(count: slots)
      }
    } else {
      question = .nearestEdges(count: neighbourhoodCount + 1, exitMarginMeters: margin)
    }
    return ask(question, awaiting: .candidates)
  }

  /// Without a limit, the neighbourhood must reach far enough to make progress: asks for twice as
  /// many edges until it does.
  private mutating func widerRequest(than regions: [Region]) -> CandidateRequest? {
    guard options.limit == nil, let leg, regions.count > neighbourhoodCount,
      reachMeters(of: regions, from: leg.here) < Self.leastNeighbourhoodMeters
    else { return nil }
    neighbourhoodCount *= 2
    return askForCandidates()
  }

  private static var leastNeighbourhoodMeters: Double { 1 }

  // MARK: Answers

  /// The circles that contain the first vertex, or the one after a break.
  private mutating func meet(_ regions: [Region], into events: inout [EngineEvent]) {
    guard let leg else { return }
    let isFirst = anchor == nil
    let origin = path.isJoined ? nil : leg.from
    for region in regions where containing[region.key] == nil {
      if monitored.contains(region.key) { continue }
      containing[region.key] = region.circle
      // What a break is compared with is where it began, whether the store has answered there or not.
      let isNew =
        isFirst && options.initial == .enter
        || origin.map { !region.circle.contains($0) } ?? false
      guard isNew else { continue }
      crossings.append(
        .init(
          fraction: 1, key: region.key, isEnter: true,
          distanceMeters: region.circle.distanceMeters(from: leg.position)))
    }
    reportCrossings(of: leg, isAcrossBreak: origin != nil, into: &events)
  }

  /// Distance from `here` to the nearest edge that the slots leave out; infinite when none is.
  private func reachMeters(of regions: [Region], from here: Position) -> Double {
    let slots = options.placeSlots ?? neighbourhoodCount
    guard options.followsReach, regions.count > slots else { return .infinity }
    return regions[slots].circle.bandDistanceMeters(
      from: here, marginMeters: options.exitMarginMeters)
  }

  /// Makes the answer the monitored set.
  private mutating func adopt(_ regions: [Region], into events: inout [EngineEvent]) {
    guard let leg else { return }
    let here = leg.here
    let time = leg.timeMilliseconds(at: leg.fraction)
    let reach = reachMeters(of: regions, from: here)
    let candidates = regions.prefix(options.placeSlots ?? neighbourhoodCount)
    let isFirst = anchor == nil
    closeExposure(
      at: here, fix: fixCount - 1, timeMilliseconds: time,
      lengthMeters: lengthMeters + leg.fraction * leg.lengthMeters)
    let containing = containing
    var known: [Int64] = []
    let change = monitored.replace(with: candidates) { region in
      if containing[region.key] != nil {
        known.append(region.key)
        return true
      }
      return leg.isInside(region.circle, at: here)
    }
    for key in known { self.containing[key] = nil }
    if options.followsReach {
      for region in change.removedInside { self.containing[region.key] = region.circle }
    }
    anchor = Anchor(
      position: here, timeMilliseconds: time, reachMeters: reach, tripMeters: trip(reach: reach))
    if options.limit != nil || isFirst {
      let farthest = candidates.lazy.map { $0.circle.distanceMeters(from: here) }.max()
      events.append(
        .refresh(
          Refresh(
            coordinate: here.coordinate, timeMilliseconds: time, fraction: leg.fraction,
            monitored: monitored.count, added: change.added, removed: change.removed,
            foundInside: change.foundInside.map(\.key),
            radiusMeters: options.limit == nil ? nil : farthest,
            reachMeters: options.followsReach ? reach : nil, hasFailed: false)))
    }
    if options.initial == .enter {
      enterFoundInside(change.foundInside.filter { !known.contains($0.key) }, into: &events)
    }
  }

  /// Distance from the anchor after which the set is refreshed, in metres.
  private func trip(reach: Double) -> Double {
    guard options.followsReach else { return options.significantChangeMeters }
    // The new region must be in place before its edge is met, and each refresh must get on.
    return max(reach - Self.headStartMeters, Self.leastTripMeters, options.refreshFloorMeters)
  }

  private static var headStartMeters: Double { 0.01 }
  private static var leastTripMeters: Double { 0.05 }

  private mutating func enterFoundInside(
    _ regions: [Region], into events: inout [EngineEvent]
  ) {
    guard let leg, !regions.isEmpty else { return }
    let here = leg.here
    crossings = regions.map {
      .init(
        fraction: leg.fraction, key: $0.key, isEnter: true,
        distanceMeters: $0.circle.distanceMeters(from: here))
    }
    reportCrossings(of: leg, isAcrossBreak: false, into: &events)
  }

  private mutating func keepAfterFailure(into events: inout [EngineEvent]) {
    guard let leg else { return }
    reportCrossings(of: leg, isAcrossBreak: true, into: &events)
    events.append(
      .refresh(
        Refresh(
          coordinate: leg.here.coordinate,
          timeMilliseconds: leg.timeMilliseconds(at: leg.fraction), fraction: leg.fraction,
          monitored: monitored.count, added: [], removed: [], foundInside: [], radiusMeters: nil,
          reachMeters: nil, hasFailed: true)))
    self.leg?.hasFailed = true
    guard options.followsReach else { return }
    anchor?.mustRetry = true
    // On the way on this is seen when it comes about; here it may be so already.
    if leg.isBeyondReach(of: anchor) { openExposure() }
  }

  // MARK: Exposure

  mutating func openExposure() {
    guard let leg, exposure == nil else { return }
    exposure = Exposure(
      start: .init(
        fix: fixCount - 1, coordinate: leg.here.coordinate,
        timeMilliseconds: leg.timeMilliseconds(at: leg.fraction)),
      lengthMetersAtStart: lengthMeters + leg.fraction * leg.lengthMeters)
  }

  /// Nothing is unseen from here on, but what was left unseen on the way is not told.
  mutating func closeExposure(
    at here: Position, fix: Int, timeMilliseconds: Int64?, lengthMeters: Double
  ) {
    guard let exposure else { return }
    self.exposure = nil
    containing = containing.filter { $0.value.contains(here) }
    uncertified.append(
      UncertifiedSpan(
        start: exposure.start,
        end: .init(fix: fix, coordinate: here.coordinate, timeMilliseconds: timeMilliseconds),
        lengthMeters: lengthMeters - exposure.lengthMetersAtStart))
  }
}

extension Engine.Leg {
  /// Whether sides that are not monitored may be others here than where the store last answered.
  func isBeyondReach(of anchor: Engine.Anchor?) -> Bool {
    // What was left unseen may be entered again across a break.
    guard let anchor, !wasExposed else { return true }
    return Geodesic.distanceMeters(anchor.position, here) > anchor.reachMeters
  }

  /// Whether the device is inside a circle where the leg has been walked to.
  ///
  /// On a segment this is decided as the crossings on it are, so that none is lost or doubled.
  func isInside(_ circle: Circle, at here: Position) -> Bool {
    guard let segment, fraction < 1 else { return circle.contains(here) }
    let spans = segment.insideSpans(of: circle)
    return (0..<spans.count).contains {
      spans[$0].start <= fraction && fraction < spans[$0].end
    }
  }
}
