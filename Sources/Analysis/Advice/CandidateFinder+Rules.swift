import FencepostMonitoring

// Other rules that the phone allows.
extension CandidateFinder {
  /// The significant changes that are tried besides the least that the phone notices, in metres.
  private static let distancesMeters = [100.0, 250, 500, 1000]

  /// Each rule that differs, without those that could only see less.
  ///
  /// The limit is raised to the phone's; the set is renewed after shorter distances, or adaptively; and places are
  /// ranked by centre or by edge.
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
    var rules = [adaptive]
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
