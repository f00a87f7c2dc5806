package import FencepostMonitoring

/// How a phone or another engine turns a crossing into a notification.
///
/// Every value has a source, and an uncertain one a low and a high value. The JSON is described by
/// `Data/schemas/profile.schema.json`.
package struct PhoneProfile: Equatable, Sendable {
  /// A short name of lowercase letters, digits and hyphens.
  package var name: String
  /// The full name of the phone or engine.
  package var title: String
  /// What fitted and tested the profile, in sentences.
  package var card: [String] = []
  /// The number and size of regions.
  package var limits = Limits()
  /// When the watched places are looked up again.
  package var refresh = Refresh()
  /// How a position is compared with a circle.
  package var test = Test()
  /// When a crossing counts.
  package var confirmation = Confirmation()
  /// The accuracy of positions.
  package var position = Positioning()
  /// The delay and loss of notifications.
  package var delivery = Delivery()
  /// The limit on pending notifications.
  package var notifications = Notifications()
  /// What the system does wrong; nothing unless given.
  package var faults = Faults()

  /// What a phone can watch at all.
  ///
  /// The system enforces them, whatever the app asks for.
  package struct Limits: Equatable, Sendable {
    /// The largest number of regions watched at a time, at least 1.
    package var regions = Sourced(Bound<Int>.none)
    /// The smallest radius in meters; smaller circles count as this large.
    package var leastRadiusMeters = Sourced(0.0)
    /// The largest radius in meters; larger circles are rejected.
    package var greatestRadiusMeters = Sourced(Bound<Double>.none)
    /// What happens if a region is added while the device is inside it.
    package var addedInside = Sourced(MonitoringOptions.InitialState.silent)
  }

  /// When the phone wakes the app, which then looks up the nearest stories.
  ///
  /// Lookups matter only if the number of regions is limited.
  package struct Refresh: Equatable, Sendable {
    /// The distance in meters to move before the next lookup.
    package var distanceMeters = Sourced(0.0)
    /// The minimum time between two lookups in seconds.
    package var leastIntervalSeconds = Sourced(0.0)
    /// How many meters beyond that distance the system notices the move.
    package var noticedBeyondMeters = Sourced(Distribution.constant(0))
  }

  /// Which part of a path the system compares with a circle.
  ///
  /// The accuracy of fixes can count only if the path between them does not.
  package struct Test: Equatable, Sendable {
    /// Whether the path between fixes counts, or only the fixes.
    package var at = Sourced(SideTest.path)
    /// How the reported accuracy of a fix counts.
    package var accuracy = Sourced(AccuracyRule.ignore)
  }

  /// What must be true of a crossing before the system reports it.
  ///
  /// All of the conditions must hold. The defaults demand nothing.
  package struct Confirmation: Equatable, Sendable {
    /// How far inside the edge an entry is noticed, in meters; negative if outside.
    package var enterCushionMeters = Sourced(0.0)
    /// How far outside the edge an exit is noticed, in meters.
    package var exitCushionMeters = Sourced(0.0)
    /// How long the device must stay on the new side, in seconds.
    package var holdSeconds = Sourced(0.0)
    /// How many positions in a row must be on the new side, at least 1.
    package var fixes = Sourced(1)
    /// How long a stay must last to be reported, in seconds; 0 reports the entry itself.
    package var dwellSeconds = Sourced(0.0)
  }

  /// How often the phone takes its position, and how wrong the position is.
  ///
  /// An error persists for a while, as in real receivers. By default, positions are exact.
  package struct Positioning: Equatable, Sendable {
    /// The time between two position checks in seconds; 0 checks every fix.
    package var intervalSeconds = Sourced(0.0)
    /// The standard deviation of the error along each axis, in meters.
    package var sigmaMeters = ByCase<Surroundings, Sourced<Double>>(Sourced(0))
    /// The time in seconds after which 1/e of an error remains.
    package var correlationSeconds = Sourced(0.0)
  }

  /// How late notifications come, and how many never come.
  ///
  /// Both depend on the circumstances. By default, every notification is shown at once.
  package struct Delivery: Equatable, Sendable {
    /// The delay from confirmation to notification in seconds.
    package var seconds = ByCase<PhoneState, Sourced<Distribution>>(Sourced(.constant(0)))
    /// The share of confirmed crossings that cause no notification, from 0 to 1.
    package var neverShare = ByCase<Surroundings, Sourced<Double>>(Sourced(0))
  }

  /// How many scheduled notifications the system keeps.
  ///
  /// The others are lost.
  package struct Notifications: Equatable, Sendable {
    /// The largest number of pending notifications, at least 1.
    package var pending = Sourced(Bound<Int>.none)
    /// Which notifications are kept if there are too many.
    package var kept = Sourced(Kept.lastAdded)
  }

  /// Faults that a system has beside its rules, as apps reported them.
  ///
  /// By default, a system has no faults.
  package struct Faults: Equatable, Sendable {
    /// The share of reports that come a second time, at once.
    package var repeatedShare = Sourced(0.0)
    /// The share of added circles that the phone falsely reports as entered.
    package var falseOnAddShare = Sourced(0.0)
    /// How often the system stops telling the app anything.
    package var silencesPerHour = Sourced(0.0)
    /// How long it then tells nothing, in seconds.
    package var silenceSeconds = Sourced(Distribution.constant(0))
    /// The share of lookups after which the system keeps the old circles.
    package var staleLookupShare = Sourced(0.0)
    /// The share of phones that watch no circle, because their location is approximate.
    package var noRegionsShare = Sourced(0.0)
    /// The share of reports that come later still.
    package var lateShare = Sourced(0.0)
    /// How much later, in seconds.
    package var lateSeconds = Sourced(Distribution.constant(0))
  }

  /// Which of too many notifications the system keeps.
  package enum Kept: String, CaseIterable, Equatable, Sendable {
    /// The last ones added.
    case lastAdded = "last-added"
    /// The ones due soonest.
    case soonest
  }
}

/// The surroundings of a phone, which determine how accurate its positions are.
///
/// A profile has one value for each of them. The raw value is the name in options.
package enum Surroundings: String, CaseIterable, Equatable, Sendable {
  /// Streets in a city center.
  case city
  /// Detached houses.
  case residential
  /// A forest with weak network coverage.
  case forest
}

/// The state of the app and the phone, which determines how late a notification comes.
///
/// A profile has a delay for each of them. The raw value is the name in options.
package enum PhoneState: String, CaseIterable, Equatable, Sendable {
  /// The app is on the screen.
  case foreground
  /// The app is in the background and the phone is moving.
  case background
  /// The phone has not moved for some minutes.
  case atRest = "at-rest"
  /// The user or the system ended the app.
  case ended
}

/// A value for each of several circumstances, some of which share a standard value.
///
/// A circumstance without a value of its own has the standard value.
package struct ByCase<Case: Hashable & Sendable, Value: Equatable & Sendable>: Equatable, Sendable {
  private var values: [Case: Value] = [:]
  private let standard: Value

  init(_ standard: Value) { self.standard = standard }

  /// The value for one circumstance.
  package subscript(key: Case) -> Value {
    get { values[key] ?? standard }
    set { values[key] = newValue }
  }
}
