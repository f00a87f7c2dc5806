import FencepostGeodesy

/// Judges sides at fixes.
extension Engine {
  /// Finds the crossings at the fix that ends a leg, of all circles that were monitored on the way.
  mutating func judgeSides(at leg: Leg) {
    var leg = leg
    leg.fraction = 1
    monitored.compare(at: leg, into: &crossings)
    for (key, circle) in passed {
      let wasInside = containing[key] != nil
      guard options.isInside(circle, wasInside: wasInside, at: leg) != wasInside else { continue }
      containing[key] = wasInside ? nil : circle
      crossings.append(
        leg.crossing(
          of: Region(key: key, circle: circle), isEnter: !wasInside, at: 1,
          distanceMeters: circle.distanceMeters(from: leg.position)))
    }
    if exposure != nil { noteMissedExits(of: leg) }
  }

  /// Remembers the circles that may leave the set before the leg's fix, where they are judged.
  mutating func notePassed() {
    guard let leg, options.followsReach, leg.fraction < 1 else { return }
    for region in monitored.regions { passed[region.key] = region.circle }
  }

  /// Whether a refresh at a fix is due to end an exposure: between fixes no side can be known.
  func canEndExposure(at leg: Leg) -> Bool {
    guard options.test == .fixes, exposure?.isSettling == false, !leg.hasFailed, let anchor else {
      return false
    }
    return isIntervalOver(at: leg.point)
      && Geodesic.distanceMeters(anchor.position, leg.position)
        >= max(Self.leastTripMeters, options.refreshFloorMeters)
  }
}
