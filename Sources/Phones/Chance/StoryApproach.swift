import FencepostMonitoring
import FencepostGeodesy

/// What a trial made of a story.
enum TrialResult: Equatable {
  /// The notification came: so long after the crossing, so far from the edge.
  case alert(delaySeconds: Double, fromEdgeMeters: Double)
  /// It was not monitored while the phone was inside; the fix at which the phone came in.
  case unmonitored(fix: Int)
  /// It was lost to this.
  case lost(TrialOutcome)
}

/// The path near one story, ready for trials.
///
/// A class, because each trial refers to it and a profile has many parts to copy.
final class StoryApproach {
  private let profile: PhoneProfile
  private let options: PhoneSimulation.Options
  private let path: PhonePath
  private let center: SIMD3<Double>
  private let radiusMeters: Double
  /// The edges at which the phone believes to come in and to go out.
  private let enterMeters: Double
  private let exitMeters: Double
  /// Two directions along the ground.
  private let east: SIMD3<Double>
  private let north: SIMD3<Double>
  /// When the path is near enough for the phone to believe that it is inside.
  private let near: [ClosedRange<Double>]
  /// When it really is inside.
  private let inside: [ClosedRange<Double>]
  /// What a trial makes of the story that never monitors it.
  private let unmonitored: TrialResult

  /// Nil if the phone cannot come to believe that it is inside, or cannot monitor so large a circle.
  init?(
    _ story: PhoneStory, on path: PhonePath, _ profile: PhoneProfile,
    _ options: PhoneSimulation.Options
  ) {
    let position = Position(story.coordinate)
    self.profile = profile
    self.options = options
    self.path = path
    center = position.vector
    radiusMeters = story.radiusMeters
    (enterMeters, exitMeters) = Self.edgesMeters(ofRadius: radiusMeters, profile)
    let up = center / center.length
    let axis = abs(up.z) < 0.9 ? SIMD3(0, 0, 1) : SIMD3(1.0, 0, 0)
    let across = axis.cross(up)
    east = across / across.length
    north = up.cross(east)
    near = path.spans(
      within: Self.reachMeters(ofRadius: radiusMeters, on: path, profile, options), of: center)
    inside = path.spans(within: radiusMeters, of: center)
    unmonitored =
      inside.max { $0.length < $1.length }
      .map { .unmonitored(fix: path.index(atSeconds: $0.lowerBound)) } ?? .lost(.notEntered)
    guard !near.isEmpty,
      story.radiusMeters <= profile.limits.greatestRadiusMeters.value.value ?? .infinity
    else { return nil }
  }

  /// The distances from the center at which the phone believes to come in and to go out.
  private static func edgesMeters(
    ofRadius radiusMeters: Double, _ profile: PhoneProfile
  ) -> (enter: Double, exit: Double) {
    let kept = max(radiusMeters, profile.limits.leastRadiusMeters.value)
    return (
      kept - profile.confirmation.enterCushionMeters.value,
      kept + profile.confirmation.exitCushionMeters.value
    )
  }

  /// How near a path must come to the center for the phone to take notice, in metres.
  static func reachMeters(
    ofRadius radiusMeters: Double, on path: PhonePath, _ profile: PhoneProfile,
    _ options: PhoneSimulation.Options
  ) -> Double {
    let edges = edgesMeters(ofRadius: radiusMeters, profile)
    // Errors beyond four standard deviations are one in 3,000 positions.
    return max(edges.enter, edges.exit, radiusMeters)
      + 4 * profile.position.sigmaMeters(in: options.surroundings).value
      + (profile.test.accuracy.value == .intersects ? path.greatestAccuracyMeters : 0)
  }

  /// Runs a trial.
  ///
  /// - Parameters:
  ///   - windows: When the story is monitored.
  ///   - random: The trial's random numbers.
  /// - Returns: What became of the story.
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

  /// What a story that was not notified was lost to.
  private func lost(_ windows: [ClosedRange<Double>], hasSilence: Bool) -> TrialResult {
    guard let longest = inside.max(by: { $0.length < $1.length }) else { return .lost(.notEntered) }
    let watched = inside.compactMap { stay in
      windows.filter { $0.contains(stay.lowerBound) || $0.overlaps(stay) }
        .map { stay.clamped(to: $0).length }.max()
    }.max()
    guard let watched, watched > 0 || longest.length == 0 else {
      return unmonitored
    }
    if hasSilence { return .lost(.chance) }
    let isSeenComing = inside.contains { stay in
      windows.contains { $0.lowerBound < stay.lowerBound && $0.contains(stay.lowerBound) }
    }
    // The region was added around the phone, which says nothing of it.
    guard isSeenComing else { return .lost(.refresh) }
    if profile.position.intervalSeconds.value == 0, profile.test.at.value == .fixes, !hasFixInside {
      return .lost(.shortStay)
    }
    let needed =
      neededSeconds + profile.position.intervalSeconds.value
      * Double(profile.confirmation.fixes.value)
    if longest.length < needed {
      return .lost(straightThroughSeconds(longest) < needed ? .smallRadius : .shortStay)
    }
    return watched < needed ? .lost(.refresh) : .lost(.chance)
  }

