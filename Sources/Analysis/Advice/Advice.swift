package import Fencepost
package import FencepostMonitoring

/// The changes that were chosen, and what they do.
package struct Advice: Sendable {
  /// What is known of the tracks before and after changes.
  package struct Effect: Equatable, Sendable {
    /// What happened before.
    package var before: AdviceTally
    /// What happens with the change.
    package var after: AdviceTally

    /// Makes an effect.
    package init(before: AdviceTally, after: AdviceTally) {
      self.before = before
      self.after = after
    }

    /// Alerts that are gained.
    package var alerts: Int { after.counts.alerts - before.counts.alerts }
    /// Persons that stories reach in addition; a person counts once for each story.
    package var persons: Int { after.reached - before.reached }
    /// Refreshes that it costs in addition.
    package var refreshes: Int { after.refreshes - before.refreshes }
  }

  /// One change.
  package struct Proposal: Equatable, Sendable {
    /// What to change.
    package var change: AdviceChange
    /// Why, as far as it is not in the effects.
    package var reason: AdviceReason
    /// What it does after the proposals before it, on the tracks that it was chosen by.
    package var effect: Effect
    /// What it does on the tracks that were kept back; nil if none were.
    package var keptBack: Effect?
  }

  /// What might be changed.
  package let options: AdviceOptions
  /// The changes, in the order in which they were chosen: each gains most after those before it.
  package internal(set) var proposals: [Proposal]
  /// What all changes do on the tracks that they were chosen by.
  package internal(set) var effect: Effect
  /// What they do on the tracks that were kept back; nil if none were.
  package internal(set) var keptBack: Effect?
  /// The places after all changes, in the order of the ids.
  package internal(set) var places: [Place]
  /// The rules after all changes.
  package internal(set) var session: TrackSession.Options
  /// Number of changes whose gain was worked out by runs.
  package internal(set) var tried = 0
  /// Whether the search was interrupted, so that there may be more to gain.
  package internal(set) var isInterrupted = false

  /// What all changes do on all tracks.
  package var whole: Effect {
    guard let keptBack else { return effect }
    return Effect(
      before: effect.before.adding(keptBack.before), after: effect.after.adding(keptBack.after))
  }

  /// The ids of the stories that are gone after all changes, ascending.
  package var removedIDs: [String] {
    proposals.flatMap { $0.change.removed.map(\.id) }.sorted()
  }

  /// The stories that alert more or less often than before on all tracks: the ids, ascending.
  package var changedStories: [String] {
    let (before, after) = (whole.before.stories, whole.after.stories)
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }
}
