package import FencepostGeodesy

/// Simulates a phone along one path many times and counts what happened to each story.
///
/// Chance decides when a significant change is noticed, how wrong the position is, how late a
/// notification comes, and whether it comes at all. Every random number depends only on the seed,
/// the track, the story and the trial, never on other stories or the order of work.
package struct PhoneSimulation {
  package struct Options: Equatable, Sendable {
    /// The number of trials, from 1 to 2^32 − 1.
    package var trials: Int
    package var seed: UInt64
    package var surroundings: Surroundings
    /// The state of the app; a phone at rest counts as `.atRest` unless the app was ended.
    package var state: PhoneState
    package var event: CrossingSide

    package init(
      trials: Int = 200, seed: UInt64 = 1, surroundings: Surroundings = .residential,
      state: PhoneState = .background, event: CrossingSide = .enter
    ) {
      self.trials = trials
      self.seed = seed
      self.surroundings = surroundings
      self.state = state
      self.event = event
    }
  }

  let profile: PhoneProfile
  let options: Options
  let path: PhonePath
  let trackKey: UInt64

  /// Creates the simulation of one track; see ``subjectKey(_:)`` for `trackKey`.
  package init(profile: PhoneProfile, options: Options, path: PhonePath, trackKey: UInt64) {
    self.profile = profile
    self.options = options
    self.path = path
    self.trackKey = trackKey
  }

  /// Counts what happened to each story, in the order given.
  ///
  /// - Parameters:
  ///   - stories: The stories to simulate. Stories that the path never comes near can be omitted.
  ///   - monitored: Returns the indices of the stories watched after a lookup at a fix. Called at
  ///     most once per fix, and never if the profile has no limit on regions.
  ///   - shouldStop: Called before each trial. The first true ends the simulation.
  /// - Returns: One result per story.
  /// - Complexity: O(trials · (lookups · regions + positions near the stories)).
  package func chances(
    of stories: [PhoneStory], monitored: (_ fix: Int) -> [Int], shouldStop: () -> Bool = { false }
  ) -> [StoryChance] {
    var accounts = stories.map { _ in StoryChance() }
    guard path.count > 0 else { return accounts }
    let hasLimit = profile.limits.regions.value != .none
    var known: [Int: [Int]] = [:]
    func set(at fix: Int) -> [Int] {
      if let set = known[fix] { return set }
      let set = monitored(fix)
      known[fix] = set
      return set
    }
    let approaches = stories.map { StoryApproach($0, on: path, profile, options) }
    let (runs, times) = isCertain ? (1, options.trials) : (options.trials, 1)
    for trial in 0..<runs where !shouldStop() {
      let windows =
        hasLimit
        ? self.windows(refresh: refreshes(inTrial: trial), stories: stories.count, set)
        : stories.map { _ in [-Double.infinity...Double.infinity] }
      for (index, story) in stories.enumerated() {
        let result = approaches[index]?.run(
          windows[index],
          RandomSequence(seed: options.seed, subject: trackKey ^ story.key, trial: UInt32(trial)))
        switch result ?? .lost(.notEntered) {
        case .alert(let delay, let edge):
          let isBack = options.event == .enter ? edge > 0 : edge < 0
          accounts[index].addAlert(
            delaySeconds: delay, fromEdgeMeters: edge, isLate: delay > 0 && isBack, times: times)
        case .lost(let outcome): accounts[index].add(outcome, times: times)
        case .unmonitored(let fix):
          let isRefreshLate = !hasLimit || set(at: fix).contains(index)
          accounts[index].add(isRefreshLate ? .refresh : .limit, times: times)
        }
      }
    }
    return accounts
  }

  /// The largest distance in meters from a story's center at which any trial can alert.
  package func reachMeters(ofRadius radiusMeters: Double) -> Double {
    StoryApproach.reachMeters(ofRadius: radiusMeters, on: path, profile, options)
  }

  /// Whether all trials must be equal, so that one is enough.
  private var isCertain: Bool {
    let delivery = profile.delivery
    return profile.refresh.noticedBeyondMeters.value.isConstant
      && profile.position.intervalSeconds.value == 0
      && profile.position.sigmaMeters[options.surroundings].value == 0
      && [0, 1].contains(delivery.neverShare[options.surroundings].value)
      && delivery.seconds[options.state].value.isConstant
      && delivery.seconds[.atRest].value.isConstant
  }

  /// The first fix, and every fix at which the phone notices a significant change.
  private func refreshes(inTrial trial: Int) -> [Int] {
    var random = RandomSequence(seed: options.seed, subject: trackKey, trial: UInt32(trial))
    let refresh = profile.refresh
    func wantedMeters() -> Double {
      refresh.distanceMeters.value + refresh.noticedBeyondMeters.value.value(at: random.uniform())
    }
    var fixes = [0]
    var last = path.vertices[0]
    var meters = wantedMeters()
    for (index, vertex) in path.vertices.enumerated().dropFirst()
    where vertex.seconds - last.seconds >= refresh.leastIntervalSeconds.value
      && (vertex.point - last.point).squaredLength >= meters * meters
    {
      fixes.append(index)
      last = vertex
      meters = wantedMeters()
    }
    return fixes
  }

  /// The times at which each story is watched, sorted and merged where they touch.
  private func windows(
    refresh fixes: [Int], stories: Int, _ set: (Int) -> [Int]
  ) -> [[ClosedRange<Double>]] {
    var windows = [[ClosedRange<Double>]](repeating: [], count: stories)
    for (index, fix) in fixes.enumerated() {
      let from = index == 0 ? -Double.infinity : path.vertices[fix].seconds
      let to =
        index + 1 < fixes.count ? path.vertices[fixes[index + 1]].seconds : Double.infinity
      for story in set(fix) {
        if let last = windows[story].last, last.upperBound == from {
          windows[story][windows[story].count - 1] = last.lowerBound...to
        } else {
          windows[story].append(from...to)
        }
      }
    }
    return windows
  }
}

package enum CrossingSide: String, CaseIterable, Equatable, Sendable {
  case enter
  case exit
}

package struct PhoneStory: Equatable, Sendable {
  /// Identifies the story in the random numbers; see ``subjectKey(_:)``.
  package var key: UInt64
  package var coordinate: Coordinate
  package var radiusMeters: Double

  package init(key: UInt64, coordinate: Coordinate, radiusMeters: Double) {
    self.key = key
    self.coordinate = coordinate
    self.radiusMeters = radiusMeters
  }
}
