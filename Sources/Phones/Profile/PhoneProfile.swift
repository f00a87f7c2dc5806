public import FencepostMonitoring

/// What stands between a crossing of a path and the notification that a phone, or another engine, shows.
///
/// A profile is data: each value has its source, and an uncertain one its low and its high value. It is
/// JSON as `Data/schemas/profile.schema.json` describes it; ``BuiltInProfile`` has those that come with
/// the library.
public struct PhoneProfile: Equatable, Sendable {
  /// A short name in small letters, digits and hyphens.
  public var name: String
  /// The phone or engine in words.
  public var title: String
  /// How many regions there may be and how large.
  public var limits: Limits
  /// When the monitored set is replaced.
  public var refresh: Refresh
  /// What is compared with a circle.
  public var test: Test
  /// What makes a crossing count.
  public var confirmation: Confirmation
  /// Where the phone believes that it is.
  public var position: Positioning
  /// How late a notification comes, if it comes.
  public var delivery: Delivery
  /// How many notifications may be pending.
  public var notifications: Notifications

  /// How many regions there may be and how large.
  public struct Limits: Equatable, Sendable {
    /// The most regions monitored at a time, 1 or more.
    public var regions: Sourced<Bound<Int>>
    /// The smallest radius that is kept, in metres; smaller circles count as this large.
    public var leastRadiusMeters: Sourced<Double>
    /// The largest radius that can be monitored, in metres; larger circles are refused.
    public var greatestRadiusMeters: Sourced<Bound<Double>>
    /// What happens when a region is added around the device.
    public var addedInside: Sourced<MonitoringOptions.InitialState>
  }

  /// When the monitored set is replaced.
  public struct Refresh: Equatable, Sendable {
    /// How far the device moves before the set may be replaced, in metres.
    public var distanceMeters: Sourced<Double>
    /// The least time between two refreshes in seconds.
    public var leastIntervalSeconds: Sourced<Double>
    /// How many metres beyond the distance the device is when the system notices.
    public var noticedBeyondMeters: Sourced<Distribution>
  }

  /// What is compared with a circle.
  public struct Test: Equatable, Sendable {
    /// The line between fixes, or fixes alone.
    public var at: Sourced<SideTest>
    /// What a fix's stated accuracy does.
    public var accuracy: Sourced<AccuracyRule>
  }

  /// What makes a crossing count.
  public struct Confirmation: Equatable, Sendable {
    /// How far inside the edge an enter is noticed, in metres; negative: so far before the edge.
    public var enterCushionMeters: Sourced<Double>
    /// How far beyond the edge an exit is noticed, in metres.
    public var exitCushionMeters: Sourced<Double>
    /// How long the device must stay on the new side, in seconds.
    public var holdSeconds: Sourced<Double>
    /// How many positions in a row must be on the new side, 1 or more.
    public var fixes: Sourced<Int>
    /// How long a stay must last before it is reported, in seconds; 0 reports the enter itself.
    public var dwellSeconds: Sourced<Double>
  }

  /// Where the phone believes that it is.
  public struct Positioning: Equatable, Sendable {
    /// The time between two positions that are compared with the regions, in seconds; 0 takes each fix.
    public var intervalSeconds: Sourced<Double>
    /// The standard deviation of the error along each axis among the streets of a city, in metres.
    public var citySigmaMeters: Sourced<Double>
    /// The same where houses stand apart.
    public var residentialSigmaMeters: Sourced<Double>
    /// The same under trees and far from towers.
    public var forestSigmaMeters: Sourced<Double>
    /// How long an error lasts, in seconds: after this time a share of 1/e of it is left.
    public var correlationSeconds: Sourced<Double>
  }

  /// How late a notification comes, if it comes.
  public struct Delivery: Equatable, Sendable {
    /// Seconds from confirmation to notification with the app in front.
    public var foregroundSeconds: Sourced<Distribution>
    /// The same with the app in the background.
    public var backgroundSeconds: Sourced<Distribution>
    /// The same after the phone lay still.
    public var atRestSeconds: Sourced<Distribution>
    /// The same after the app was ended.
    public var endedSeconds: Sourced<Distribution>
    /// The share of confirmed crossings in a city of which no notification comes, 0 … 1.
    public var neverInCityShare: Sourced<Double>
    /// The same where houses stand apart.
    public var neverInResidentialShare: Sourced<Double>
    /// The same in a forest, where the network is weak.
    public var neverInForestShare: Sourced<Double>
  }

  /// How many notifications may be pending.
  public struct Notifications: Equatable, Sendable {
    /// The most at a time, 1 or more.
    public var pending: Sourced<Bound<Int>>
    /// Which stay if there are too many.
    public var kept: Sourced<Kept>
  }

  /// Which pending notifications stay if there are too many.
  public enum Kept: String, CaseIterable, Equatable, Sendable {
    /// Those that were added last.
    case lastAdded = "last-added"
    /// Those that come soonest.
    case soonest
  }
}

/// What surrounds a phone, which decides how well it knows where it is.
public enum Surroundings: String, CaseIterable, Equatable, Sendable {
  /// Streets of a city's centre.
  case city
  /// Houses that stand apart.
  case residential
  /// A forest.
  case forest
}

/// What the app and the phone are doing, which decides how late a notification comes.
public enum PhoneState: String, CaseIterable, Equatable, Sendable {
  /// The app is on the screen.
  case foreground
  /// The app is in the background and the phone moves.
  case background
  /// The phone lay still for some minutes before.
  case atRest = "at-rest"
  /// The user or the system ended the app.
  case ended
}

extension PhoneProfile.Positioning {
  /// The standard deviation of the error along each axis, in metres.
  public func sigmaMeters(in surroundings: Surroundings) -> Sourced<Double> {
    switch surroundings {
    case .city: citySigmaMeters
    case .residential: residentialSigmaMeters
    case .forest: forestSigmaMeters
    }
  }
}

extension PhoneProfile.Delivery {
  /// The seconds from confirmation to notification.
  public func seconds(in state: PhoneState) -> Sourced<Distribution> {
    switch state {
    case .foreground: foregroundSeconds
    case .background: backgroundSeconds
    case .atRest: atRestSeconds
    case .ended: endedSeconds
    }
  }

  /// The share of confirmed crossings of which no notification comes.
  public func neverShare(in surroundings: Surroundings) -> Sourced<Double> {
    switch surroundings {
    case .city: neverInCityShare
    case .residential: neverInResidentialShare
    case .forest: neverInForestShare
    }
  }
}
