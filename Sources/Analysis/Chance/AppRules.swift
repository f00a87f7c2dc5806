package import FencepostPhones

/// What an app, or the rules that somebody tries, ask of a simulated phone in place of what its profile says.
package struct AppRules: Equatable, Sendable {
  /// How many regions it monitors at most; nil leaves it to the profile, which is never exceeded.
  package var limit: Int?
  /// Whether one of the regions is the circle whose exit wakes the phone.
  package var hasTripwire = false
  /// How far the device goes before the regions are replaced, in metres; nil leaves it to the profile.
  package var refreshMeters: Double?
  /// The least time between two refreshes in milliseconds; the profile's, if that is longer.
  package var leastIntervalMilliseconds: Int64 = 0
  /// How long a stay lasts before it alerts, in milliseconds; nil leaves it to the profile.
  package var dwellMilliseconds: Int64?

  /// Leaves everything to the profile.
  package init() {}
}

extension PhoneProfile {
  /// The profile with what an app asks of the phone.
  package func following(_ app: AppRules) -> PhoneProfile {
    var profile = self
    if let limit = app.limit {
      profile.limits.regions.value = .at(min(limit, limits.regions.value.value ?? .max))
    }
    if app.hasTripwire, let regions = profile.limits.regions.value.value, regions > 1 {
      profile.limits.regions.value = .at(regions - 1)
    }
    if let meters = app.refreshMeters { profile.refresh.distanceMeters.value = meters }
    profile.refresh.leastIntervalSeconds.value = max(
      refresh.leastIntervalSeconds.value, Double(app.leastIntervalMilliseconds) / 1000)
    if let dwell = app.dwellMilliseconds {
      profile.confirmation.dwellSeconds.value = Double(dwell) / 1000
    }
    return profile
  }
}
