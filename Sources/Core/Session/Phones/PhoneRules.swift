import FencepostGeodesy
package import FencepostMonitoring
package import FencepostNotifications
package import FencepostPhones

/// The rules that a phone profile sets for a session, which ignores what is left to chance.
///
/// A `PhoneSimulation` adds the delays and losses that depend on chance.
package struct PhoneRules: Equatable, Sendable {
  private let storage: Storage

  // A profile has so many values that each copy would take its toll.
  private final class Storage: Sendable {
    let profile: PhoneProfile

    init(_ profile: PhoneProfile) { self.profile = profile }
  }

  /// Creates the rules of a profile.
  package init(_ profile: PhoneProfile) { storage = Storage(profile) }

  /// The profile that the rules are from.
  package var profile: PhoneProfile { storage.profile }

  /// Whether both have equal profiles.
  package static func == (one: PhoneRules, other: PhoneRules) -> Bool {
    one.profile == other.profile
  }

  /// Replaces a session's rules with those of the phone.
  ///
  /// A phone without a limit on regions watches everything, so the refresh distance is kept.
  package func apply(to options: inout TrackSessionOptions) {
    options.monitoring.limit = profile.limits.regions.value.value
    if options.monitoring.limit != nil {
      options.monitoring.significantChangeMeters = profile.refresh.distanceMeters.value
      options.monitoring.minIntervalMilliseconds = leastIntervalMilliseconds
    }
    options.monitoring.initial = profile.limits.addedInside.value
    let confirmation = profile.confirmation
    options.monitoring.exitMarginMeters = max(
      0, confirmation.enterCushionMeters.value + confirmation.exitCushionMeters.value)
    applyConfirmation(to: &options.monitoring)
    let dwellSeconds = confirmation.dwellSeconds.value
    if dwellSeconds > 0 {
      options.monitoring.confirmation.dwellMilliseconds = milliseconds(dwellSeconds)
      options.alertsOn = .dwell
    }
  }

  /// Sets what the phone demands of a crossing in a rule.
  package func applyConfirmation(to rule: inout MonitoringOptions) {
    rule.test = profile.test.at.value
    rule.accuracy = profile.test.accuracy.value
    let confirmation = profile.confirmation
    rule.confirmation.holdMilliseconds = milliseconds(confirmation.holdSeconds.value)
    rule.confirmation.fixes = confirmation.fixes.value > 1 ? confirmation.fixes.value : nil
  }

  /// The least time between two lookups in milliseconds.
  package var leastIntervalMilliseconds: Int64 {
    milliseconds(profile.refresh.leastIntervalSeconds.value)
  }

  /// The radius at which the phone notices an entry, in meters; nil if it cannot watch the circle.
  package func noticedRadiusMeters(of radiusMeters: Double) -> Double? {
    let limits = profile.limits
    if let greatest = limits.greatestRadiusMeters.value.value, radiusMeters > greatest {
      return nil
    }
    let radius =
      max(radiusMeters, limits.leastRadiusMeters.value)
      - profile.confirmation.enterCushionMeters.value
    guard radius > 0 else { return nil }
    return min(radius, Circle.greatestRadiusMeters)
  }

  /// The places with the radii that the phone notices, without those it cannot watch.
  package func noticed(_ places: [Place]) -> [Place] {
    places.compactMap { place in
      noticedRadiusMeters(of: place.radiusMeters).map { radius in
        var place = place
        place.radiusMeters = radius
        return place
      }
    }
  }

  /// Whether the phone changes the radius of any circle or rejects any circle.
  package var changesCircles: Bool {
    profile.limits.leastRadiusMeters.value > 0 || profile.limits.greatestRadiusMeters.value != .none
      || profile.confirmation.enterCushionMeters.value != 0
  }

  /// How many notifications the phone holds, and which it drops.
  package var notificationLimits: NotificationLimits {
    NotificationLimits(
      name: profile.name, totalLimit: profile.notifications.pending.value.value,
      regionLimit: profile.limits.regions.value.value ?? .max,
      retention: profile.notifications.kept.value == .lastAdded ? .lastAdded : .soonest)
  }

  private func milliseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1000).rounded()) }
}
