import FencepostGeodesy
package import FencepostMonitoring
package import FencepostNotifications
package import FencepostPhones

/// What a profile means for a session, chance aside.
///
/// Where the profile leaves something to chance, such as how late a notification comes, a session knows
/// nothing of it.
package struct PhoneRules: Equatable, Sendable {
  /// The phone or engine.
  package var profile: PhoneProfile

  /// Makes the rules of a profile.
  package init(_ profile: PhoneProfile) {
    self.profile = profile
  }

  /// Puts the profile's rules in the place of a session's own.
  ///
  /// A profile without a limit of regions has no use for a refresh distance, and keeps the session's.
  package func apply(to options: inout TrackSession.Options) {
    options.monitoring.limit = profile.limits.regions.value.value
    if options.monitoring.limit != nil {
      options.monitoring.significantChangeMeters = profile.refresh.distanceMeters.value
      options.monitoring.minIntervalMilliseconds = leastIntervalMilliseconds
    }
    options.monitoring.initial = profile.limits.addedInside.value
    options.monitoring.exitMarginMeters = exitMarginMeters
    applyConfirmation(to: &options.monitoring)
    let dwellSeconds = profile.confirmation.dwellSeconds.value
    if dwellSeconds > 0 {
      options.monitoring.confirmation.dwellMilliseconds = milliseconds(dwellSeconds)
      options.alertsOn = .dwell
    }
  }

  /// Puts what the phone tests, and what confirms a crossing, in the place of a rule's own.
  package func applyConfirmation(to rule: inout MonitoringOptions) {
    rule.test = profile.test.at.value
    rule.accuracy = profile.test.accuracy.value
    let confirmation = profile.confirmation
    rule.confirmation.holdMilliseconds = milliseconds(confirmation.holdSeconds.value)
    rule.confirmation.fixes = confirmation.fixes.value > 1 ? confirmation.fixes.value : nil
  }

  /// The least time between two refreshes of the phone, in milliseconds.
  package var leastIntervalMilliseconds: Int64 {
    milliseconds(profile.refresh.leastIntervalSeconds.value)
  }

  /// The radius at which the phone notices an enter, in metres.
  ///
  /// - Parameter radiusMeters: The radius of a place.
  /// - Returns: The radius; nil if the phone refuses so large a region, or can never notice an enter of so
  ///   small a one.
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

  /// Places as the phone notices them, without those that it cannot monitor.
  package func noticed(_ places: [Place]) -> [Place] {
    places.compactMap { place in
      noticedRadiusMeters(of: place.radiusMeters).map { radius in
        var place = place
        place.radiusMeters = radius
        return place
      }
    }
  }

  /// Whether any circle may be noticed elsewhere than at its edge, or not at all.
  package var changesCircles: Bool {
    profile.limits.leastRadiusMeters.value > 0 || profile.limits.greatestRadiusMeters.value != .none
      || profile.confirmation.enterCushionMeters.value != 0
  }

  /// How far beyond the circle of an enter that of its exit is.
  private var exitMarginMeters: Double {
    max(
      0,
      profile.confirmation.enterCushionMeters.value + profile.confirmation.exitCushionMeters.value)
  }

  /// How many notifications and regions the phone holds.
  package var device: DeviceProfile {
    DeviceProfile(
      name: profile.name, totalLimit: profile.notifications.pending.value.value,
      regionLimit: profile.limits.regions.value.value ?? .max,
      retention: profile.notifications.kept.value == .lastAdded ? .lastAdded : .soonest)
  }

  private func milliseconds(_ seconds: Double) -> Int64 {
    Int64((seconds * 1000).rounded())
  }
}
