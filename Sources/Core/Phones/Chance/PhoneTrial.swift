import FencepostMonitoring

/// One simulated passage by one story: measured positions, conclusions and notifications.
///
/// The guide to the module defines every step, so that others can simulate the same.
struct PhoneTrial {
  /// Where in a trial's random numbers each kind begins.
  private enum Draw {
    static let phase: Int64 = 0
    static let position: Int64 = 16
    static let adding: Int64 = 1 << 33
    static let delivery: Int64 = 1 << 33 + 1 << 32
    static let faults: Int64 = 1 << 33 + 1 << 32 + 1 << 31
  }

  private let approach: StoryApproach
  private let story: Int
  private let systemSilences: [ClosedRange<Double>]
  private var random: RandomSequence
  private var error: PositionError
  /// The time for which the error is known; nil before the first.
  private var errorSeconds: Double?
  /// Whether the phone has concluded that it is inside.
  private var isInside = false
  /// When positions on the other side began, and their number; nil without any.
  private var waiting: (sinceSeconds: Double, count: Int)?
  /// When the region was added with the phone inside, which silenced this stay.
  private var silentSinceSeconds: Double?
  /// When the phone's checks begin: a part of their interval after the path's first fix.
  private let firstSeconds: Double
  private(set) var attempts: [PhoneAttempt] = []
  /// The times in which the phone was inside without having noticed an entry.
  private(set) var silences: [ClosedRange<Double>] = []

  init(
    approach: StoryApproach, story: Int, systemSilences: [ClosedRange<Double>],
    random: RandomSequence
  ) {
    self.approach = approach
    self.story = story
    self.systemSilences = systemSilences
    self.random = random
    error = PositionError(
      sigmaMeters: approach.sigmaMeters,
      correlationSeconds: approach.profile.position.correlationSeconds.value)
    self.random.go(to: Draw.phase)
    firstSeconds =
      approach.path.vertices[0].seconds + self.random.uniform() * approach.intervalSeconds
  }

  /// Follows the path while the story is watched.
  mutating func watch(_ windows: [ClosedRange<Double>]) {
    let vertices = approach.path.vertices
    for (number, window) in windows.enumerated() {
      let from = max(window.lowerBound, vertices[0].seconds)
      let to = min(window.upperBound, vertices[vertices.count - 1].seconds)
      guard from <= to, add(at: from, number) || approach.isNear(from...to) else { continue }
      if approach.intervalSeconds > 0 {
        check(from...to)
      } else {
        checkFixes(from...to)
      }
      endSilence(at: to)
    }
  }

  /// Judges the side of a region as it is added; false if the phone is certainly outside.
  private mutating func add(at seconds: Double, _ number: Int) -> Bool {
    (isInside, waiting) = (false, nil)
    reportFalsely(at: seconds, number)
    guard approach.isNear(seconds...seconds) else { return false }
    let path = approach.path
    let index = path.index(atSeconds: seconds)
    move(to: seconds, draw: Draw.adding + 2 * Int64(number))
    let isNowInside = approach.isInside(
      path.point(atSeconds: seconds, after: index), error.meters,
      approach.intervalSeconds > 0 ? 0 : path.vertices[index].accuracyMeters, wasInside: false)
    guard isNowInside else { return true }
    if approach.profile.limits.addedInside.value == .silent {
      (isInside, silentSinceSeconds) = (true, seconds)
    } else {
      take(isInside: true, atSeconds: seconds)
    }
    return true
  }

  // MARK: Positions