  /// Whether any fix lies in the circle.
  private var hasFixInside: Bool {
    inside.contains {
      path.vertices[path.index(atSeconds: $0.upperBound)].seconds >= $0.lowerBound
    }
  }

  /// How long the way straight through the circle would take at the pace of a stay.
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

  /// How long the phone must be on the new side.
  private var neededSeconds: Double {
    let confirmation = profile.confirmation
    return options.event == .enter
      ? max(confirmation.holdSeconds.value, confirmation.dwellSeconds.value)
      : confirmation.holdSeconds.value
  }
}

extension StoryApproach {
  /// One run: the positions that the phone gets, what it concludes, and the notification.
  struct Trial {
    private let approach: StoryApproach
    private var random: RandomSequence
    private var error: PositionError
    private var confirmation: SideConfirmation
    /// When the phone compares its position first, within the interval.
    private let phaseSeconds: Double
    private(set) var result: TrialResult?
    /// Whether a crossing was confirmed and nothing came of it.
    private(set) var hasSilence = false
    /// Until when the path was observed.
    private var observedSeconds = -Double.infinity

    fileprivate init(approach: StoryApproach, random: RandomSequence) {
      let profile = approach.profile
      self.approach = approach
      self.random = random
      error = PositionError(
        sigmaMeters: profile.position.sigmaMeters(in: approach.options.surroundings).value,
        correlationSeconds: profile.position.correlationSeconds.value)
      confirmation = SideConfirmation(
        enterHoldSeconds: max(
          profile.confirmation.holdSeconds.value,
          approach.options.event == .enter ? profile.confirmation.dwellSeconds.value : 0),
        exitHoldSeconds: profile.confirmation.holdSeconds.value,
        fixes: profile.confirmation.fixes.value,
        isExact: profile.test.at.value == .path && profile.position.intervalSeconds.value == 0)
      phaseSeconds = self.random.uniform() * profile.position.intervalSeconds.value
    }

    /// Runs through a time in which the path is near and the story monitored, and on until the crossing
    /// that notifies is confirmed or cannot be.
    ///
    /// - Parameters:
    ///   - near: When the path is near.
    ///   - window: When the story is monitored.
    fileprivate mutating func observe(
      _ near: ClosedRange<Double>, while window: ClosedRange<Double>
    ) {
      let start = max(near.lowerBound, window.lowerBound, observedSeconds)
      guard start <= near.upperBound else { return }
      let span = start...min(near.upperBound, window.upperBound)
      error.restart(&random)
      confirmation.forget()
      let isQuiet = approach.profile.limits.addedInside.value == .silent
      // The region was added when the phone was near already, or the path begins here.
      let isAdded = window.lowerBound > near.lowerBound && start == window.lowerBound
      var isFirst = isAdded || start <= approach.path.vertices[0].seconds
      if approach.profile.position.intervalSeconds.value > 0 {
        observeRegularly(span, until: window.upperBound) {
          $0.take($1, $2, accuracyMeters: 0, isQuiet: isQuiet, &isFirst)
        }
      } else {
        observeFixes(span, until: window.upperBound) {
          $0.take($1, $2, accuracyMeters: $3, isQuiet: isQuiet, &isFirst)
        }
      }
    }

    /// Whether the crossing that notifies may still be confirmed by positions farther away.
    private var isPending: Bool {
      approach.options.event == .exit ? confirmation.isInside : confirmation.isChanging
    }

    private mutating func observeRegularly(
      _ span: ClosedRange<Double>, until lastSeconds: Double,
      _ take: (inout Trial, Double, SIMD3<Double>) -> Void
    ) {
      let (path, interval) = (approach.path, approach.profile.position.intervalSeconds.value)
      let end = min(lastSeconds, path.vertices[path.count - 1].seconds)
      var step = ((span.lowerBound - phaseSeconds) / interval).rounded(.up)
      var index = path.index(atSeconds: phaseSeconds + step * interval)
      while result == nil {
        let seconds = phaseSeconds + step * interval
        guard seconds <= span.upperBound || (isPending && seconds <= end) else { return }
        while index + 1 < path.count, path.vertices[index + 1].seconds <= seconds { index += 1 }
        take(&self, seconds, path.point(atSeconds: seconds, after: index))
        observedSeconds = seconds
        error.step(seconds: interval, &random)
        step += 1
      }
    }

