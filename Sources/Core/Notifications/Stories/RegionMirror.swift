import FencepostGeodesy

/// Keeps the phone's regions in step with the engine's circles, leaving other regions alone.
///
/// It decides what must change and remembers what it has asked for; the caller tells the phone.
package struct RegionMirror {
  /// The beginning of the identifiers of all regions that Fencepost monitors.
  package static let prefix = "fencepost."

  private let limit: Int
  /// Regions requested since launch, which the phone may not list yet.
  private var requested: [String: PhoneRegion] = [:]
  /// Regions that failed since the last fix.
  private var failed: Set<String> = []

  /// Creates a mirror; `limit` is the number of regions for the whole app.
  package init(limit: Int) { self.limit = limit }

  /// What the phone must do so that it monitors the wanted regions.
  ///
  /// Stop regions before starting others, so that the phone never has too many.
  package struct Change: Equatable {
    /// The identifiers of regions to stop monitoring, sorted.
    package var stopped: [String] = []
    /// The regions to start monitoring, the most important first.
    package var started: [PhoneRegion] = []
  }

  /// The number of regions that other parts of the app monitor.
  package static func foreignCount(of held: [PhoneRegion]) -> Int {
    held.count { !$0.identifier.hasPrefix(prefix) }
  }

  /// The number of regions that are left for stories beside those of other parts of the app.
  package func room(beside held: [PhoneRegion]) -> Int {
    max(0, limit - Self.foreignCount(of: held))
  }

  /// Returns the regions to stop and to start; the caller must do both.
  ///
  /// The most important wanted regions come first. Radii are reduced to `greatestRadiusMeters`.
  package mutating func follow(
    _ wanted: [PhoneRegion], held: [PhoneRegion], greatestRadiusMeters: Double
  ) -> Change {
    var present = requested
    for region in held where region.identifier.hasPrefix(Self.prefix) {
      present[region.identifier] = region
    }
    var kept: [String: PhoneRegion] = [:]
    for var region in wanted.prefix(room(beside: held)) {
      region.radiusMeters = min(region.radiusMeters, greatestRadiusMeters)
      kept[region.identifier] = region
    }
    var change = Change()
    change.stopped = present.keys.filter { kept[$0] == nil }.sorted()
    for region in wanted {
      guard let region = kept[region.identifier], !failed.contains(region.identifier),
        present[region.identifier].map({ !Self.isSame($0, region) }) ?? true
      else { continue }
      change.started.append(region)
    }
    for identifier in change.stopped { requested[identifier] = nil }
    for region in change.started { requested[region.identifier] = region }
    return change
  }

  /// Records that the phone does not monitor a region; it is not asked for again until
  /// ``retryFailures()``.
  package mutating func noteFailure(of identifier: String) {
    requested[identifier] = nil
    failed.insert(identifier)
  }

  /// Allows regions that failed to be asked for again, as at each new fix.
  package mutating func retryFailures() { failed = [] }

  /// Returns whether the phone monitors the wanted region, allowing for rounding.
  private static func isSame(_ held: PhoneRegion, _ wanted: PhoneRegion) -> Bool {
    guard let one = held.center, let other = wanted.center else { return false }
    return abs(one.latitudeDegrees - other.latitudeDegrees) < 1e-6
      && abs(one.longitudeDegrees - other.longitudeDegrees) < 1e-6
      && abs(held.radiusMeters - wanted.radiusMeters) < 0.1
  }
}