  /// Takes a position at each interval, except where it certainly changes nothing.
  private mutating func check(_ span: ClosedRange<Double>) {
    let (path, interval) = (approach.path, approach.intervalSeconds)
    func step(at seconds: Double) -> Double {
      ((seconds - firstSeconds) / interval).rounded(.up)
    }
    var number = max(0, step(at: span.lowerBound))
    var index = path.index(atSeconds: span.lowerBound)
    while true {
      var seconds = firstSeconds + number * interval
      guard seconds <= span.upperBound else { return }
      while index + 1 < path.count, path.vertices[index + 1].seconds <= seconds { index += 1 }
      if let later = approach.nextDecisive(
        after: seconds, index, isInside: isInside, isWaiting: waiting != nil)
      {
        guard later <= span.upperBound else { return }
        number = max(number + 1, step(at: later))
        seconds = firstSeconds + number * interval
        guard seconds <= span.upperBound else { return }
        while index + 1 < path.count, path.vertices[index + 1].seconds <= seconds { index += 1 }
      }
      move(to: seconds, draw: Draw.position + 2 * Int64(number))
      let point = path.point(atSeconds: seconds, after: index)
      take(
        isInside: approach.isInside(point, error.meters, 0, wasInside: isInside),
        atSeconds: seconds)
      number += 1
    }
  }

  /// Takes each fix and, if the path between fixes counts, each crossing of an edge.
  private mutating func checkFixes(_ span: ClosedRange<Double>) {
    let path = approach.path
    let isPath = approach.profile.test.at.value == .path
    var index = path.index(atSeconds: span.lowerBound)
    // The fix at which the region was added has been judged.
    if path.vertices[index].seconds <= span.lowerBound { index += 1 }
    while index < path.count {
      if !isInside, waiting == nil {
        let before = path.vertices[max(0, index - 1)].seconds
        guard let near = approach.firstNear(endingAtOrAfter: before) else { return }
        index = max(index, path.index(atSeconds: near.lowerBound))
      }
      let vertex = path.vertices[index]
      guard vertex.seconds <= span.upperBound else { return }
      move(to: vertex.seconds, draw: Draw.position + 2 * Int64(index))
      if isPath, index > 0, vertex.isJoined {
        let start = path.vertices[index - 1]
        for share in approach.crossings(from: start.point, to: vertex.point) {
          let seconds = start.seconds + share * (vertex.seconds - start.seconds)
          guard span.contains(seconds) else { continue }
          let point = start.point + share * (vertex.point - start.point)
          take(
            isInside: approach.isInside(point, error.meters, 0, wasInside: isInside),
            atSeconds: seconds)
        }
      }
      take(
        isInside: approach.isInside(
          vertex.point, error.meters, vertex.accuracyMeters, wasInside: isInside),
        atSeconds: vertex.seconds)
      index += 1
    }
  }

  /// Lets the error drift up to a time; the first one is drawn anew.
  private mutating func move(to seconds: Double, draw: Int64) {
    guard error.sigmaMeters > 0 else { return }
    random.go(to: draw)
    let normals = SIMD2(random.normal(), random.normal())
    if let before = errorSeconds {
      error.step(seconds: seconds - before, normals)
    } else {
      error.restart(normals)
    }
    errorSeconds = seconds
  }

  // MARK: Conclusions

  private mutating func take(isInside isNowInside: Bool, atSeconds seconds: Double) {
    guard let confirmed = confirm(isInside: isNowInside, atSeconds: seconds) else { return }
    if !isNowInside { endSilence(at: confirmed) }
    if isNowInside == (approach.options.event == .enter) { notify(confirmedSeconds: confirmed) }
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
    // A millionth of a second covers the rounding of times.
    guard count >= fixes, seconds - since >= hold - 1e-6 else { return nil }
    (self.isInside, waiting) = (isInside, nil)
    // If the position is known between fixes, a crossing is confirmed exactly when the hold ends.
    let isExact = approach.profile.test.at.value == .path && approach.intervalSeconds == 0
    return isExact && fixes == 1 ? since + hold : seconds
  }

  private mutating func endSilence(at seconds: Double) {
    guard let since = silentSinceSeconds else { return }
    silences.append(since...max(since, seconds))
    silentSinceSeconds = nil
  }

  /// Reports an entry into a circle that was just added, if the system replays an old belief.
  private mutating func reportFalsely(at seconds: Double, _ number: Int) {
    let share = approach.profile.faults.falseOnAddShare.value
    guard share > 0, approach.options.event == .enter else { return }
    random.go(to: Draw.faults + 1 << 30 + Int64(number))
    if random.uniform() < share { notify(confirmedSeconds: seconds) }
  }

