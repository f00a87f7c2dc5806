import FencepostGeodesy

/// Makes the phone monitor what the engine does, by difference, and leaves regions of others alone.
struct RegionMirror {
  /// The beginning of the identifiers of its own regions.
  static let prefix = "fencepost."

  /// How many regions the app may have in all.
  let limit: Int
  /// What the phone was asked for in this launch; it may not list it yet.
  private var requested: [String: PhoneRegion] = [:]
  /// Regions that failed since the last fix.
  private var failed: Set<String> = []

  init(limit: Int) {
    self.limit = limit
  }

  /// What to stop and what to monitor, in this order.
  struct Change: Equatable {
    var stopped: [String] = []
    var started: [PhoneRegion] = []
  }

  /// How many of the phone's regions are others'.
  static func foreignCount(of held: [PhoneRegion]) -> Int {
    held.count { !$0.identifier.hasPrefix(prefix) }
  }

  /// The slots left for own regions.
  func room(beside held: [PhoneRegion]) -> Int {
    max(0, limit - Self.foreignCount(of: held))
  }

  /// The difference between what the phone holds and what it should hold, and takes note of it.
  ///
  /// - Parameters:
  ///   - wanted: What the phone should monitor, the most important first.
  ///   - held: What it monitors.
  ///   - greatestRadiusMeters: To which radii are clipped.
  /// - Returns: What to stop and what to monitor.
  mutating func follow(
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

  /// Takes note that a region is not monitored.
  mutating func noteFailure(of identifier: String) {
    requested[identifier] = nil
    failed.insert(identifier)
  }

  /// Lets regions that failed be tried again.
  mutating func retryFailures() { failed = [] }

  /// Whether the phone's region is the one that was asked for; phones may round.
  private static func isSame(_ held: PhoneRegion, _ wanted: PhoneRegion) -> Bool {
    guard let one = held.center, let other = wanted.center else { return false }
    return abs(one.latitudeDegrees - other.latitudeDegrees) < 1e-6
      && abs(one.longitudeDegrees - other.longitudeDegrees) < 1e-6
      && abs(held.radiusMeters - wanted.radiusMeters) < 0.1
  }
}
