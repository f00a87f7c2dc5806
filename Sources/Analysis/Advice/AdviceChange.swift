package import FencepostMonitoring

/// One change, either to stories or to the rule.
package struct AdviceChange: Hashable, Sendable {
  package let kind: AdviceOptions.Kind
  /// The stories before the change, ascending by id; in a merger, the one that stays comes first.
  package let before: [Place]
  /// The story that remains; nil if stories are dropped or the rule changes.
  package let after: Place?
  /// The new rule; nil if stories change.
  package let rule: MonitoringOptions?

  init(_ kind: AdviceOptions.Kind, _ before: [Place], after: Place?) {
    self.kind = kind
    self.before = before
    self.after = after
    rule = nil
  }

  init(rule: MonitoringOptions) {
    kind = .rule
    before = []
    after = nil
    self.rule = rule
  }

  package var removed: [Place] {
    before.filter { $0.id != after?.id }
  }

  func apply(to changes: inout PlaceChanges) {
    for place in before { changes.byID[place.id] = .some(nil) }
    if let after { changes.byID[after.id] = .some(after) }
  }

  /// The size of the change, for breaking ties between changes of one kind in favor of the smaller.
  var extent: Double {
    switch kind {
    case .radius: abs((after?.radiusMeters ?? 0) - before[0].radiusMeters)
    case .position: after.map { $0.coordinate.distanceMeters(to: before[0].coordinate) } ?? 0
    case .merge, .drop: Double(before.count)
    case .dates, .rule: 0
    }
  }
}