  private mutating func notify(confirmedSeconds confirmed: Double) {
    let (options, delivery) = (approach.options, approach.profile.delivery)
    let faults = approach.profile.faults
    random.go(to: Draw.delivery + 2 * Int64(attempts.count))
    let isNever = random.uniform() < delivery.neverShare[options.surroundings].value
    let share = random.uniform()
    let told = endOfSilence(at: confirmed)
    let confirmedSeconds = told ?? confirmed
    guard !isNever, told != nil else {
      attempts.append(
        PhoneAttempt(
          story: story, confirmedSeconds: confirmedSeconds, seconds: nil, fromEdgeMeters: 0,
          isShown: false))
      return
    }
    let isAtRest = options.state != .ended && approach.path.isAtRest(atSeconds: confirmedSeconds)
    let delay = delivery.seconds[isAtRest ? .atRest : options.state].value.value(at: share)
    var seconds = confirmedSeconds + delay
    random.go(to: Draw.faults + 3 * Int64(attempts.count))
    if faults.lateShare.value > 0, random.uniform() < faults.lateShare.value {
      seconds += faults.lateSeconds.value.value(at: random.uniform())
    }
    let distance = (approach.path.point(atSeconds: seconds) - approach.center).length
    let attempt = PhoneAttempt(
      story: story, confirmedSeconds: confirmedSeconds, seconds: seconds,
      fromEdgeMeters: distance - approach.radiusMeters, isShown: true)
    attempts.append(attempt)
    guard faults.repeatedShare.value > 0 else { return }
    random.go(to: Draw.faults + 3 * Int64(attempts.count) - 1)
    if random.uniform() < faults.repeatedShare.value { attempts.append(attempt) }
  }

  /// When the app can be told of a crossing: at once, or at the end of a silence if the phone is
  /// still on that side; nil if it is not.
  private func endOfSilence(at seconds: Double) -> Double? {
    guard let silence = systemSilences.first(where: { $0.contains(seconds) }) else {
      return seconds
    }
    guard silence.upperBound < .infinity else { return nil }
    let meters =
      (approach.path.point(atSeconds: silence.upperBound) - approach.center).length
    let isInside = meters <= approach.radiusMeters
    return isInside == (approach.options.event == .enter) ? silence.upperBound : nil
  }
}

/// A position error that persists for a while.
///
/// A first-order Gauss-Markov process on two independent axes. After time t, the share exp(−t / τ)
/// of the error remains, and new noise keeps the standard deviation constant. Source: Gelb, Applied
/// Optimal Estimation, 1974, section 3.8.
package struct PositionError {
  /// The standard deviation of the error along each axis, in meters.
  package let sigmaMeters: Double
  /// The time after which 1/e of the error remains, in seconds; 0 for a new error at each step.
  package let correlationSeconds: Double
  /// The current error in meters, to the east and to the north.
  package private(set) var meters = SIMD2<Double>()
  private var lastStepSeconds = -1.0
  private var lastShare = 0.0

  /// Creates an error of 0; call ``restart(_:)`` before the first step.
  package init(sigmaMeters: Double, correlationSeconds: Double) {
    self.sigmaMeters = sigmaMeters
    self.correlationSeconds = correlationSeconds
  }

  /// Starts with a new error, from two numbers of the standard normal distribution.
  package mutating func restart(_ normals: SIMD2<Double>) { meters = sigmaMeters * normals }

  /// Lets the error drift for a time, with two new numbers of the standard normal distribution.
  package mutating func step(seconds: Double, _ normals: SIMD2<Double>) {
    if seconds != lastStepSeconds {
      lastStepSeconds = seconds
      lastShare =
        correlationSeconds > 0 ? Numerics.exponential(-seconds / correlationSeconds) : 0
    }
    let fresh = sigmaMeters * max(0, 1 - lastShare * lastShare).squareRoot()
    meters = lastShare * meters + fresh * normals
  }
}
