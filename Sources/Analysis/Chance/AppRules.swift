package import FencepostPhones

/// Rules of an app that replace those in a phone's profile.
package struct AppRules: Equatable, Sendable {
  /// The maximum number of regions; nil, or more than the profile's, uses the profile's.
  package var limit: Int?
  /// Whether one region is used for the circle around the phone that triggers the next lookup.
  package var hasTripwire = false
  /// The distance between lookups in meters; nil uses the profile's.
  package var refreshMeters: Double?
  /// The minimum time between two lookups in milliseconds; the profile's applies if it is longer.
  package var leastIntervalMilliseconds: Int64 = 0
  /// How long a stay must last before it alerts, in milliseconds; nil uses the profile's.
  package var dwellMilliseconds: Int64?

  package init() {}
}

extension PhoneProfile {
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
