import FencepostGeodesy
import FencepostMonitoring

/// The result of one trial for a story.
enum TrialResult: Equatable {
  /// The notification came, this long after the crossing and this far from the edge.
  case alert(delaySeconds: Double, fromEdgeMeters: Double)
  /// The story was not watched while the phone was inside; `fix` is where the phone entered.
  case unmonitored(fix: Int)
  /// No notification came, for this reason.
  case lost(TrialOutcome)
}

/// The part of a path near one story; a class, because a profile is expensive to copy.
final class StoryApproach {
  let profile: PhoneProfile
  let options: PhoneSimulation.Options
  let path: PhonePath
  let center: SIMD3<Double>
  let radiusMeters: Double
  /// The distances from the center at which the phone believes it enters and exits.
  private let edges: (enter: Double, exit: Double)
  /// Unit vectors along the ground.
  private let east: SIMD3<Double>
  private let north: SIMD3<Double>
  /// When the path is near enough for the phone to believe it is inside.
  private let near: [ClosedRange<Double>]
  /// When the phone is really inside.
  private let inside: [ClosedRange<Double>]
  /// The longest stay inside.
  private let longest: ClosedRange<Double>?

  /// Returns nil if the phone can never believe it is inside, or rejects so large a circle.
  init?(
    _ story: PhoneStory, on path: PhonePath, _ profile: PhoneProfile,
    _ options: PhoneSimulation.Options
  ) {
    self.profile = profile
    self.options = options
    self.path = path
    center = Position(story.coordinate).vector
    radiusMeters = story.radiusMeters
    edges = Self.edgesMeters(ofRadius: radiusMeters, profile)
    let up = center / center.length
    let axis = abs(up.z) < 0.9 ? SIMD3(0, 0, 1) : SIMD3(1.0, 0, 0)
    let across = axis.cross(up)
    east = across / across.length
    north = up.cross(east)
    near = path.spans(
      within: Self.reachMeters(ofRadius: radiusMeters, on: path, profile, options), of: center)
    inside = path.spans(within: radiusMeters, of: center)
    longest = inside.max { $0.length < $1.length }
    guard !near.isEmpty,
      story.radiusMeters <= profile.limits.greatestRadiusMeters.value.value ?? .infinity
    else { return nil }
  }

  private static func edgesMeters(
    ofRadius radiusMeters: Double, _ profile: PhoneProfile
  ) -> (enter: Double, exit: Double) {
    let kept = max(radiusMeters, profile.limits.leastRadiusMeters.value)
    return (
      kept - profile.confirmation.enterCushionMeters.value,
      kept + profile.confirmation.exitCushionMeters.value
    )
  }

  /// The largest distance from the center, in meters, at which the phone can react.
  static func reachMeters(
    ofRadius radiusMeters: Double, on path: PhonePath, _ profile: PhoneProfile,
    _ options: PhoneSimulation.Options
  ) -> Double {
    let edges = edgesMeters(ofRadius: radiusMeters, profile)
    // Larger errors, beyond four standard deviations, affect one in 3,000 positions.
    return max(edges.enter, edges.exit, radiusMeters)
      + 4 * profile.position.sigmaMeters[options.surroundings].value
      + (profile.test.accuracy.value == .intersects ? path.greatestAccuracyMeters : 0)
  }

  func run(_ windows: [ClosedRange<Double>], _ random: RandomSequence) -> TrialResult {
    if windows.isEmpty { return unmonitored }
    var trial = Trial(approach: self, random: random)
    for span in near {
      for window in windows where window.overlaps(span) {
        trial.observe(span, while: window)
        if let result = trial.result { return result }
      }
    }
    return lost(windows, hasSilence: trial.hasSilence)
  }

  /// The result of a trial in which the story is never watched during a stay.
  private var unmonitored: TrialResult {
    longest.map { .unmonitored(fix: path.index(atSeconds: $0.lowerBound)) } ?? .lost(.notEntered)
  }

