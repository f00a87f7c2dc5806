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

  /// The number of different trials: 1 if all must be equal, so that one stands for all.
  package var runs: Int { isCertain ? 1 : options.trials }

  /// Counts what happened to each story, in the order given.
  ///
  /// - Parameters:
  ///   - stories: The stories to simulate. Stories that the path never comes near can be omitted.
  ///   - monitored: Returns the indices of the stories watched after a lookup at a fix. Called at
  ///     most once per fix, and never if the profile has no limit on regions.
  ///   - shouldStop: Called before each trial. The first true ends the simulation.
  ///   - applyRules: Marks the attempts of one of ``runs`` that the alert rules hold back. They
  ///     come by story, those of a story in order of time.
  ///   - onRun: Called after each run with the number of alerts that belong to an entry.
  /// - Returns: One result per story.
  /// - Complexity: O(trials · (lookups · regions + positions near the stories)).
  package func chances(
    of stories: [PhoneStory], monitored: (_ fix: Int) -> [Int], shouldStop: () -> Bool = { false },
    applyRules: (_ run: Int, inout [PhoneAttempt]) -> Void = { _, _ in },
    onRun: (_ alerts: Int) -> Void = { _ in }
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
    let always = [-Double.infinity...Double.infinity]
    for run in 0..<runs where !shouldStop() {
      let windows =
        hasLimit
        ? self.windows(refresh: refreshes(inTrial: run), stories: stories.count, set) : nil
      let systemSilences = self.silences(inTrial: run)
      var attempts: [PhoneAttempt] = []
      var silences: [[ClosedRange<Double>]] = []
      for (index, story) in stories.enumerated() {
        let trial = approaches[index].run(
          windows?[index] ?? always, story: index, silences: systemSilences,
          RandomSequence(seed: options.seed, subject: trackKey ^ story.key, trial: UInt32(run)))
        attempts += trial?.attempts ?? []
        silences.append(trial?.silences ?? [])
      }
      applyRules(run, &attempts)
      var (first, alerts) = (0, 0)
      for index in stories.indices {
        let end = attempts[first...].firstIndex { $0.story != index } ?? attempts.count
        let account = TrialAccount(
          approaches[index], attempts[first..<end], windows?[index] ?? always, silences[index]
        ) { fix in !hasLimit || set(at: fix).contains(index) }
        accounts[index].add(account, times: options.trials / runs)
        alerts += account.alerts.count + account.laterAlerts
        first = end
      }
      onRun(alerts)
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
      && delivery.seconds[.atRest].value.isConstant && profile.faults == PhoneProfile.Faults()
  }

  /// The first fix, and every fix at which the phone notices a significant change.
  private func refreshes(inTrial trial: Int) -> [Int] {
    var random = RandomSequence(seed: options.seed, subject: trackKey, trial: UInt32(trial))
    let refresh = profile.refresh
    func wantedMeters() -> Double {
      refresh.distanceMeters.value + refresh.noticedBeyondMeters.value.value(at: random.uniform())
    }
    let staleShare = profile.faults.staleLookupShare.value
    var fixes = [0]
    var last = path.vertices[0]
    var meters = wantedMeters()
    for (index, vertex) in path.vertices.enumerated().dropFirst()
    where vertex.seconds - last.seconds >= refresh.leastIntervalSeconds.value
      && (vertex.point - last.point).squaredLength >= meters * meters
    {
      // A lookup that the system ignores leaves the circles as they were.
      if staleShare == 0 || random.uniform() >= staleShare { fixes.append(index) }
      last = vertex
      meters = wantedMeters()
    }
    return fixes
  }

  /// When the system tells the app nothing, in order of time.
  private func silences(inTrial trial: Int) -> [ClosedRange<Double>] {
    let faults = profile.faults
    let (rate, deafShare) = (faults.silencesPerHour.value, faults.noRegionsShare.value)
    guard rate > 0 || deafShare > 0, let last = path.vertices.last else { return [] }
    var random = RandomSequence(seed: options.seed, subject: trackKey, trial: UInt32(trial))
    random.go(to: Self.faultDraw)
    if random.uniform() < deafShare { return [-Double.infinity...Double.infinity] }
    var silences: [ClosedRange<Double>] = []
    var seconds = path.vertices[0].seconds
    while rate > 0 {
      seconds -= Numerics.logarithm(random.uniform()) / rate * 3600
      guard seconds <= last.seconds else { break }
      let end = seconds + faults.silenceSeconds.value.value(at: random.uniform())
      silences.append(seconds...end)
      seconds = end
    }
    return silences
  }

  /// Where the random numbers of a track's silences begin.
  private static var faultDraw: Int { 1 << 33 }

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
