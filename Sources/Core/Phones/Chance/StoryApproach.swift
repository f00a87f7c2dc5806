import FencepostMonitoring

/// A path past one story as one phone sees it; a class, because a profile is expensive to copy.
final class StoryApproach {
  let profile: PhoneProfile
  let options: PhoneSimulationOptions
  let path: PhonePath
  let center: SIMD3<Double>
  let radiusMeters: Double
  let intervalSeconds: Double
  let sigmaMeters: Double
  /// The entries that alerts can belong to, in order of time.
  let entries: [PhoneEntry]
  /// The distances from the center at which the phone believes it enters and exits.
  private let edges: (enter: Double, exit: Double)
  private let passage: StoryPassage
  /// When the path is near enough for the phone to believe that it enters.
  private let near: [ClosedRange<Double>]
  /// When the path is so far inside that the phone cannot believe that it exits.
  private let deep: [ClosedRange<Double>]
  /// When the phone is really inside.
  private lazy var inside = passage.spans(within: radiusMeters)
  /// When the phone is within the circle as it notices it.
  private lazy var noticed = passage.spans(within: edges.enter)
  /// Whether the phone watches so large a circle.
  private let isWatchable: Bool

  init(
    _ passage: StoryPassage, _ profile: PhoneProfile, _ options: PhoneSimulationOptions
  ) {
    self.passage = passage
    self.profile = profile
    self.options = options
    (path, center) = (passage.path, passage.center)
    let story = passage.story
    radiusMeters = story.radiusMeters
    intervalSeconds = profile.position.intervalSeconds.value
    sigmaMeters = profile.position.sigmaMeters[options.surroundings].value
    edges = Self.edgesMeters(ofRadius: radiusMeters, profile)
    isWatchable =
      story.radiusMeters <= profile.limits.greatestRadiusMeters.value.value ?? .infinity
    let reach = Self.reachMeters(ofRadius: radiusMeters, on: path, profile, options)
    near = isWatchable ? passage.spans(within: reach) : []
    deep =
      intervalSeconds > 0 && !near.isEmpty
      ? passage.spans(within: edges.exit - 4 * sigmaMeters) : []
    entries =
      story.entries
      ?? Self.entries(of: passage.spans(within: radiusMeters), on: path, options.event)
  }

