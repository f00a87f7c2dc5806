import FencepostGeodesy

/// Follows a path with every place monitored.
///
/// Nothing is chosen and nothing refreshed. The engine keeps the circles that the device is inside,
/// and asks which edges are near a step. The answer serves later steps in its surroundings. A circle
/// whose edge is not near a step keeps its side.
extension Engine {
  var monitorsEveryPlace: Bool { options.limit == nil }

  mutating func walkPastEveryPlace(
    on leg: Leg, into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    if let segment = leg.segment, anchor?.mustRetry == false {
      // What is asked must not depend on whether the shortcut is taken.
      if shortcut.covers(leg.point.coordinate) {
        followKnownCircles(on: leg)
        reportCrossings(into: &events)
        settle()
        return nil
      }
      guard let edges = nearEdges,
        let room = edges.roomMeters(behind: segment, accuracyMeters: blurMeters(of: leg))
      else { return askForEdges(near: segment, of: leg) }
      pass(edges.regions, roomMeters: room, on: leg, into: &events)
      return nil
    }
    // The sides are unknown: the path begins or breaks here, or the store has failed.
    followKnownCircles(on: leg)
    return ask(.containing, awaiting: .containing)
  }

  /// Continues with the circles that contain the vertex where the path begins, or begins anew.
  mutating func beginInside(_ regions: [Region]) -> CandidateRequest? {
    leg?.answered = regions
    guard let leg else { return nil }
    return askForEdges(near: GeodesicSegment(from: leg.position, to: leg.position), of: leg)
  }

  /// Continues with the places whose edges are near the leg.
  mutating func passEdges(of regions: [Region], into events: inout [EngineEvent]) {
    guard let leg else { return }
    let edges = NearEdges(
      regions: regions, center: leg.position, radiusMeters: nearEdgesMeters)
    nearEdges = edges
    pass(regions, roomMeters: nearEdgesMeters, on: leg, into: &events)
    // Ask farther where edges are rare, and less far where an answer has many.
    if regions.count < NearEdges.few {
      nearEdgesMeters = min(2 * nearEdgesMeters, Self.widestQuietMeters)
    } else if regions.count > NearEdges.many {
      nearEdgesMeters = max(nearEdgesMeters / 2, NearEdges.leastMeters)
    }
  }

  /// Follows a leg, or takes the sides at its vertex, given the places whose edges are near it.
  ///
  /// No other edge is within `room` meters of the vertex.
  private mutating func pass(
    _ regions: [Region], roomMeters room: Double, on leg: Leg, into events: inout [EngineEvent]
  ) {
    let segment = leg.hasArrived ? nil : leg.segment
    // An edge that is farther from the vertex than the step is long is not crossed on it.
    let reach = segment.map {
      options.judgesAccuracy ? .infinity : $0.lengthMeters + Self.quietToleranceMeters
    }
    var clear = room
    for region in regions {
      let meters = region.circle.clearanceMeters(from: leg.position)
      clear = min(clear, meters)
      if let reach, meters <= reach { monitored.add(region, isInside: false) }
    }
    if let segment {
      follow(segment, of: leg)
    } else {
      takeSides(among: leg.answered + regions, of: leg, into: &events)
    }
    reportCrossings(into: &events)
    monitored.keepInside()
    setQuietDisc(
      around: leg.position,
      radiusMeters: monitored.clearanceMeters(from: leg.position, upTo: clear))
    settle()
  }

  /// Continues after the store has failed: the known circles are followed, others may be missed.
  mutating func passUnknownEdges(into events: inout [EngineEvent]) {
    guard let leg else { return }
    shortcut.forget()
    nearEdges = nil
    openExposure()
    if !leg.hasArrived { followKnownCircles(on: leg) }
    anchor?.mustRetry = true
    reportCrossings(into: &events)
    reportFailure(into: &events)
    monitored.keepInside()
    settle()
  }

  // MARK: Steps

  private mutating func askForEdges(
    near segment: GeodesicSegment, of leg: Leg
  ) -> CandidateRequest? {
    var meters = nearEdgesMeters + blurMeters(of: leg)
    // A stay may last until the path is that far from the edge.
    if leg.hasArrived { meters += options.exitMarginMeters }
    return ask(.edges(near: segment, withinMeters: meters), awaiting: .edges)
  }

