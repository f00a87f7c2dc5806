package import Fencepost
package import FencepostNotifications

/// What the advisor may change, and within which bounds.
package struct AdviceOptions: Sendable {
  /// The kinds of changes, in the order that breaks ties.
  package enum Kind: String, CaseIterable, Sendable {
    /// Change the radius of a circle.
    case radius
    /// Move a story.
    case position
    /// Merge several stories at one spot.
    case merge
    /// Remove stories that no track comes near.
    case drop
    /// Publish a story earlier, or let it expire later.
    case dates
    /// Change the phone's rule.
    case rule

    /// The kinds to propose unless chosen; new stories are often newer than the walks.
    package static let usual = allCases.filter { $0 != .dates }
  }

  /// The rules the phone follows before any change.
  package var session = TrackSession.Options()
  /// The time zone that defines days.
  package var zone = ClockZone.utc
  package var kinds = Set(Kind.usual)
  /// The maximum number of changes, at least 1.
  package var mostChanges = 10
  /// The number of alerts that a change must gain, at least 1.
  package var leastGain = 1
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
  /// The random seed for choosing those persons.
  package var seed: UInt64 = 1
  /// The phone whose simulated alerts are to be gained, the first of the profiles; nil counts the
  /// alerts of the rule.
  package var chance: ChanceOptions?
  /// The readers who can get alerts; nil to count alerts as if everyone could.
  package var reach: Reach?
  /// The number of changes to try in parallel, at least 1.
  package var jobs = 1
  /// Whether to skip changes that provably cannot win; a test turns this off.
  package var skipsHopeless = true

  /// The changes tried on a simulated phone in each round, the most promising ones.
  static let mostTriedOnPhone = 64

  package init() {}
}
