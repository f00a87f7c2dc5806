import FencepostGeodesy

/// Stretches where an edge may be crossed unseen, and what is known of sides behind them.
///
/// An exposure begins where the path comes as far from the last refresh as the nearest edge that is
/// not monitored, and ends with an answer of the store after which nothing is within reach. It does
/// not end at a break: only the answer behind it tells the sides. With an exit margin it lasts until
/// the path has left the bands, from edge to exit edge, in which an answer found the device and of
/// which it cannot tell where the device came from.
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

  /// Ends an exposure where an answer of the store leaves no edge within reach.
  ///
  /// - Parameters:
  ///   - leg: Where the store was asked.
  ///   - answered: All regions of the answer.
  ///   - reachMeters: How near the nearest edge is that will not be monitored.
  mutating func endExposure(at leg: Leg, answered: [Region], reachMeters: Double) {
    guard exposure != nil else { return }
    noteDoubts(at: leg, answered: answered)
    // What would begin again at once has not ended.
    guard reachMeters > Self.leastTripMeters else {
      exposure?.isSettling = false
      return
    }
    if doubtful.isEmpty { closeExposure(at: leg) } else { exposure?.isSettling = true }
  }

  // MARK: Doubts

  /// Notes the circles of an answer whose side is not certain: they were not watched so far, and
  /// the device is between their edge and their exit edge.
  private mutating func noteDoubts(at leg: Leg, answered: [Region]) {
    guard options.exitMarginMeters > 0 else { return }
    dropDoubts(at: leg.here)
    // Since an answer that left nothing within reach nothing was crossed unseen.
    guard exposure?.isSettling == false else { return }
    for region in answered where isInBand(of: region.circle, leg.here) {
      if !monitored.contains(region.key) { doubtful[region.key] = region.circle }
    }
  }

  private mutating func dropDoubts(at here: Position) {
    for (key, circle) in doubtful where !isInBand(of: circle, here) { doubtful[key] = nil }
  }

  private func isInBand(of circle: Circle, _ here: Position) -> Bool {
    !circle.contains(here) && options.exitCircle(of: circle)?.contains(here) ?? true
  }

  /// Ends an exposure at a vertex where no side is in doubt any more.
  mutating func resolveDoubts(at leg: Leg) {
    guard exposure?.isSettling == true else { return }
    dropDoubts(at: leg.position)
    if doubtful.isEmpty { closeExposure(at: leg) }
  }

  // MARK: What was left unseen

  /// Reports an exit from each circle that the device was inside of, by what was seen, and is no
  /// more: the path left it unseen.
  mutating func tellWhatIsBehind(into events: inout [EngineEvent]) {
    guard let leg, exposure != nil else { return }
    leaveWhatIsBehind(of: leg)
    reportCrossings(into: &events)
  }

  /// Appends an exit for each circle that is not monitored and that the device was inside of.
  mutating func leaveWhatIsBehind(of leg: Leg) {
    guard !containing.isEmpty else { return }
    let here = leg.here
    for (key, circle) in containing {
      if leg.isInside(circle, at: here) { continue }
      if options.exitMarginMeters > 0,
        options.exitCircle(of: circle).map({ leg.isInside($0, at: here) }) ?? true
      {
        continue
      }
      containing[key] = nil
      crossings.append(
        leg.crossing(
          of: key, isEnter: false, at: leg.fraction,
          distanceMeters: circle.distanceMeters(from: here), isAcrossBreak: leg.isBreak))
    }
  }

  // MARK: Checking

  /// Checks in debug builds that no region is entered twice without an exit between.
  mutating func noteSide(_ crossing: Crossing) {
    #if DEBUG
      if crossing.isEnter {
        let isFirst = entered.insert(crossing.key).inserted
        assert(isFirst, "region \(crossing.key) is entered again without an exit")
      } else {
        entered.remove(crossing.key)
      }
    #endif
  }

  /// Forgets in debug builds which of some regions were entered, where the rule forgets it too.
  mutating func forgetSides(of keys: [Int64]) {
    #if DEBUG
      entered.subtract(keys)
    #endif
  }
}
