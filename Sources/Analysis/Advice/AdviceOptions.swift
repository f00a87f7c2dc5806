package import Fencepost
package import FencepostMonitoring
package import FencepostNotifications

package struct AdviceOptions: Sendable {
  /// The kinds of changes, in the order that breaks ties.
  package enum Kind: String, CaseIterable, Sendable {
    case radius
    case position
    /// Merge several stories at one spot.
    case merge
    /// Remove stories that no track comes near.
    case drop
    /// Publish a story earlier, or let it expire later.
    case dates
    /// Shorten the quiet hours, or lengthen them to lose alerts.
    case hours
    case rule

    /// The kinds to propose unless chosen; new stories are often newer than the walks.
    package static let usual = allCases.filter { $0 != .dates && $0 != .hours }
    package static let losing: [Kind] = [.radius, .drop, .hours, .rule]
  }

  /// The largest radius to propose, in meters.
  ///
  /// A circle 2 km across covers the center of a town, and its alert no longer says that the story
  /// is nearby.
  package static let greatestRadiusMeters = 1000.0

  package var session = TrackSession.Options()
  package var zone = ClockZone.utc
  package var kinds = Set(Kind.usual)
  /// The maximum number of changes, at least 1.
  package var mostChanges = 10
  /// The number of alerts, weighted for the purpose, that a change must gain, at least 1.
  package var leastGain = 1
  /// The stories to help; nil if an alert of any story counts 1.
  package var purpose: AdvicePurpose?
  /// The alerts per person and day to come down to with the least loss; nil to gain alerts.
  ///
  /// A change must then bring days with more alerts nearer to this number, and `leastGain` is by how
  /// much. Tracks without times have no days.
  package var mostAfterwards: Int?
  package var radiusRangeMeters = 100.0...300.0
  /// How far a story may be moved, in meters; 0 to leave stories in place.
  package var moveWithinMeters = 50.0
  /// The maximum number of alerts per person and day; nil for no bound.
  ///
  /// A day already above it must not get more alerts. Tracks without times have no days.
  package var mostAlertsPerDay: Int?
  /// The maximum number of places that the phone can watch at a time; nil for no limit.
  package var mostRegions: Int? = SweepRow.phoneLimit
  /// The shortest significant change that the phone can notice, in meters.
  package var leastSignificantChangeMeters = 500.0
  /// The share of persons whose tracks are held out for testing: at least 0, less than 1.
  package var testShare = 0.0
  package var seed: UInt64 = 1
  /// The phone whose simulated alerts are to be gained, the first of the profiles; nil counts the
  /// alerts of the rule.
  package var chance: ChanceOptions?
  /// The number of changes to try in parallel, at least 1.
  package var jobs = 1
  /// Whether to skip changes that provably cannot win; a test turns this off.
  package var skipsHopeless = true

  /// The changes tried on a simulated phone in each round, the most promising ones.
  static let mostTriedOnPhone = 64

  /// The number of changes tried in each round that loses alerts, the most promising ones.
  static let mostTriedForLosing = 128

  package init() {}

  /// What an alert of a story counts.
  package func weight(of id: String) -> Int { purpose.map { $0.weights[id] ?? 0 } ?? 1 }

  package func points(of tally: AdviceTally) -> Int {
    points(of: tally.stories.mapValues(\.alerts))
  }

  func points(of run: PersonRun) -> Int { points(of: run.stories.mapValues(\.alerts)) }

  private func points(of alerts: [String: Int]) -> Int {
    alerts.reduce(0) { $0 + weight(of: $1.key) * $1.value }
  }

  /// Whether removing a story would remove one that is to be helped.
  func protects(_ place: Place) -> Bool {
    mostAfterwards == nil && purpose?.weights[place.id] != nil
  }
}

/// The stories that advice is to help, and how much an alert of each counts.
///
/// An alert of the least important of them counts 1, an alert of the next more important priority 2,
/// and so on. An alert of any other story counts 0.
package struct AdvicePurpose: Equatable, Sendable {
  /// What an alert counts, at least 1, by the ids of the stories to help.
  package let weights: [String: Int]

  package init(_ stories: [Place]) {
    let priorities = Set(stories.map(\.priority)).sorted(by: >)
    let ranks = Dictionary(uniqueKeysWithValues: zip(priorities, 1...))
    weights = Dictionary(stories.map { ($0.id, ranks[$0.priority] ?? 1) }) { first, _ in first }
  }

  package var greatestWeight: Int { weights.values.max() ?? 0 }
}
