package import FencepostMonitoring

/// One change, of some stories or of the rule.
package struct AdviceChange: Hashable, Sendable {
  /// What is changed.
  package let kind: AdviceOptions.Kind
  /// The stories as they are now, ascending by id; the first is the one that stays of those that are merged.
  package let before: [Place]
  /// The story that remains; nil if none does, or if the rule is changed.
  package let after: Place?
  /// The new rule; nil if stories are changed.
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

  /// The stories that are gone afterwards.
  package var removed: [Place] {
    before.filter { $0.id != after?.id }
  }

  /// Adds this change to earlier ones.
  func apply(to changes: inout PlaceChanges) {
    for place in before { changes.byID[place.id] = .some(nil) }
    if let after { changes.byID[after.id] = .some(after) }
  }

  /// How much is changed, by which ties between changes of one kind are decided: the least goes first.
  var extent: Double {
    switch kind {
    case .radius: abs((after?.radiusMeters ?? 0) - before[0].radiusMeters)
    case .position: after.map { $0.coordinate.distanceMeters(to: before[0].coordinate) } ?? 0
    case .merge, .drop: Double(before.count)
    case .rule: 0
    }
  }
}