  /// The crossings of the path itself, except those at its ends.
  private static func entries(
    of inside: [ClosedRange<Double>], on path: PhonePath, _ event: CrossingSide
  ) -> [PhoneEntry] {
    guard let first = path.vertices.first, let last = path.vertices.last else { return [] }
    return inside.compactMap { stay in
      switch event {
      case .enter where stay.lowerBound > first.seconds:
        .init(seconds: stay.lowerBound, endSeconds: stay.upperBound, isDue: true)
      case .exit where stay.upperBound < last.seconds:
        .init(seconds: stay.upperBound, endSeconds: stay.upperBound, isDue: true)
      case .enter, .exit: nil
      }
    }
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

  /// The largest distance from the center, in meters, at which the phone can believe it is inside.
  static func reachMeters(
    ofRadius radiusMeters: Double, on path: PhonePath, _ profile: PhoneProfile,
    _ options: PhoneSimulationOptions
  ) -> Double {
    // Larger errors, beyond four standard deviations, affect one in 3,000 positions.
    edgesMeters(ofRadius: radiusMeters, profile).enter
      + 4 * profile.position.sigmaMeters[options.surroundings].value
      + (profile.test.accuracy.value == .intersects ? path.greatestAccuracyMeters : 0)
  }

  /// Simulates one trial in which the story is watched at certain times.
  ///
  /// During silences the phone tells the app nothing.
  func run(
    _ windows: [ClosedRange<Double>], story: Int, silences: [ClosedRange<Double>],
    _ random: RandomSequence
  ) -> PhoneTrial? {
    // A circle that is falsely reported when it is added need not be near.
    guard profile.faults.falseOnAddShare.value > 0 || windows.contains(where: isNear) else {
      return nil
    }
    var trial = PhoneTrial(approach: self, story: story, systemSilences: silences, random: random)
    trial.watch(windows)
    return trial
  }

  // MARK: Where positions matter

  func isNear(_ span: ClosedRange<Double>) -> Bool {
    firstNear(endingAtOrAfter: span.lowerBound).map { $0.lowerBound <= span.upperBound } ?? false
  }

  func firstNear(endingAtOrAfter seconds: Double) -> ClosedRange<Double>? {
    near.first(endingAtOrAfter: seconds)
  }

  /// When the next position can change anything; nil if one at this time can.
  ///
  /// `index` is that of the last fix at or before the time. Nothing is observed across a break.
  func nextDecisive(
    after seconds: Double, _ index: Int, isInside: Bool, isWaiting: Bool
  ) -> Double? {
    let vertices = path.vertices
    if index + 1 < vertices.count, !vertices[index + 1].isJoined,
      seconds > vertices[index].seconds
    {
      return vertices[index + 1].seconds
    }
    if isWaiting { return nil }
    if isInside {
      let span = deep.first(endingAtOrAfter: seconds)
      return span.flatMap { $0.contains(seconds) ? $0.upperBound : nil }
    }
    guard let span = near.first(endingAtOrAfter: seconds) else { return .infinity }
    return span.contains(seconds) ? nil : span.lowerBound
  }

  // MARK: Why no alert came

  /// Why an entry that was due brought no alert in a trial; the guide defines the order of reasons.
  ///
  /// `isInTime` says whether a lookup at a fix would have watched the story.
  func loss(
    of entry: PhoneEntry, _ windows: [ClosedRange<Double>],
    attempts: ArraySlice<PhoneAttempt>, silences: [ClosedRange<Double>],
    isInTime: (_ fix: Int) -> Bool
  ) -> TrialOutcome {
    let mine = attempts.lazy.filter { entry.mayOwn($0.seconds ?? $0.confirmedSeconds) }
    if mine.contains(where: { $0.seconds != nil && !$0.isShown }) { return .heldBack }
    guard isWatchable else { return .limit }
    let stay = stay(of: entry)
    let watching = windows.lazy.filter { $0.overlaps(stay) }
    let isWatched = watching.contains { !stay.clamped(to: $0).isPoint || stay.isPoint }
    guard isWatched else {
      return isInTime(path.index(atSeconds: entry.seconds)) ? .refresh : .limit
    }
    if mine.contains(where: { $0.seconds == nil }) { return .chance }
    let isSeenComing =
      watching.contains { $0.lowerBound < stay.lowerBound }
      && !silences.contains { $0.overlaps(stay) }
    guard options.event == .exit || isSeenComing else { return .refresh }
    guard edges.enter >= 0 else { return .smallRadius }
    if intervalSeconds == 0, profile.test.at.value == .fixes, !hasFix(in: stay) {
      return .shortStay
    }
    let around = noticed.lazy.filter { $0.overlaps(stay) }.max { $0.length < $1.length } ?? stay
    let needed =
      holdSeconds(options.event) + intervalSeconds * Double(profile.confirmation.fixes.value)
    if around.length < needed {
      let isTooSmall = straightThroughSeconds(around, within: edges.enter) < needed
      return isTooSmall ? .smallRadius : .shortStay
    }
    let longest = watching.map { around.clamped(to: $0).length }.max() ?? 0
    return longest < needed ? .refresh : .chance
  }

  /// The time in the circle that an entry belongs to.
  private func stay(of entry: PhoneEntry) -> ClosedRange<Double> {
    guard options.event == .exit else { return entry.seconds...entry.endSeconds }
    let left = inside.min {
      abs($0.upperBound - entry.seconds) < abs($1.upperBound - entry.seconds)
    }
    return min(left?.lowerBound ?? entry.seconds, entry.seconds)...entry.seconds
  }

  private func hasFix(in stay: ClosedRange<Double>) -> Bool {
    path.vertices[path.index(atSeconds: stay.upperBound)].seconds >= stay.lowerBound
  }

  /// The time to cross a circle through its center at the average speed of a passage.
  private func straightThroughSeconds(
    _ passage: ClosedRange<Double>, within radiusMeters: Double
  ) -> Double {
    var meters = 0.0
    var last = path.point(atSeconds: passage.lowerBound)
    let first = path.index(atSeconds: passage.lowerBound)
    for vertex in path.vertices[(first + 1)...] {
      guard vertex.seconds < passage.upperBound else { break }
      meters += (vertex.point - last).length
      last = vertex.point
    }
    meters += (path.point(atSeconds: passage.upperBound) - last).length
    return meters > 0 ? passage.length * 2 * radiusMeters / meters : .infinity
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
    let meters = (point - center + error.x * passage.east + error.y * passage.north).length
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
}

extension ClosedRange<Double> {
  fileprivate var length: Double { upperBound - lowerBound }
  fileprivate var isPoint: Bool { lowerBound == upperBound }
}

extension [ClosedRange<Double>] {
  /// The first of sorted spans that does not end before a time.
  fileprivate func first(endingAtOrAfter seconds: Double) -> ClosedRange<Double>? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound < seconds { low = middle + 1 } else { high = middle }
    }
    return low < count ? self[low] : nil
  }
}