    private mutating func observeFixes(
      _ span: ClosedRange<Double>, until lastSeconds: Double,
      _ take: (inout Trial, Double, SIMD3<Double>, Double) -> Void
    ) {
      let path = approach.path
      let isPath = approach.profile.test.at.value == .path
      var index = path.index(atSeconds: span.lowerBound)
      while index < path.count, result == nil {
        let vertex = path.vertices[index]
        if isPath, index > 0, vertex.isJoined {
          let start = path.vertices[index - 1]
          for share in approach.crossings(from: start.point, to: vertex.point) {
            let seconds = start.seconds + share * (vertex.seconds - start.seconds)
            if span.contains(seconds) {
              take(&self, seconds, start.point + share * (vertex.point - start.point), 0)
            }
          }
        }
        // A fix just behind the span still ends what began within it.
        take(&self, vertex.seconds, vertex.point, vertex.accuracyMeters)
        observedSeconds = vertex.seconds
        if vertex.seconds > span.upperBound, !isPending || vertex.seconds > lastSeconds { return }
        index += 1
        if index < path.count {
          error.step(seconds: path.vertices[index].seconds - vertex.seconds, &random)
        }
      }
    }

    /// Takes a position that the phone compares with the region.
    private mutating func take(
      _ seconds: Double, _ point: SIMD3<Double>, accuracyMeters: Double, isQuiet: Bool,
      _ isFirst: inout Bool
    ) {
      let isInside = approach.isInside(
        approach.believedMeters(point, error.meters), accuracyMeters,
        wasInside: confirmation.isInside)
      if isFirst {
        isFirst = false
        if isQuiet, isInside { return confirmation.begin(isInside: true) }
      }
      guard let confirmed = confirmation.take(isInside: isInside, atSeconds: seconds) else {
        return
      }
      guard confirmed.side == approach.options.event else { return }
      notify(confirmedSeconds: confirmed.seconds)
    }

    private mutating func notify(confirmedSeconds: Double) {
      let (options, delivery) = (approach.options, approach.profile.delivery)
      let isSilent = random.uniform() < delivery.neverShare(in: options.surroundings).value
      let share = random.uniform()
      if isSilent {
        hasSilence = true
        return
      }
      let isAtRest =
        options.state != .ended && approach.path.isAtRest(atSeconds: confirmedSeconds)
      let state = isAtRest ? PhoneState.atRest : options.state
      let seconds = confirmedSeconds + delivery.seconds(in: state).value.value(at: share)
      let distance = (approach.path.point(atSeconds: seconds) - approach.center).length
      let edge = distance - approach.radiusMeters
      result = .alert(
        delaySeconds: seconds - approach.crossingSeconds(before: confirmedSeconds),
        fromEdgeMeters: edge)
    }
  }

  /// The distance from the center that the phone believes in.
  fileprivate func believedMeters(_ point: SIMD3<Double>, _ error: SIMD2<Double>) -> Double {
    (point - center + error.x * east + error.y * north).length
  }

  /// Whether the phone believes to be inside, by the profile's rule for the stated accuracy.
  fileprivate func isInside(_ meters: Double, _ accuracyMeters: Double, wasInside: Bool) -> Bool {
    // A crossing worked out from the path is on the edge but for rounding.
    let edge = (wasInside ? exitMeters : enterMeters) + 1e-6
    return switch profile.test.accuracy.value {
    case .ignore: meters <= edge
    case .intersects: meters - accuracyMeters <= edge
    case .contains: (wasInside ? meters - accuracyMeters : meters + accuracyMeters) <= edge
    }
  }

  /// The shares of a straight line at which it crosses the edges that count, in order.
  fileprivate func crossings(from start: SIMD3<Double>, to end: SIMD3<Double>) -> [Double] {
    Set([enterMeters, exitMeters]).flatMap { meters -> [Double] in
      let shares = PhonePath.shares(from: start - center, along: end - start, within: meters)
      return shares.map { [$0.lowerBound, $0.upperBound] } ?? []
    }.filter { $0 > 0 && $0 < 1 }.sorted()
  }

  /// When the path really crossed the edge: the crossing nearest to a confirmation, or the confirmation
  /// itself if it never did.
  fileprivate func crossingSeconds(before confirmed: Double) -> Double {
    inside.map { options.event == .enter ? $0.lowerBound : $0.upperBound }
      .min { abs($0 - confirmed) < abs($1 - confirmed) } ?? confirmed
  }
}

extension ClosedRange<Double> {
  fileprivate var length: Double { upperBound - lowerBound }
}

extension SIMD3<Double> {
  /// The vector product.
  fileprivate func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}
