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
    return (limit == raised ? [limit] : [limit, raised])
      .flatMap { renewals(of: stand.rule.with(\.limit, $0)) }
      .filter { $0 != stand.rule }.map { AdviceChange(rule: $0) }
  }

  private func renewals(of rule: MonitoringOptions) -> [MonitoringOptions] {
    guard rule.refresh == .fixed else { return [rule] }
    let least = options.leastSignificantChangeMeters
    let now = rule.significantChangeMeters
    let distances = Set(Self.distancesMeters + [least]).filter { $0 >= least && $0 < now }
    // A phone that wakes the app after a distance cannot be asked for lookups in between.
    let adaptive = options.chance == nil ? [rule.with(\.refresh, .adaptive)] : []
    return adaptive
      + ([now] + distances.sorted(by: >)).flatMap { distance in
        MonitoringOptions.Rank.allCases.map {
          rule.with(\.significantChangeMeters, distance).with(\.rank, $0)
        }
      }
  }
}

extension MonitoringOptions {
  func with<Value>(_ option: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
    var changed = self
    changed[keyPath: option] = value
    return changed
  }
}
