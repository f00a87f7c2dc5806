import FencepostGeodesy

/// Connects the confirmation of crossings with the monitored set.
extension Engine {
  /// Whether a crossing had no time, so that its hold or dwell could not be observed.
  package var lacksTimesToHold: Bool { confirmation?.lacksTimes ?? false }

  var isIdle: Bool { confirmation?.isIdle ?? true }

  func isConfirmationQuiet(upTo point: PathPoint) -> Bool {
    confirmation?.isQuiet(upTo: point) ?? true
  }

  mutating func confirm(into events: inout [EngineEvent]) {
    guard let leg, var pending = confirmation.take() else { return }
    for found in crossings { pending.take(found, on: leg, fix: fixCount - 1) }
    pending.pass(through: leg.fraction, on: leg, fix: fixCount - 1)
    events += pending.takeReady()
    confirmation = pending
  }

  /// Up to `count` regions to keep for unconfirmed crossings or stays, monitored ones first.
  func held(upTo count: Int) -> [Region] {
    guard confirmsCrossings, let confirmation, !confirmation.isIdle, options.followsReach,
      leg?.isRefresh == false
    else { return [] }
    let regions = confirmation.regions
    return Array(
      (regions.filter { monitored.contains($0.key) }
        + regions.filter { !monitored.contains($0.key) }).prefix(count))
  }

  /// Goes on with what is pending for regions with another circle, and forgets those that are no
  /// longer monitored.
  mutating func updateHolds(among regions: [Region]) {
    guard confirmsCrossings, !isIdle else { return }
    for region in regions {
      confirmation?.adopt(region, isInside: monitored.side(of: region.key) ?? false)
    }
    var isLost = false
    confirmation?.forget { region in
      guard options.limit != nil, !monitored.contains(region.key) else { return false }
      isLost = true
      return true
    }
    // From here on, it is unknown which events are missing.
    if isLost, options.followsReach, leg?.isRefresh == false {
      openExposure()
      exposure?.isLasting = true
    }
  }
}
