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

  /// Forgets what is pending for regions that are no longer monitored or have another circle.
  mutating func forgetHolds(changed: [Int64]) {
    guard confirmsCrossings, !isIdle else { return }
    var isLost = false
    confirmation?.forget { region in
      if changed.contains(region.key) { return true }
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
