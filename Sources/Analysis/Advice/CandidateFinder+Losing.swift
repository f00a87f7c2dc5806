import FencepostMonitoring

// Proposes changes that lose alerts on days that have too many.
extension CandidateFinder {
  /// Fewer watched circles to try.
  private static let limits = [15, 10, 5]
  /// Longer significant changes to try, in meters.
  private static let distancesMeters = [1000.0, 2000, 5000]

  /// The changes that can bring a crowded day nearer to its maximum, the most promising ones.
  ///
  /// Circles become smaller than a walk that they caught, stories go, the hours in which alerts came
  /// become quiet, and lookups become rarer or keep fewer circles. What a change's alerts
  /// count and how many came on crowded days decides only which changes are tried.
  var losing: [AdviceChange] {
    guard let most = options.mostAfterwards else { return [] }
    let crowd = CrowdedDays(stand, most: most, zone: options.zone)
    var changes = crowd.stories.compactMap { stand.trial.places.place(withID: $0) }
      .flatMap { place in
        smaller(place)
          + (options.kinds.contains(.drop) ? [AdviceChange(.drop, [place], after: nil)] : [])
      }
    if options.kinds.contains(.hours) { changes += longerHours(crowd) }
    let promising = changes.enumerated()
      .map { number, change in
        let alerts = crowd.alerts(concernedBy: change)
        let cost = alerts.reduce(0) { $0 + options.weight(of: $1.id) }
        return (
          number: number, change: change, crowded: alerts.count(where: \.isCrowded), cost: cost
        )
      }
      .sorted { one, other in
        let (left, right) = (one.crowded * other.cost, other.crowded * one.cost)
        return left == right ? one.number < other.number : left > right
      }
    return (options.kinds.contains(.rule) ? rarerRules : [])
      + promising.prefix(AdviceOptions.mostTriedForLosing).map(\.change)
  }

  /// Circles that leave out a walk which the story's circle caught.
  private func smaller(_ place: Place) -> [AdviceChange] {
    guard options.kinds.contains(.radius) else { return [] }
    let radii = stand.approaches[place.id].map(\.distanceMeters)
      .filter { $0 <= place.radiusMeters }.map(radius(beneath:))
    return changes(of: place, toRadii: Set(radii))
  }

  private var rarerRules: [AdviceChange] {
    let rule = stand.rule
    guard let limit = rule.limit else { return [] }
    var rules = Self.limits.filter { $0 < limit }.map { rule.with(\.limit, $0) }
    if rule.refresh == .fixed {
      rules += Self.distancesMeters.filter { $0 > rule.significantChangeMeters }
        .map { rule.with(\.significantChangeMeters, $0) }
    }
    return rules.map { AdviceChange(rule: $0) }
  }
}
