import FencepostGeodesy
import FencepostMonitoring

extension StoryWatch {
  package static func regionIdentifier(ofStory id: String) -> String {
    storyPrefix + id
  }

  /// Returns the id of a region's story; nil for the tripwire and foreign regions.
  package static func storyID(ofRegion identifier: String) -> String? {
    identifier.hasPrefix(storyPrefix) ? String(identifier.dropFirst(storyPrefix.count)) : nil
  }

  /// Forgets the phone's side of a region that it no longer monitors.
  mutating func phoneStopped(regionIdentifier: String) {
    if let story = Self.storyID(ofRegion: regionIdentifier) { phoneStopped(storyID: story) }
  }

  private static let storyPrefix = RegionMirror.prefix + "story."
  /// The identifier of the circle around the phone whose exit triggers a lookup.
  public static let tripwireIdentifier = RegionMirror.prefix + "tripwire"

  /// The regions that the phone should monitor, most important first.
  ///
  /// The tripwire comes first, if there is one, then the watched stories, nearest edge first.
  public var regions: [PhoneRegion] {
    let here = lastFix.map { Position($0.coordinate) }
    let stories = engine.monitoredRegions.compactMap { monitored -> (Double, PhoneRegion)? in
      let circle = monitored.region.circle
      guard let story = self.stories.place(forKey: monitored.region.key) else { return nil }
      let region = PhoneRegion(
        identifier: Self.regionIdentifier(ofStory: story.id), center: story.coordinate,
        radiusMeters: circle.radiusMeters)
      return (here.map(circle.edgeDistanceMeters(from:)) ?? 0, region)
    }
    let ordered = stories.sorted { ($0.0, $0.1.identifier) < ($1.0, $1.1.identifier) }.map(\.1)
    guard options.monitoring.hasTripwire, let tripwire else { return ordered }
    let wire = PhoneRegion(
      identifier: Self.tripwireIdentifier,
      center: Coordinate(
        latitudeDegrees: tripwire.latitudeDegrees, longitudeDegrees: tripwire.longitudeDegrees),
      radiusMeters: tripwire.radiusMeters)
    return [wire] + ordered
  }

  mutating func note(_ refresh: Refresh) {
    for key in refresh.removed {
      if let story = stories.place(forKey: key) { visits[story.id]?.isInsideByPath = false }
    }
    guard !refresh.hasFailed else { return }
    let reach = refresh.reachMeters ?? options.monitoring.significantChangeMeters
    let radius = max(reach, options.leastRegionRadiusMeters)
    tripwire =
      radius.isFinite
      ? Tripwire(
        latitudeDegrees: refresh.coordinate.latitudeDegrees,
        longitudeDegrees: refresh.coordinate.longitudeDegrees, radiusMeters: radius)
      : nil
  }
}
