package import FencepostSession
package import FencepostMonitoring
import FencepostPhones

/// The changes that bring more alerts, in the order chosen, and what they bring.
///
/// ``Advisor`` makes it, and reports write it for an editor to accept or refuse. Every proposal was
/// followed along all tracks that it may affect, so each gain is counted and not estimated.
package struct Advice: Sendable {
  /// What happens on all tracks without and with some changes.
  ///
  /// The gains are the second minus the first, and negative if the changes lose something.
  package struct Effect: Equatable, Sendable {
    /// The totals without the changes.
    package var before: AdviceTally
    /// The totals with the changes, on the same tracks.
    package var after: AdviceTally

    /// Additional alerts by the rule, whether or not they are due; not weighted.
    package var alerts: Int { after.counts.alerts - before.counts.alerts }
    /// Additional persons reached, summed over all stories.
    package var persons: Int { after.reached - before.reached }
    /// Additional lookups over all tracks; negative if the changes save some.
    package var refreshes: Int { after.refreshes - before.refreshes }
    /// Additional alerts on the simulated phone, with their 95 % interval; nil if none was asked.
    ///
    /// With a purpose, they are weighted for it.
    package var simulated: (mean: Double, interval: ClosedRange<Double>)? {
      before.simulated.flatMap { after.simulated?.gain(over: $0) }
    }
  }

  /// A change that the advice proposes, with its evidence and what it gains.
  ///
  /// Proposals build on each other, in the order in which they are best made.
  package struct Proposal: Equatable, Sendable {
    /// The change from the places and the rule that the proposals before it left.
    package let change: AdviceChange
    /// Evidence from the tracks in favor of the change, besides its effect.
    package let reason: AdviceReason
    /// The effect on top of the proposals before this one.
    package internal(set) var effect: Effect
  }

  /// What the search was allowed to change, and the phone it was for.
  package let options: AdviceOptions
  /// Each is the best addition to those before it.
  package internal(set) var proposals: [Proposal] = []
  /// The effect of all proposals.
  package internal(set) var effect: Effect
  /// The places after all changes, ascending by id.
  package internal(set) var places: [Place]
  /// The rules after all changes.
  package internal(set) var session: TrackSessionOptions
  /// The number of changes tried.
  package internal(set) var tried = 0
  /// Whether the search was interrupted, so that more gains may exist.
  package internal(set) var isInterrupted = false

  /// The phone whose alerts are counted; nil if they are those of the rule.
  package var phone: String? { options.chance?.profiles.first?.name }

  /// The ids of the stories whose number of alerts changes on any tracks, ascending.
  package var changedStories: [String] {
    let (before, after) = (effect.before.stories, effect.after.stories)
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }
}

/// One change, to a story or to the rule.
///
/// Every case has the whole new value, so a change can be applied without knowing how it was found.
package enum AdviceChange: Hashable, Sendable {
  /// Another radius or another position.
  case story(before: Place, after: Place)
  /// Another rule for how many places are watched and when they are looked up.
  case rule(MonitoringOptions)

  /// The kind of the change; a story that is moved counts as ``AdviceOptions/Kind/position``.
  package var kind: AdviceOptions.Kind {
    switch self {
    case .story(let before, let after):
      before.coordinate == after.coordinate ? .radius : .position
    case .rule: .rule
    }
  }

  /// The changed story; nil if the rule changes.
  package var story: (before: Place, after: Place)? {
    guard case .story(let before, let after) = self else { return nil }
    return (before, after)
  }

  /// The changed rule; nil if a story changes.
  package var rule: MonitoringOptions? {
    guard case .rule(let rule) = self else { return nil }
    return rule
  }

  /// The size of the change, for breaking ties between changes of one kind in favor of the smaller.
  var extent: Double {
    guard case .story(let before, let after) = self else { return 0 }
    return kind == .radius
      ? abs(after.radiusMeters - before.radiusMeters)
      : after.coordinate.distanceMeters(to: before.coordinate)
  }
}
