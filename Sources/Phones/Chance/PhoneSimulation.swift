package import FencepostGeodesy

/// Runs a phone of a profile along one path many times, and counts what became of each story.
///
/// Chance decides when a significant change is noticed, where the phone believes that it is, how long a
/// notification takes and whether it comes at all. Each number that it draws depends on the seed, the
/// track, the story and the trial alone: neither the other stories nor the order of the work change it.
package struct PhoneSimulation {
  /// What is simulated.
  package struct Options: Equatable, Sendable {
    /// How often the path is run, 1 … 2^32 − 1.
    package var trials: Int
    /// What the random numbers are made from.
    package var seed: UInt64
    /// What surrounds the path.
    package var surroundings: Surroundings
    /// What the app is doing; where the phone lay still, it is at rest instead, unless the app was ended.
    package var state: PhoneState
    /// The crossing that notifies.
    package var event: CrossingSide

    /// Makes options.
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

  /// Makes the simulation of one track.
  ///
  /// - Parameters:
  ///   - profile: The phone.
  ///   - options: How often, and where.
  ///   - path: Where the phone was.
  ///   - trackKey: What stands for the track; see ``subjectKey(_:)``.
  package init(profile: PhoneProfile, options: Options, path: PhonePath, trackKey: UInt64) {
    self.profile = profile
    self.options = options
    self.path = path
    self.trackKey = trackKey
  }

  /// Counts what became of each story.
  ///
  /// - Parameters:
  ///   - stories: The stories to simulate. One that the path never comes near needs no entry.
  ///   - monitored: The indices of those stories that a refresh at a fix would monitor, given the fix's
  ///     index; asked at most once for each fix, and never if the profile has no limit of regions.
  ///   - shouldStop: Asked before each trial; once it is true, the trials that are left are not run.
  /// - Returns: An account for each story, in their order.
  /// - Complexity: O(trials · (refreshes · regions + positions near the stories)).
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

  /// How near the path must come to a story's center for any trial to alert, in metres.
  package func reachMeters(ofRadius radiusMeters: Double) -> Double {
    StoryApproach.reachMeters(ofRadius: radiusMeters, on: path, profile, options)
  }

  /// Whether no trial can differ from another, so that one stands for all.
  private var isCertain: Bool {
    let delivery = profile.delivery
    return profile.refresh.noticedBeyondMeters.value.isConstant
      && profile.position.intervalSeconds.value == 0
      && profile.position.sigmaMeters[options.surroundings].value == 0
      && [0, 1].contains(delivery.neverShare[options.surroundings].value)
      && delivery.seconds[options.state].value.isConstant
      && delivery.seconds[.atRest].value.isConstant
  }

  /// The fixes at which the phone refreshes in a trial: the first, and each that is noticed to be a
  /// significant change.
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

  /// The times at which each story is monitored, in order, joined where one set follows another.
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

/// The side to which a crossing leads.
package enum CrossingSide: String, CaseIterable, Equatable, Sendable {
  /// From outside to inside.
  case enter
  /// From inside to outside.
  case exit
}

/// A circle of a story.
package struct PhoneStory: Equatable, Sendable {
  /// What stands for the story in the random numbers; see ``subjectKey(_:)``.
  package var key: UInt64
  /// The center.
  package var coordinate: Coordinate
  /// The radius in metres.
  package var radiusMeters: Double

  /// Makes a story of its parts.
  package init(key: UInt64, coordinate: Coordinate, radiusMeters: Double) {
    self.key = key
    self.coordinate = coordinate
    self.radiusMeters = radiusMeters
  }
}