  private mutating func followKnownCircles(on leg: Leg) {
    if let segment = leg.segment {
      follow(segment, of: leg)
    } else {
      monitored.compare(at: leg, into: &crossings)
    }
    self.leg?.hasArrived = true
    self.leg?.fraction = 1
  }

  private mutating func follow(_ segment: GeodesicSegment, of leg: Leg) {
    switch options.test {
    case .path: monitored.follow(segment, of: leg, through: 1, into: &crossings)
    case .fixes:
      var end = leg
      end.fraction = 1
      monitored.compare(at: end, into: &crossings)
    }
    self.leg?.fraction = 1
  }

  /// Takes the sides from the vertex, among all places that may contain the device.
  private mutating func takeSides(
    among regions: [Region], of leg: Leg, into events: inout [EngineEvent]
  ) {
    monitored.keepInside()
    var found: [Region] = []
    var isKnown: Set<Int64> = []
    for region in regions where isKnown.insert(region.key).inserted {
      let side = monitored.region(forKey: region.key)
      if side?.circle == region.circle {
        found.append(region)
      } else if options.isInside(region.circle, wasInside: false, at: leg) {
        found.append(region)
        // Compare with the start of the break, whether or not the store answered there.
        let wasOutside = leg.isBreak && !options.wasInside(region.circle, atStartOf: leg)
        if side == nil, options.initial == .enter || wasOutside {
          crossings.append(leg.crossing(of: region, isEntry: true, isAcrossBreak: leg.isBreak))
        }
      }
    }
    let isFirst = anchor == nil
    let gone = monitored.regions.filter { region in !found.contains(region) }.map { $0.key }
    forgetSides(of: gone)
    monitored.adopt(found.sorted { $0.key < $1.key }, sides: found.map { _ in true })
    updateHolds(among: regions)
    anchor = Anchor(
      position: leg.position, timeMilliseconds: leg.point.timeMilliseconds,
      reachMeters: .infinity, tripMeters: .infinity)
    endExposure(at: leg, answered: regions, reachMeters: .infinity)
    reportCrossings(into: &events)
    guard isFirst else { return }
    events.append(
      .refresh(
        Refresh(
          coordinate: leg.point.coordinate, timeMilliseconds: leg.point.timeMilliseconds,
          fraction: 1, monitoredCount: monitored.count, added: monitoredKeys, removed: [],
          foundInside: monitoredKeys, radiusMeters: nil, reachMeters: nil, hasFailed: false)))
  }

  /// How far from an edge a side can change already, in meters.
  private func blurMeters(of leg: Leg) -> Double {
    options.judgesAccuracy ? leg.accuracyMeters : 0
  }

  /// Records how far the path can go from a vertex before it meets an edge.
  private mutating func setQuietDisc(around here: Position, radiusMeters clear: Double) {
    shortcut.forget()
    guard shortcut.isUseful, exposure == nil, clear > Self.quietToleranceMeters else { return }
    shortcut.set(around: here, radiusMeters: clear - Self.quietToleranceMeters)
  }
}

/// The places with an edge within a distance of a vertex, where every place is monitored.
struct NearEdges: Sendable {
  /// An answer with fewer asks for a wider one next time, and one with more for a narrower one.
  static let few = 4
  static let many = 16
  static let leastMeters = 10.0

  var regions: [Region]
  var center: Position
  var radiusMeters: Double

  /// How far from the end of a segment other edges certainly are, in meters.
  ///
  /// Nil if such an edge may matter on the way, or if too little room is left for what follows.
  func roomMeters(behind segment: GeodesicSegment, accuracyMeters needed: Double) -> Double? {
    let room = radiusMeters - Geodesic.distanceMeters(center, segment.end)
    guard room >= max(needed, radiusMeters / 4) else { return nil }
    if room - segment.lengthMeters >= needed { return room }
    return radiusMeters - Geodesic.distanceMeters(center, segment.start) >= needed ? room : nil
  }
}
