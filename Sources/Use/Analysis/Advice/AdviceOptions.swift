package import FencepostSession
package import FencepostMonitoring
package import FencepostNotifications
package import FencepostPhones

/// What advice may change, and which alerts it is to gain.
///
/// A command or the studio fills it in before the search. The defaults suit an iPhone: at most 20
/// places watched, lookups every 500 meters or more, and radii from 100 to 300 meters.
package struct AdviceOptions: Sendable {
  /// The kinds of changes, in the order that breaks ties.
  ///
  /// Of two changes with the same gain, the same persons and the same lookups, the earlier kind is
  /// proposed: a new radius is easier to accept than a story in another position or another rule
  /// for the app.
  package enum Kind: String, CaseIterable, Comparable, Sendable {
    /// A story's circle becomes smaller or larger.
    case radius
    /// A story moves toward a path, by at most ``AdviceOptions/moveWithinMeters``.
    case position
    /// The app watches more places, looks them up more often, or ranks them in another way.
    case rule

    /// Orders kinds by preference in a tie.
    package static func < (one: Kind, other: Kind) -> Bool {
      allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
    }
  }

  /// The largest radius to propose, in meters.
  ///
  /// A circle 2 km across covers the center of a town, and its alert no longer says that the story
  /// is nearby.
  package static let greatestRadiusMeters = 1000.0

  /// The rules of alerts and lookups before any change.
  package var session = TrackSessionOptions()
  /// The time zone whose days the alert rules and simulated phones use.
  package var zone = ClockZone.utc
  /// The kinds of changes to try.
  package var kinds = Set(Kind.allCases)
  /// The maximum number of changes, at least 1.
  package var mostChanges = 10
  /// The stories to help; nil if an alert of any story counts 1.
  package var purpose: AdvicePurpose?
  /// The radii to choose from, in meters; ``greatestRadiusMeters`` limits them too.
  package var radiusRangeMeters = 100.0...300.0
  /// How far a story may be moved, in meters; 0 to leave stories in place.
  package var moveWithinMeters = 50.0
  /// The maximum number of places that the phone can watch at a time; nil for no limit.
  package var mostRegions: Int? = SweepRow.phoneLimit
  /// The shortest significant change that the phone can notice, in meters.
  package var leastSignificantChangeMeters = 500.0
  /// The phone whose simulated alerts are to be gained, the first of the profiles; nil counts the
  /// alerts of the rule.
  package var chance: ChanceOptions?
  /// The number of changes to try in parallel, at least 1.
  package var jobs = 1

  /// Starts from the defaults; set what differs, or call `keep(to:)` for another phone.
  package init() {}

  /// Keeps to what a phone can do: how many circles it watches, how large they can be, and how far
  /// it must move before the app looks its places up.
  ///
  /// - Returns: Whether the phone can use any radius of the range, which else stays as it is.
  @discardableResult
  package mutating func keep(to phone: PhoneProfile) -> Bool {
    mostRegions = phone.limits.regions.value.value
    leastSignificantChangeMeters = phone.refresh.distanceMeters.value
    let least = max(radiusRangeMeters.lowerBound, phone.limits.leastRadiusMeters.value)
    let greatest = min(
      radiusRangeMeters.upperBound, phone.limits.greatestRadiusMeters.value.value ?? .infinity)
    guard least <= greatest else { return false }
    radiusRangeMeters = least...greatest
    return true
  }

  /// The alerts that an effect adds, weighted for the purpose.
  package func points(of effect: Advice.Effect) -> Int {
    points(of: effect.after) - points(of: effect.before)
  }

  /// The alerts of a tally, weighted for the purpose.
  package func points(of tally: AdviceTally) -> Int {
    tally.stories.reduce(0) { $0 + weight(of: $1.key) * $1.value.alerts }
  }

  /// What an alert of a story counts.
  func weight(of id: String) -> Int { purpose.map { $0.weights[id] ?? 0 } ?? 1 }
}

/// The stories that advice is to help, and how much an alert of each counts.
///
/// An alert of the least important of them counts 1, an alert of the next more important priority 2,
/// and so on. An alert of any other story counts 0.
package struct AdvicePurpose: Equatable, Sendable {
  /// What an alert counts, at least 1, by the ids of the stories to help.
  package let weights: [String: Int]

  /// Weighs stories by priority: the lower the number, the more an alert counts.
  package init(_ stories: [Place]) {
    let priorities = Set(stories.map(\.priority)).sorted(by: >)
    let ranks = Dictionary(uniqueKeysWithValues: zip(priorities, 1...))
    weights = Dictionary(stories.map { ($0.id, ranks[$0.priority] ?? 1) }) { first, _ in first }
  }
}
