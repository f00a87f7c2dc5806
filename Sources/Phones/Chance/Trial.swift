import FencepostMonitoring

/// One simulated pass by one story: measured positions, conclusions and the notification.
struct Trial {
  private let approach: StoryApproach
  private var random: RandomSequence
  private var error: PositionError
  /// Whether the phone has concluded that it is inside.
  private var isInside = false
  /// When positions on the other side began, and their number; nil without any.
  private var waiting: (sinceSeconds: Double, count: Int)?
  /// Whether the next position is the first since the region was added, which may be silent.
  private var isFirst = false
  /// The offset of the phone's position checks within their interval.
  private let phaseSeconds: Double
  /// The end of the observed part of the path.
  private var observedSeconds = -Double.infinity
  private(set) var result: TrialResult?
  /// Whether a confirmed crossing caused no notification.
  private(set) var hasSilence = false

  init(approach: StoryApproach, random: RandomSequence) {
    let position = approach.profile.position
    self.approach = approach
    self.random = random
    error = PositionError(
      sigmaMeters: position.sigmaMeters[approach.options.surroundings].value,
      correlationSeconds: position.correlationSeconds.value)
    phaseSeconds = self.random.uniform() * position.intervalSeconds.value
  }

  /// Follows the path while the story is watched, until the notifying crossing is decided.
  mutating func observe(_ near: ClosedRange<Double>, while window: ClosedRange<Double>) {
    let start = max(near.lowerBound, window.lowerBound, observedSeconds)
    guard start <= near.upperBound else { return }
    error.restart(&random)
    begin(isInside: false)
    // The phone was already near when the region was added, or the path starts here.
    let isAdded = window.lowerBound > near.lowerBound && start == window.lowerBound
    isFirst = isAdded || start <= approach.path.vertices[0].seconds
    let span = start...min(near.upperBound, window.upperBound)
    if approach.profile.position.intervalSeconds.value > 0 {
      observeRegularly(span, until: window.upperBound)
    } else {
      observeFixes(span, until: window.upperBound)
    }
  }

  /// Whether positions farther away could still confirm the notifying crossing.
  private var isPending: Bool {
    approach.options.event == .exit ? isInside : waiting != nil
  }

  private mutating func observeRegularly(
    _ span: ClosedRange<Double>, until lastSeconds: Double
  ) {
    let (path, interval) = (approach.path, approach.profile.position.intervalSeconds.value)
    let end = min(lastSeconds, path.vertices[path.count - 1].seconds)
    var step = ((span.lowerBound - phaseSeconds) / interval).rounded(.up)
    var index = path.index(atSeconds: phaseSeconds + step * interval)
    while result == nil {
      let seconds = phaseSeconds + step * interval
      guard seconds <= span.upperBound || (isPending && seconds <= end) else { return }
      while index + 1 < path.count, path.vertices[index + 1].seconds <= seconds { index += 1 }
      take(seconds, path.point(atSeconds: seconds, after: index), accuracyMeters: 0)
      observedSeconds = seconds
      error.step(seconds: interval, &random)
      step += 1
    }
  }

  private mutating func observeFixes(_ span: ClosedRange<Double>, until lastSeconds: Double) {
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
            take(seconds, start.point + share * (vertex.point - start.point), accuracyMeters: 0)
          }
        }
      }
      // The first fix after the span can still confirm a crossing within it.
      take(vertex.seconds, vertex.point, accuracyMeters: vertex.accuracyMeters)
      observedSeconds = vertex.seconds
      if vertex.seconds > span.upperBound, !isPending || vertex.seconds > lastSeconds { return }
      index += 1
      if index < path.count {
        error.step(seconds: path.vertices[index].seconds - vertex.seconds, &random)
      }
    }
  }

  private mutating func take(
    _ seconds: Double, _ point: SIMD3<Double>, accuracyMeters: Double
  ) {
    let isNowInside = approach.isInside(point, error.meters, accuracyMeters, wasInside: isInside)
    if isFirst {
      isFirst = false
      if isNowInside, approach.profile.limits.addedInside.value == .silent {
        return begin(isInside: true)
      }
    }
    guard let confirmed = confirm(isInside: isNowInside, atSeconds: seconds) else { return }
    if isInside == (approach.options.event == .enter) { notify(confirmedSeconds: confirmed) }
  }

  /// Sets the side without a crossing.
  private mutating func begin(isInside: Bool) {
    self.isInside = isInside
    waiting = nil
  }

  /// Changes sides after the hold time and enough positions; returns the time of confirmation.
  private mutating func confirm(isInside: Bool, atSeconds seconds: Double) -> Double? {
    guard isInside != self.isInside else {
      waiting = nil
      return nil
    }
    let since = waiting?.sinceSeconds ?? seconds
    let count = (waiting?.count ?? 0) + 1
    waiting = (since, count)
    let fixes = approach.profile.confirmation.fixes.value
    let hold = approach.holdSeconds(isInside ? .enter : .exit)
    guard count >= fixes, seconds - since >= hold else { return nil }
    begin(isInside: isInside)
    // If the position is known between fixes, a crossing is confirmed exactly when the hold ends.
    let isExact =
      approach.profile.test.at.value == .path
      && approach.profile.position.intervalSeconds.value == 0
    return isExact && fixes == 1 ? since + hold : seconds
  }

  private mutating func notify(confirmedSeconds: Double) {
    let (options, delivery) = (approach.options, approach.profile.delivery)
    let isSilent = random.uniform() < delivery.neverShare[options.surroundings].value
    let share = random.uniform()
    if isSilent {
      hasSilence = true
      return
    }
    let isAtRest = options.state != .ended && approach.path.isAtRest(atSeconds: confirmedSeconds)
    let delay = delivery.seconds[isAtRest ? .atRest : options.state].value.value(at: share)
    let seconds = confirmedSeconds + delay
    let distance = (approach.path.point(atSeconds: seconds) - approach.center).length
    result = .alert(
      delaySeconds: seconds - approach.crossingSeconds(before: confirmedSeconds),
      fromEdgeMeters: distance - approach.radiusMeters)
  }
}

/// A position error that persists for a while.
///
/// A first-order Gauss-Markov process on two independent axes. After time t, the share exp(−t / τ)
/// of the error remains, and new noise keeps the standard deviation constant. Source: Gelb, Applied
/// Optimal Estimation, 1974, section 3.8.
package struct PositionError {
  package let sigmaMeters: Double
  package let correlationSeconds: Double
  package private(set) var meters = SIMD2<Double>()
  private var lastStepSeconds = -1.0
  private var lastShare = 0.0

  package init(sigmaMeters: Double, correlationSeconds: Double) {
    self.sigmaMeters = sigmaMeters
    self.correlationSeconds = correlationSeconds
  }

  /// Draws a new error, independent of the previous one.
  package mutating func restart(_ random: inout RandomSequence) {
    guard sigmaMeters > 0 else { return }
    meters = sigmaMeters * SIMD2(random.normal(), random.normal())
  }

  /// Lets the error drift for a time.
  package mutating func step(seconds: Double, _ random: inout RandomSequence) {
    guard sigmaMeters > 0 else { return }
    if seconds != lastStepSeconds {
      lastStepSeconds = seconds
      lastShare =
        correlationSeconds > 0 ? Numerics.exponential(-seconds / correlationSeconds) : 0
    }
    let fresh = sigmaMeters * max(0, 1 - lastShare * lastShare).squareRoot()
    meters = lastShare * meters + fresh * SIMD2(random.normal(), random.normal())
  }
}
