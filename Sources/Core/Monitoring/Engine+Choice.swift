import FencepostGeodesy

/// The circles around a point, from which the adaptive rule with an exit margin chooses.
///
/// With a margin, each circle has two edges, but only one can be met next: its own from outside,
/// the exit edge from inside. The store does not know the sides, so it ranks by the distance to the
/// band between the edges. Where bands overlap, many are at distance 0 and few matter. The engine
/// knows the sides, so it asks for more circles than it has slots and ranks them by the next edge.
/// An answer serves further refreshes as long as it reaches far enough.
struct Neighborhood: Sendable {
  var regions: [Region]
  /// The point where the store was asked.
  var center: Position
  /// No other band is nearer to ``center`` than this, in meters.
  var radiusMeters: Double

  /// How far the path can go before it can meet another band, in meters; below 0 if unknown.
  func roomMeters(at here: Position) -> Double {
    radiusMeters == .infinity
      ? .infinity : radiusMeters - Geodesic.distanceMeters(center, here) - Self.toleranceMeters
  }

  /// More than the rounding errors of distances, in meters.
  private static var toleranceMeters: Double { 1e-6 }
}

/// The regions to monitor, and the distance to the nearest edge left out.
struct Choice {
  var regions: ArraySlice<Region>
  /// In meters; infinite if nothing is left out or the rule does not ask for it.
  var reachMeters: Double
}

extension Engine {
  var choosesByNextEdge: Bool {
    options.followsReach && options.exitMarginMeters > 0
  }

  /// Refreshes from the last answer if a new one would certainly give the same set.
  ///
  /// - Returns: False if a new answer is needed.
  mutating func refreshFromNeighborhood(into events: inout [EngineEvent]) -> Bool {
    guard exposure == nil, let leg, let neighborhood, anchor?.mustRetry != true else {
      return false
    }
    let room = neighborhood.roomMeters(at: leg.here)
    guard room > 0 else { return false }
    let choice = choice(among: neighborhood.regions, of: leg)
    guard choice.reachMeters <= room else { return false }
    adopt(choice, answered: neighborhood.regions, into: &events)
    return true
  }

  /// Chooses from an answer, or returns a request for twice as many regions if it is too short.
  mutating func chooseOrWiden(
    among regions: [Region], into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    guard let leg else { return nil }
    let choice = choice(among: regions, of: leg)
    if choosesByNextEdge {
      let isAll = regions.count < neighborhoodRequestCount
      let radius =
        isAll ? .infinity : regions.last.map { bandDistanceMeters(of: $0, from: leg.here) } ?? 0
      let needed = max(choice.reachMeters, Self.leastNeighborhoodMeters)
      guard radius >= needed else {
        neighborhoodCount = neighborhoodRequestCount * 2
        return askForCandidates()
      }
      // After a crowd, fewer are enough.
      if !isAll, radius > 8 * needed {
        neighborhoodCount = max(Self.leastNeighborhoodCount, neighborhoodCount / 2)
      }
      neighborhood = Neighborhood(regions: regions, center: leg.here, radiusMeters: radius)
    }
    adopt(choice, answered: regions, into: &events)
    return nil
  }

  /// One more edge than slots, to know which is left out, or as many as the neighborhood needs.
  var neighborhoodRequestCount: Int {
    max(options.slots ?? 0, neighborhoodCount) + 1
  }

  private static var leastNeighborhoodCount: Int { 64 }
  private static var leastNeighborhoodMeters: Double { 1 }

  // MARK: Choosing

  /// Fills the slots with the regions that must be kept, then with the nearest.
  private func choice(among regions: [Region], of leg: Leg) -> Choice {
    let slots = options.slots ?? 0
    if choosesByNextEdge && regions.count <= slots {
      return Choice(regions: regions[...], reachMeters: .infinity)
    }
    let held = held(upTo: slots)
    if !choosesByNextEdge, held.isEmpty {
      // The answer is in this order already.
      let left = options.followsReach ? regions.dropFirst(slots).first : nil
      return Choice(
        regions: regions.prefix(slots),
        reachMeters: left.map { bandDistanceMeters(of: $0, from: leg.here) } ?? .infinity)
    }
    var order =
      choosesByNextEdge ? orderByNextEdge(regions, slots, of: leg) : Array(regions.indices)
    if !held.isEmpty {
      order.removeAll { index in held.contains { $0.key == regions[index].key } }
    }
    let free = slots - held.count
    var reach = Double.infinity
    if options.followsReach, order.count > free {
      let left = regions[order[free]]
      reach =
        choosesByNextEdge
        ? nextEdgeMeters(of: left, from: leg.here) : bandDistanceMeters(of: left, from: leg.here)
    }
    return Choice(
      regions: (held + order.prefix(free).map { regions[$0] })[...], reachMeters: reach)
  }

  /// The regions with the nearest next edges, more than there are slots, with ties in their order.
  private func orderByNextEdge(_ regions: [Region], _ slots: Int, of leg: Leg) -> [Int] {
    // The reach of the last set suggests how far to look.
    let limit = max(4 * (anchor?.reachMeters ?? .infinity), Self.leastNeighborhoodMeters)
    var near = edges(of: regions, withinMeters: limit, of: leg)
    if near.count <= slots { near = edges(of: regions, withinMeters: .infinity, of: leg) }
    return near.sorted { ($0.meters, $0.index) < ($1.meters, $1.index) }.map { $0.index }
  }

  /// The distances to the next edges, up to a limit, in the order of the regions.
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

  private func nextEdgeMeters(of region: Region, from here: Position) -> Double {
    let radius = region.circle.radiusMeters
    let distance = region.circle.distanceMeters(from: here)
    let isInside =
      monitored.side(of: region.key)
      ?? (containing[region.key] == region.circle
        || distance <= radius && !options.judgesAccuracy)
    guard isInside else { return max(0, distance - radius) }
    guard let exit = options.exitCircle(of: region.circle) else { return .infinity }
    return max(0, exit.radiusMeters - distance)
  }

  func bandDistanceMeters(of region: Region, from here: Position) -> Double {
    region.circle.bandDistanceMeters(from: here, marginMeters: options.exitMarginMeters)
  }
}
