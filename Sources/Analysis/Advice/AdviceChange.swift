import Fencepost
package import FencepostMonitoring
package import FencepostNotifications

/// One change, to stories, to the rule or to the quiet hours.
package struct AdviceChange: Hashable, Sendable {
  package let kind: AdviceOptions.Kind
  /// The stories before the change, ascending by id; in a merger, the one that stays comes first.
  package let before: [Place]
  /// The story that remains; nil if stories are dropped, or none changes.
  package let after: Place?
  package let rule: MonitoringOptions?
  package let quietHours: QuietHours?

  init(
    _ kind: AdviceOptions.Kind, _ before: [Place] = [], after: Place?,
    rule: MonitoringOptions? = nil, quietHours: QuietHours? = nil
  ) {
    (self.kind, self.before, self.after) = (kind, before, after)
    (self.rule, self.quietHours) = (rule, quietHours)
  }

  init(rule: MonitoringOptions) { self.init(.rule, after: nil, rule: rule) }

  init(quietHours: QuietHours) { self.init(.hours, after: nil, quietHours: quietHours) }

  package var removed: [Place] { before.filter { $0.id != after?.id } }

  func apply(to changes: inout PlaceChanges) {
    for place in before { changes.byID[place.id] = .some(nil) }
    if let after { changes.byID[after.id] = .some(after) }
  }

  func apply(to session: inout TrackSession.Options) {
    if let rule { session.monitoring = rule }
    if let quietHours { session.alerts.quietHours = quietHours }
  }

  /// Whether it changes the session for everyone, and no story.
  var isForAll: Bool { rule != nil || quietHours != nil }

  /// The size of the change, for breaking ties between changes of one kind in favor of the smaller.
  var extent: Double {
    switch kind {
    case .radius: abs((after?.radiusMeters ?? 0) - before[0].radiusMeters)
    case .position: after.map { $0.coordinate.distanceMeters(to: before[0].coordinate) } ?? 0
    case .merge, .drop: Double(before.count)
    case .dates, .hours, .rule: 0
    }
  }
}
