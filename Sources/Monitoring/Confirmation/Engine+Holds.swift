import FencepostGeodesy

/// How the stage behind the crossing and the monitored set go together.
extension Engine {
  /// Whether a crossing had no time, so that its hold or dwell could not be kept.
  public var lacksTimesToHold: Bool { confirmation?.lacksTimes ?? false }

  /// The regions that the adaptive rule keeps because a crossing or a stay waits there, at most
  /// `count`; those that are monitored come first.
  ///
  /// Without them it would lose what it has promised to find.
  func held(upTo count: Int) -> [Region] {
    guard let confirmation, !confirmation.isIdle, options.followsReach, options.limit != nil,
      leg?.isRenewal == false
    else { return [] }
    let regions = confirmation.regions
    return Array(
      (regions.filter { monitored.contains($0.key) }
        + regions.filter { !monitored.contains($0.key) }).prefix(count))
  }

  /// Forgets what waits for regions that are not monitored any more or have another circle.
  mutating func forgetHolds(changed: [Int64]) {
    guard confirmation?.isIdle == false else { return }
    var isLost = false
    confirmation?.forget { region in
      if changed.contains(region.key) { return true }
      guard options.limit != nil, !monitored.contains(region.key) else { return false }
      isLost = true
      return true
    }
    // Which events are missing from here on is known no more.
    if isLost, options.followsReach, leg?.isRenewal == false {
      openExposure()
      exposure?.isLasting = true
    }
  }
}
