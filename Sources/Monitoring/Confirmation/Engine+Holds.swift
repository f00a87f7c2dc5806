import FencepostGeodesy

/// How the stage behind the crossing and the monitored set go together.
extension Engine {
  /// Whether a crossing had no time, so that its hold or dwell could not be kept.
  public var lacksTimesToHold: Bool { confirmation?.lacksTimes ?? false }

  /// Whether nothing waits behind the crossing.
  var isIdle: Bool { confirmation?.isIdle ?? true }

  /// Whether nothing can be confirmed on the way to a joined vertex without crossings.
  func isStageQuiet(upTo point: PathPoint) -> Bool { confirmation?.isQuiet(upTo: point) ?? true }

  /// Hands the crossings found to the stage behind the crossing, and lets it pass along the leg as
  /// far as that has been walked.
  mutating func confirm(into events: inout [EngineEvent]) {
    guard let leg, var stage = confirmation.take() else { return }
    for found in crossings { stage.take(found, on: leg, fix: fixCount - 1) }
    stage.pass(through: leg.fraction, on: leg, fix: fixCount - 1)
    events += stage.takeReady()
    confirmation = stage
  }

  /// The regions that the adaptive rule keeps because a crossing or a stay waits there, at most
  /// `count`; those that are monitored come first.
  ///
  /// Without them it would lose what it has promised to find.
  func held(upTo count: Int) -> [Region] {
    guard hasStage, let confirmation, !confirmation.isIdle, options.followsReach,
      options.limit != nil,
      leg?.isRenewal == false
    else { return [] }
    let regions = confirmation.regions
    return Array(
      (regions.filter { monitored.contains($0.key) }
        + regions.filter { !monitored.contains($0.key) }).prefix(count))
  }

  /// Forgets what waits for regions that are not monitored any more or have another circle.
  mutating func forgetHolds(changed: [Int64]) {
    guard hasStage, !isIdle else { return }
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
