import FencepostGeodesy

/// What a store said of the circles about a point, for the adaptive rule with an exit margin to
/// choose from.
///
/// Each circle then has two edges, and only one of them can be met next: its own from outside, the
/// exit edge from inside. On which side the device is the store cannot know, so that it ranks by the
/// distance to the band between both; where bands overlap many are at distance 0, of which few
/// matter. The engine knows the sides, asks for more than it has slots for, and ranks by the edge
/// that can be met next. As long as the answer reaches far enough it serves further refreshes too.
struct Neighbourhood: Sendable {
  /// The circles, in the order of the answer.
  var regions: [Region]
  /// Where the store was asked.
  var center: Position
  /// No band that is not among them is nearer to ``center`` than this, in metres.
  var radiusMeters: Double

  /// How far from a position no band is met but theirs, in metres; below 0 where that is not known.
  func roomMeters(at here: Position) -> Double {
    radiusMeters == .infinity
      ? .infinity : radiusMeters - Geodesic.distanceMeters(center, here) - Self.toleranceMeters
  }

  /// More than the rounding of distances amounts to, in metres.
  private static var toleranceMeters: Double { 1e-6 }
}

/// The regions to be monitored, and the distance to the nearest edge that they leave out.
struct Choice {
  var regions: ArraySlice<Region>
  /// In metres; infinite where nothing is left out or the rule does not ask for it.
  var reachMeters: Double
}

extension Engine {
  /// Whether the engine itself ranks what the store finds.
  var choosesByNextEdge: Bool {
    options.limit != nil && options.followsReach && options.exitMarginMeters > 0
  }

  /// Renews the monitored set from what the store said before, where that is certain to be what it
  /// would say now.
  ///
  /// - Returns: Whether it was; if not, nothing has changed.
  mutating func refreshFromNeighbourhood(into events: inout [EngineEvent]) -> Bool {
    guard exposure == nil, let leg, let neighbourhood, anchor?.mustRetry != true else {
      return false
    }
    let room = neighbourhood.roomMeters(at: leg.here)
    guard room > 0 else { return false }
    let choice = choice(among: neighbourhood.regions, of: leg)
    guard choice.reachMeters <= room else { return false }
    adopt(choice, answered: neighbourhood.regions, into: &events)
    return true
  }

  /// Takes an answer with which the engine ranks itself.
  ///
  /// - Returns: A request for twice as many where these do not reach far enough to tell.
  mutating func chooseOrWiden(
    among regions: [Region], into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    guard let leg else { return nil }
    let isAll = regions.count < neighbourhoodRequestCount
    let choice = choice(among: regions, of: leg)
    let radius =
      isAll ? .infinity : regions.last.map { bandDistanceMeters(of: $0, from: leg.here) } ?? 0
    guard radius >= max(choice.reachMeters, Self.leastNeighbourhoodMeters) else {
      neighbourhoodCount = neighbourhoodRequestCount * 2
      return askForCandidates()
    }
    // What a crowd has asked for is not needed behind it.
    if !isAll, radius > 8 * max(choice.reachMeters, Self.leastNeighbourhoodMeters) {
      neighbourhoodCount = max(Self.leastNeighbourhoodCount, neighbourhoodCount / 2)
    }
    neighbourhood = Neighbourhood(regions: regions, center: leg.here, radiusMeters: radius)
    adopt(choice, answered: regions, into: &events)
    return nil
  }

  /// How many edges are asked for to choose from: more than there are slots, to know what they
  /// leave out.
  var neighbourhoodRequestCount: Int {
    max(options.placeSlots ?? 0, neighbourhoodCount) + 1
  }

  private static var leastNeighbourhoodCount: Int { 64 }

  // MARK: Choosing

  /// Chooses the regions whose next edge is nearest, ties in the order of the answer.
  private func choice(among regions: [Region], of leg: Leg) -> Choice {
    let slots = options.placeSlots ?? regions.count
    guard regions.count > slots else {
      return Choice(regions: regions[...], reachMeters: .infinity)
    }
    // How near the last set's edges were tells how far it is worth while to look.
    let limit = max(4 * (anchor?.reachMeters ?? .infinity), Self.leastNeighbourhoodMeters)
    var near = edges(of: regions, withinMeters: limit, of: leg)
    if near.count <= slots { near = edges(of: regions, withinMeters: .infinity, of: leg) }
    near.sort { ($0.meters, $0.index) < ($1.meters, $1.index) }
    return Choice(
      regions: near.prefix(slots).map { regions[$0.index] }[...], reachMeters: near[slots].meters)
  }

  /// The distances to the edges that can be met next, as far as they are at most so many metres, in
  /// the order of the regions.
  private func edges(
    of regions: [Region], withinMeters limit: Double, of leg: Leg
  ) -> [(meters: Double, index: Int)] {
    let here = leg.here
    let margin = options.exitMarginMeters
    var near: [(meters: Double, index: Int)] = []
    for index in regions.indices {
      let circle = regions[index].circle
      guard circle.edgesClearanceMeters(from: here, marginMeters: margin) <= limit else { continue }
      let meters = nextEdgeMeters(of: regions[index], from: here)
      if meters <= limit { near.append((meters, index)) }
    }
    return near
  }

  /// How far the edge is that can be met next, in metres; infinite where there is none.
  private func nextEdgeMeters(of region: Region, from here: Position) -> Double {
    let radius = region.circle.radiusMeters
    let distance = region.circle.distanceMeters(from: here)
    let isInside =
      monitored.side(of: region.key)
      ?? (distance <= radius || containing[region.key] == region.circle)
    guard isInside else { return max(0, distance - radius) }
    guard let exit = options.exitCircle(of: region.circle) else { return .infinity }
    return max(0, exit.radiusMeters - distance)
  }

  private func bandDistanceMeters(of region: Region, from here: Position) -> Double {
    region.circle.bandDistanceMeters(from: here, marginMeters: options.exitMarginMeters)
  }
}
