package import Fencepost
package import FencepostNotifications

/// What may be changed, and within which bounds.
package struct AdviceOptions: Sendable {
  /// The kinds of changes, in the order in which ties are decided.
  package enum Kind: String, CaseIterable, Sendable {
    /// Another radius of a circle.
    case radius
    /// Another position of a story.
    case position
    /// Several stories at one spot become one.
    case merge
    /// Stories that nobody can meet go.
    case drop
    /// Another rule of the device.
    case rule
  }

  /// The rules of the device, to begin with.
  package var session = TrackSession.Options()
  /// The zone of the days.
  package var zone = ClockZone.utc
  /// The kinds of changes that are wanted.
  package var kinds = Set(Kind.allCases)
  /// Most changes to propose, at least 1.
  package var mostChanges = 10
  /// The fewest alerts that a change must gain, at least 1.
  package var leastGain = 1
  /// The radii that may be proposed, in metres.
  package var radiusRangeMeters = 100.0...300.0
  /// How far a story may be moved, in metres; 0 for not at all.
  package var moveWithinMeters = 50.0
  /// Most alerts a person-day; nil for no bound.
  ///
  /// A day that had more before any change must not get more still. Tracks without times have no days.
  package var mostAlertsPerDay: Int?
  /// Most places that the phone monitors at a time; nil if it has no limit.
  package var mostRegions: Int? = SweepRow.phoneLimit
  /// The least significant change that the phone notices, in metres.
  package var leastSignificantChangeMeters = 500.0
  /// The share of the persons whose tracks are kept back from the advice, 0 up to but without 1.
  package var testShare = 0.0
  /// What the choice of these persons is made from.
  package var seed: UInt64 = 1
  /// How many changes to try at a time, at least 1.
  package var jobs = 1
  /// Whether changes that provably cannot win are passed over; a test switches it off.
  package var skipsHopeless = true

  /// Makes the defaults.
  package init() {}
}
