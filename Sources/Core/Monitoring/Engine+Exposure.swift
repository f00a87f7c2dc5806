import FencepostGeodesy

/// Tracks stretches where an edge may be crossed unseen, and the sides they leave in doubt.
///
/// An exposure begins where the path is as far from the last refresh as the nearest unmonitored
/// edge was. It ends with an answer that leaves nothing within reach, but never at a break, since
/// only the next answer shows the sides. With an exit margin, the device may then be between a
/// circle's edge and its exit edge, where the side depends on which it crossed last. So the
/// exposure lasts until the path has left all such bands.
extension Engine {
  mutating func openExposure() {
    guard let leg else { return }
    guard exposure == nil else {
      exposure?.isSettling = false
      return
    }
    exposure = Exposure(
      start: .init(
        fix: fixCount - 1, coordinate: leg.here.coordinate,
        timeMilliseconds: leg.timeMilliseconds(at: leg.fraction)),
      lengthMetersAtStart: leg.pathMeters)
  }

  mutating func closeExposure(
    at coordinate: Coordinate, timeMilliseconds: Int64?, pathMeters: Double
  ) {
    guard let exposure else { return }
    self.exposure = nil
    doubtful.removeAll()
    uncertified.append(
      UncertifiedSpan(
        start: exposure.start,
        end: .init(
          fix: fixCount - 1, coordinate: coordinate, timeMilliseconds: timeMilliseconds),
        lengthMeters: pathMeters - exposure.lengthMetersAtStart))
  }

  private mutating func closeExposure(at leg: Leg) {
    closeExposure(
      at: leg.here.coordinate, timeMilliseconds: leg.timeMilliseconds(at: leg.fraction),
      pathMeters: leg.pathMeters)
  }

  /// Ends an exposure if an answer leaves no edge within reach.
  ///
  /// `reachMeters` is the distance to the nearest edge that will not be monitored.
  mutating func endExposure(at leg: Leg, answered: [Region], reachMeters: Double) {
    guard exposure != nil else { return }
    noteDoubts(at: leg, answered: answered)
    // Between fixes, the sides are unknown.
    guard exposure?.isLasting == false, options.test == .path || leg.fraction == 1 else { return }
    // The exposure would begin again at once.
    guard reachMeters > Self.leastTripMeters else {
      exposure?.isSettling = false
      return
    }
    if doubtful.isEmpty { closeExposure(at: leg) } else { exposure?.isSettling = true }
  }

  // MARK: Doubts

  /// Records circles that were not monitored and have the device between their two edges.
  private mutating func noteDoubts(at leg: Leg, answered: [Region]) {
    guard options.hasHysteresis else { return }
    dropDoubts(at: leg)
    // While settling, nothing is crossed unseen, because the last answer left nothing within reach.
    guard exposure?.isSettling == false else { return }
    for region in answered where isInBand(of: region.circle, at: leg) {
      if !monitored.contains(region.key) { doubtful[region.key] = region.circle }
    }
  }

  private mutating func dropDoubts(at leg: Leg) {
    for (key, circle) in doubtful where !isInBand(of: circle, at: leg) { doubtful[key] = nil }
  }

  private func isInBand(of circle: Circle, at leg: Leg) -> Bool {
    !options.isInside(circle, wasInside: false, at: leg)
      && options.isInside(circle, wasInside: true, at: leg)
  }

  /// Ends an exposure at a vertex once no side is in doubt.
  mutating func resolveDoubts(at leg: Leg) {
    guard exposure?.isSettling == true else { return }
    dropDoubts(at: leg)
    if doubtful.isEmpty { closeExposure(at: leg) }
  }

  // MARK: Missed exits

  mutating func reportMissedExits(into events: inout [EngineEvent]) {
    guard exposure != nil, let leg, options.test == .path || leg.fraction == 1 else { return }
    noteMissedExits(of: leg)
    reportCrossings(into: &events)
  }

  /// Records an exit for each unmonitored circle that contained the device but no longer does.
  mutating func noteMissedExits(of leg: Leg) {
    guard !containing.isEmpty else { return }
    for (key, circle) in containing {
      if options.isInside(circle, wasInside: true, at: leg) { continue }
      containing[key] = nil
      let region = Region(key: key, circle: circle)
      crossings.append(leg.crossing(of: region, isEntry: false, isAcrossBreak: leg.isBreak))
    }
  }

  // MARK: Checking

  /// Checks in debug builds that no region is entered twice without an exit in between.
  mutating func noteSide(_ crossing: Crossing) {
    #if DEBUG
    if crossing.isEntry {
      let isFirst = entered.insert(crossing.key).inserted
      assert(isFirst, "region \(crossing.key) is entered again without an exit")
    } else {
      entered.remove(crossing.key)
    }
    #endif
  }

  /// Resets that check for regions whose sides the rule forgets.
  mutating func forgetSides(of keys: [Int64]) {
    #if DEBUG
    entered.subtract(keys)
    #endif
  }
}