  /// The reason no notification came.
  private func lost(_ windows: [ClosedRange<Double>], hasSilence: Bool) -> TrialResult {
    guard let longest else { return .lost(.notEntered) }
    let watched = inside.compactMap { stay in
      windows.filter { $0.contains(stay.lowerBound) || $0.overlaps(stay) }
        .map { stay.clamped(to: $0).length }.max()
    }.max()
    guard let watched, watched > 0 || longest.length == 0 else { return unmonitored }
    if hasSilence { return .lost(.chance) }
    let isSeenComing = inside.contains { stay in
      windows.contains { $0.lowerBound < stay.lowerBound && $0.contains(stay.lowerBound) }
    }
    // The region was added with the phone inside, so the phone stays silent.
    guard isSeenComing else { return .lost(.refresh) }
    let interval = profile.position.intervalSeconds.value
    if interval == 0, profile.test.at.value == .fixes, !hasFixInside { return .lost(.shortStay) }
    let needed =
      holdSeconds(options.event) + interval * Double(profile.confirmation.fixes.value)
    if longest.length < needed {
      return .lost(straightThroughSeconds(longest) < needed ? .smallRadius : .shortStay)
    }
    return watched < needed ? .lost(.refresh) : .lost(.chance)
  }

  private var hasFixInside: Bool {
    inside.contains {
      path.vertices[path.index(atSeconds: $0.upperBound)].seconds >= $0.lowerBound
    }
  }

  /// The time to cross the circle through its center at the average speed of a stay.
  private func straightThroughSeconds(_ stay: ClosedRange<Double>) -> Double {
    var meters = 0.0
    var last = path.point(atSeconds: stay.lowerBound)
    let first = path.index(atSeconds: stay.lowerBound)
    for vertex in path.vertices[(first + 1)...] {
      guard vertex.seconds < stay.upperBound else { break }
      meters += (vertex.point - last).length
      last = vertex.point
    }
    meters += (path.point(atSeconds: stay.upperBound) - last).length
    return meters > 0 ? stay.length * 2 * radiusMeters / meters : .infinity
  }

  /// The hold time on the new side; the entry that notifies also waits for the dwell time.
  func holdSeconds(_ side: CrossingSide) -> Double {
    let confirmation = profile.confirmation
    let dwells = side == .enter && options.event == .enter
    return max(
      confirmation.holdSeconds.value, dwells ? confirmation.dwellSeconds.value : 0)
  }

  /// Whether the phone, off by an error in meters east and north, believes it is inside.
  func isInside(
    _ point: SIMD3<Double>, _ error: SIMD2<Double>, _ accuracyMeters: Double, wasInside: Bool
  ) -> Bool {
    let meters = (point - center + error.x * east + error.y * north).length
    // Rounding can leave a computed crossing just off the edge.
    let edge = (wasInside ? edges.exit : edges.enter) + 1e-6
    return switch profile.test.accuracy.value {
    case .ignore: meters <= edge
    case .intersects: meters - accuracyMeters <= edge
    case .contains: (wasInside ? meters - accuracyMeters : meters + accuracyMeters) <= edge
    }
  }

  /// The fractions of a segment at which it crosses the phone's edges, sorted.
  func crossings(from start: SIMD3<Double>, to end: SIMD3<Double>) -> [Double] {
    Set([edges.enter, edges.exit]).flatMap { meters -> [Double] in
      let shares = PhonePath.shares(from: start - center, along: end - start, within: meters)
      return shares.map { [$0.lowerBound, $0.upperBound] } ?? []
    }.filter { $0 > 0 && $0 < 1 }.sorted()
  }

  /// The time of the real crossing nearest to a confirmation, or else of the confirmation.
  func crossingSeconds(before confirmed: Double) -> Double {
    inside.map { options.event == .enter ? $0.lowerBound : $0.upperBound }
      .min { abs($0 - confirmed) < abs($1 - confirmed) } ?? confirmed
  }
}

extension ClosedRange<Double> {
  fileprivate var length: Double { upperBound - lowerBound }
}

extension SIMD3<Double> {
  fileprivate func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}
