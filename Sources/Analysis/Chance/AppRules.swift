public import FencepostPhones

/// What an app, or the rules that somebody tries, ask of a simulated phone in place of what its profile says.
public struct AppRules: Equatable, Sendable {
  /// How many regions it monitors at most; nil leaves it to the profile, which is never exceeded.
  public var limit: Int?
  /// Whether one of the regions is the circle whose exit wakes the phone.
  public var hasTripwire = false
  /// How far the device goes before the regions are replaced, in metres; nil leaves it to the profile.
  public var refreshMeters: Double?
  /// The least time between two refreshes in milliseconds; the profile's, if that is longer.
  public var leastIntervalMilliseconds: Int64 = 0
  /// How long a stay lasts before it alerts, in milliseconds; nil leaves it to the profile.
  public var dwellMilliseconds: Int64?

  /// Leaves everything to the profile.
  public init() {}
}

extension PhoneProfile {
  /// The profile with what an app asks of the phone.
  public func following(_ app: AppRules) -> PhoneProfile {
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
