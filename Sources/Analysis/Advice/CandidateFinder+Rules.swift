import FencepostMonitoring

// Proposes other rules that the phone allows.
extension CandidateFinder {
  /// Significant changes to try, besides the shortest that the phone notices, in meters.
  private static let distancesMeters = [100.0, 250, 500, 1000]

  /// All other rules that may notice more.
  ///
  /// They raise the limit to the phone's, look up places more often or adaptively, and rank by
  /// center or by edge.
  var rules: [AdviceChange] {
    guard let limit = stand.rule.limit else { return [] }
    let most = options.mostRegions
    let raised = most.map { max(limit, $0) }
    var rules: [MonitoringOptions] = []
    for limit in limit == raised ? [limit] : [limit, raised] {
      var rule = stand.rule
      rule.limit = limit
      rules += renewals(of: rule)
    }
    return rules.filter { $0 != stand.rule }.map { AdviceChange(rule: $0) }
  }

  private func renewals(of rule: MonitoringOptions) -> [MonitoringOptions] {
    var adaptive = rule
    adaptive.refresh = .adaptive
    guard rule.refresh == .fixed else { return [rule] }
    let least = options.leastSignificantChangeMeters
    let now = rule.significantChangeMeters
    let distances = Set(Self.distancesMeters + [least]).filter { $0 >= least && $0 < now }
    // A phone that wakes the app after a distance cannot be asked for lookups in between.
    var rules = options.chance == nil ? [adaptive] : []
    for distance in [now] + distances.sorted(by: >) {
      for rank in MonitoringOptions.Rank.allCases {
        var other = rule
        other.significantChangeMeters = distance
        other.rank = rank
        rules.append(other)
      }
    }
    return rules
  }
}
