package import FencepostMonitoring

/// What stands between a crossing of a path and the notification that a phone, or another engine, shows.
///
/// A profile is data: each value has its source, and an uncertain one its low and its high value. It is
/// JSON as `Data/schemas/profile.schema.json` describes it; ``BuiltInProfile`` has those that come with
/// the library.
package struct PhoneProfile: Equatable, Sendable {
  /// A short name in small letters, digits and hyphens.
  package var name: String
  /// The phone or engine in words.
  package var title: String
  /// How many regions there may be and how large.
  package var limits = Limits()
  /// When the monitored set is replaced.
  package var refresh = Refresh()
  /// What is compared with a circle.
  package var test = Test()
  /// What makes a crossing count.
  package var confirmation = Confirmation()
  /// Where the phone believes that it is.
  package var position = Positioning()
  /// How late a notification comes, if it comes.
  package var delivery = Delivery()
  /// How many notifications may be pending.
  package var notifications = Notifications()

  /// How many regions there may be and how large.
  package struct Limits: Equatable, Sendable {
    /// The most regions monitored at a time, 1 or more.
    package var regions = Sourced(Bound<Int>.none)
    /// The smallest radius that is kept, in metres; smaller circles count as this large.
    package var leastRadiusMeters = Sourced(0.0)
    /// The largest radius that can be monitored, in metres; larger circles are refused.
    package var greatestRadiusMeters = Sourced(Bound<Double>.none)
    /// What happens when a region is added around the device.
    package var addedInside = Sourced(MonitoringOptions.InitialState.silent)
  }

  /// When the monitored set is replaced.
  package struct Refresh: Equatable, Sendable {
    /// How far the device moves before the set may be replaced, in metres.
    package var distanceMeters = Sourced(0.0)
    /// The least time between two refreshes in seconds.
    package var leastIntervalSeconds = Sourced(0.0)
    /// How many metres beyond the distance the device is when the system notices.
    package var noticedBeyondMeters = Sourced(Distribution.constant(0))
  }

  /// What is compared with a circle.
  package struct Test: Equatable, Sendable {
    /// The line between fixes, or fixes alone.
    package var at = Sourced(SideTest.path)
    /// What a fix's stated accuracy does.
    package var accuracy = Sourced(AccuracyRule.ignore)
  }

  /// What makes a crossing count.
  package struct Confirmation: Equatable, Sendable {
    /// How far inside the edge an enter is noticed, in metres; negative: so far before the edge.
    package var enterCushionMeters = Sourced(0.0)
    /// How far beyond the edge an exit is noticed, in metres.
    package var exitCushionMeters = Sourced(0.0)
    /// How long the device must stay on the new side, in seconds.
    package var holdSeconds = Sourced(0.0)
    /// How many positions in a row must be on the new side, 1 or more.
    package var fixes = Sourced(1)
    /// How long a stay must last before it is reported, in seconds; 0 reports the enter itself.
    package var dwellSeconds = Sourced(0.0)
  }

  /// Where the phone believes that it is.
  package struct Positioning: Equatable, Sendable {
    /// The time between two positions that are compared with the regions, in seconds; 0 takes each fix.
    package var intervalSeconds = Sourced(0.0)
    /// The standard deviation of the error along each axis, in metres.
    package var sigmaMeters = ByCase<Surroundings, Sourced<Double>>(Sourced(0))
    /// How long an error lasts, in seconds: after this time a share of 1/e of it is left.
    package var correlationSeconds = Sourced(0.0)
  }

  /// How late a notification comes, if it comes.
  package struct Delivery: Equatable, Sendable {
    /// Seconds from confirmation to notification.
    package var seconds = ByCase<PhoneState, Sourced<Distribution>>(Sourced(.constant(0)))
    /// The share of confirmed crossings of which no notification comes, 0 … 1.
    package var neverShare = ByCase<Surroundings, Sourced<Double>>(Sourced(0))
  }

  /// How many notifications may be pending.
  package struct Notifications: Equatable, Sendable {
    /// The most at a time, 1 or more.
    package var pending = Sourced(Bound<Int>.none)
    /// Which stay if there are too many.
    package var kept = Sourced(Kept.lastAdded)
  }

  /// Which pending notifications stay if there are too many.
  package enum Kept: String, CaseIterable, Equatable, Sendable {
    /// Those that were added last.
    case lastAdded = "last-added"
    /// Those that come soonest.
    case soonest
  }
}

/// What surrounds a phone, which decides how well it knows where it is.
package enum Surroundings: String, CaseIterable, Equatable, Sendable {
  /// Streets of a city's centre.
  case city
  /// Houses that stand apart.
  case residential
  /// A forest, where the network is weak.
  case forest
}

/// What the app and the phone are doing, which decides how late a notification comes.
package enum PhoneState: String, CaseIterable, Equatable, Sendable {
  /// The app is on the screen.
  case foreground
  /// The app is in the background and the phone moves.
  case background
  /// The phone lay still for some minutes before.
  case atRest = "at-rest"
  /// The user or the system ended the app.
  case ended
}

/// A value for each case of an enumeration.
package struct ByCase<Case: Hashable & Sendable, Value: Equatable & Sendable>: Equatable, Sendable {
  private var values: [Case: Value] = [:]
  private let standard: Value

  init(_ standard: Value) { self.standard = standard }

  /// The value for a case.
  package subscript(key: Case) -> Value {
    get { values[key] ?? standard }
    set { values[key] = newValue }
  }
}
