public import FencepostGeodesy

/// Runs a phone of a profile along one path many times, and counts what became of each story.
///
/// Chance decides when a significant change is noticed, where the phone believes that it is, how long a
/// notification takes and whether it comes at all. Each number that it draws depends on the seed, the
/// track, the story and the trial alone: neither the other stories nor the order of the work change it.
public struct PhoneSimulation {
  /// What is simulated.
  public struct Options: Equatable, Sendable {
    /// How often the path is run, 1 … 2^32 − 1.
    public var trials: Int
    /// What the random numbers are made from.
    public var seed: UInt64
    /// What surrounds the path.
    public var surroundings: Surroundings
    /// What the app is doing; where the phone lay still, it is at rest instead, unless the app was ended.
    public var state: PhoneState
    /// The crossing that notifies.
    public var event: CrossingSide

    /// Makes options.
    public init(
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
  public init(profile: PhoneProfile, options: Options, path: PhonePath, trackKey: UInt64) {
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
  public func chances(
    of stories: [PhoneStory], monitored: (_ fix: Int) -> [Int], shouldStop: () -> Bool = { false }
  ) -> [StoryChance] {
    guard path.count > 0 else { return stories.map { _ in StoryChance() } }
    var sets = MonitoredSets(limit: profile.limits.regions.value.value, stories: stories.count)
    var near: [Int: StoryApproach] = [:]
    for (index, story) in stories.enumerated() {
      near[index] = StoryApproach(story, on: path, profile, options)
    }
    var accounts = stories.map { _ in StoryChance() }
    let runs = isCertain ? 1 : options.trials
    for trial in 0..<runs where !shouldStop() {
      let windows = sets.windows(
        refresh: refreshes(inTrial: trial), on: path, monitored: monitored)
      for (index, story) in stories.enumerated() {
        let result = near[index]?.run(
          windows[index],
          RandomSequence(seed: options.seed, subject: trackKey ^ story.key, trial: UInt32(trial)))
        accounts[index].add(
          result ?? .lost(.notEntered), for: options.event, times: isCertain ? options.trials : 1,
          resolvingRefreshWith: { sets.isMonitored(index, at: $0, monitored: monitored) })
      }
    }
    return accounts
  }

  /// How near the path must come to a story's center for any trial to alert, in metres.
  public func reachMeters(ofRadius radiusMeters: Double) -> Double {
    StoryApproach.reachMeters(ofRadius: radiusMeters, on: path, profile, options)
  }

  /// Whether no trial can differ from another, so that one stands for all.
  var isCertain: Bool {
    let delivery = profile.delivery
    return profile.refresh.noticedBeyondMeters.value.isConstant
      && profile.position.intervalSeconds.value == 0
      && profile.position.sigmaMeters(in: options.surroundings).value == 0
      && [0, 1].contains(delivery.neverShare(in: options.surroundings).value)
      && delivery.seconds(in: options.state).value.isConstant
      && delivery.atRestSeconds.value.isConstant
  }

  /// The fixes at which the phone refreshes in a trial: the first, and each that is noticed to be a
  /// significant change.
  private func refreshes(inTrial trial: Int) -> [Int] {
    var random = RandomSequence(seed: options.seed, subject: trackKey, trial: UInt32(trial))
    let refresh = profile.refresh
    guard profile.limits.regions.value != .none else { return [0] }
    var fixes = [0]
    var last = path.vertices[0]
    func wanted(_ random: inout RandomSequence) -> Double {
      refresh.distanceMeters.value + refresh.noticedBeyondMeters.value.value(at: random.uniform())
    }
    var meters = wanted(&random)
    for (index, vertex) in path.vertices.enumerated().dropFirst()
    where vertex.seconds - last.seconds >= refresh.leastIntervalSeconds.value
      && (vertex.point - last.point).squaredLength >= meters * meters
    {
      fixes.append(index)
      last = vertex
      meters = wanted(&random)
    }
    return fixes
  }
}

/// The side to which a crossing leads.
public enum CrossingSide: String, CaseIterable, Equatable, Sendable {
  /// From outside to inside.
  case enter
  /// From inside to outside.
  case exit
}

/// A circle of a story.
public struct PhoneStory: Equatable, Sendable {
  /// What stands for the story in the random numbers; see ``subjectKey(_:)``.
  public var key: UInt64
  /// The center.
  public var coordinate: Coordinate
  /// The radius in metres.
  public var radiusMeters: Double

  /// Makes a story of its parts.
  public init(key: UInt64, coordinate: Coordinate, radiusMeters: Double) {
    self.key = key
    self.coordinate = coordinate
    self.radiusMeters = radiusMeters
  }
}

extension Distribution {
  /// Whether chance has no say.
  var isConstant: Bool { if case .constant = self { true } else { false } }
}

extension StoryChance {
  /// Adds the result of a trial.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - event: The crossing that notifies.
  ///   - times: How many trials it stands for.
  ///   - isMonitored: Whether a refresh at a fix would have monitored the story.
  fileprivate mutating func add(
    _ result: TrialResult, for event: CrossingSide, times: Int,
    resolvingRefreshWith isMonitored: (Int) -> Bool
  ) {
    switch result {
    case .alert(let delay, let edge):
      let isBack = event == .enter ? edge > 0 : edge < 0
      addAlert(
        delaySeconds: delay, fromEdgeMeters: edge, isLate: delay > 0 && isBack, times: times)
    case .lost(let outcome): add(outcome, times: times)
    case .unmonitored(let fix): add(isMonitored(fix) ? .refresh : .limit, times: times)
    }
  }
}
