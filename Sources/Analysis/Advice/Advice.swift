package import Fencepost
package import FencepostMonitoring

package struct Advice: Sendable {
  package struct Effect: Equatable, Sendable {
    package var before: AdviceTally
    package var after: AdviceTally

    package init(before: AdviceTally, after: AdviceTally) {
      self.before = before
      self.after = after
    }

    package var alerts: Int { after.counts.alerts - before.counts.alerts }
    /// Additional alerts on the simulated phone, with their 95 % interval; nil if none was asked.
    ///
    /// With a purpose, they are weighted for it.
    package var simulated: (mean: Double, interval: ClosedRange<Double>)? {
      before.simulated.flatMap { after.simulated?.gain(over: $0) }
    }
    /// Additional persons reached, summed over all stories.
    package var persons: Int { after.reached - before.reached }
    package var refreshes: Int { after.refreshes - before.refreshes }
  }

  package struct Proposal: Equatable, Sendable {
    package var change: AdviceChange
    /// Evidence from the tracks in favor of the change, besides its effect.
    package var reason: AdviceReason
    /// The effect on the advised tracks, on top of the proposals before this one.
    package var effect: Effect
    /// The effect on the tracks held out for testing; nil if none were held out.
    package var keptBack: Effect?
  }

  package let options: AdviceOptions
  /// The changes in the order chosen, each the best addition to those before it.
  package internal(set) var proposals: [Proposal]
  package internal(set) var effect: Effect
  /// The effect of all changes on the tracks held out for testing; nil if none were held out.
  package internal(set) var keptBack: Effect?
  /// The places after all changes, ascending by id.
  package internal(set) var places: [Place]
  package internal(set) var session: TrackSession.Options
  /// No allowed changes of this number reach more weighted alerts on the advised tracks.
  ///
  /// Nil if nothing is proved; see `BestPossible`.
  package internal(set) var best: Int?
  package internal(set) var tried = 0
  /// Whether the search was interrupted, so that more gains may exist.
  package internal(set) var isInterrupted = false

  package var whole: Effect {
    guard let keptBack else { return effect }
    var whole = effect
    whole.before += keptBack.before
    whole.after += keptBack.after
    return whole
  }

  /// The additional alerts of an effect, weighted for the purpose.
  package func points(_ effect: Effect) -> Int {
    options.points(of: effect.after) - options.points(of: effect.before)
  }

  package var removedIDs: [String] {
    proposals.flatMap { $0.change.removed.map(\.id) }.sorted()
  }

  /// The ids of the stories whose number of alerts changes on any tracks, ascending.
  package var changedStories: [String] {
    let (before, after) = (whole.before.stories, whole.after.stories)
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }
}
