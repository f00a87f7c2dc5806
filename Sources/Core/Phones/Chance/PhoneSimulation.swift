/// Simulates a phone along one path many times and counts what happened to each story.
///
/// Chance decides when a significant change is noticed, how wrong the position is, how late a
/// notification comes, and whether it comes at all. Every random number depends only on the seed,
/// the track, the story and the trial, never on other stories or the order of work.
package struct PhoneSimulation {
  let profile: PhoneProfile
  let options: PhoneSimulationOptions
  let path: PhonePath
  let trackKey: UInt64

  /// Creates the simulation of one track; see ``subjectKey(_:)`` for `trackKey`.
  package init(
    profile: PhoneProfile, options: PhoneSimulationOptions, path: PhonePath, trackKey: UInt64
  ) {
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
  ///   - passages: The path past each story. Stories that it never comes near can be omitted.
  ///   - monitored: Returns the indices of the stories watched after a lookup at a fix. Called at
  ///     most once per fix, and never if the profile has no limit on regions.
  ///   - shouldStop: Called before each trial. The first true ends the simulation.
  ///   - applyRules: Marks the attempts of one of ``runs`` that the alert rules hold back. They
  ///     come by story, those of a story in order of time.
  ///   - onRun: Called after each run with the number of alerts shown.
  ///   - weight: What an alert of one of `passages`, given by its index, adds to that number.
  /// - Returns: One result per story.
  /// - Complexity: O(trials · (lookups · regions + positions near the stories)).
  package func chances(
    of passages: [StoryPassage], monitored: (_ fix: Int) -> [Int],
    shouldStop: () -> Bool = { false },
    applyRules: (_ run: Int, inout [PhoneAttempt]) -> Void = { _, _ in },
    onRun: (_ alerts: Int) -> Void = { _ in }, weight: (_ passage: Int) -> Int = { _ in 1 }
  ) -> [StoryChance] {
    var accounts = passages.map { _ in StoryChance() }
    guard path.count > 0 else { return accounts }
    let hasLimit = profile.limits.regions.value != .none
    var known: [Int: [Int]] = [:]
    func set(at fix: Int) -> [Int] {
      if let set = known[fix] { return set }
      let set = monitored(fix)
      known[fix] = set
      return set
    }
    let approaches = passages.map { StoryApproach($0, profile, options) }
    func account(
      _ story: Int, _ attempts: ArraySlice<PhoneAttempt>, _ windows: [ClosedRange<Double>],
      _ silences: [ClosedRange<Double>]
    ) -> TrialAccount {
      TrialAccount(approaches[story], attempts, windows, silences) { fix in
        !hasLimit || set(at: fix).contains(story)
      }
    }
    let (runs, times) = (self.runs, options.trials / self.runs)
    var windows = WatchTimes(stories: passages.count, hasLimit: hasLimit)
    var done = 0
    for run in 0..<runs where !shouldStop() {
      if hasLimit { windows.restart(at: refreshes(inTrial: run), on: path, set) }
      let systemSilences = self.silences(inTrial: run)
      var attempts: [PhoneAttempt] = []
      var silences: [[ClosedRange<Double>]] = []
      for story in windows.watched {
        let subject = trackKey ^ passages[story].story.key
        let trial = approaches[story].run(
          windows[story], story: story, silences: systemSilences,
          RandomSequence(seed: options.seed, subject: subject, trial: UInt32(run)))
        attempts += trial?.attempts ?? []
        silences.append(trial?.silences ?? [])
      }
      applyRules(run, &attempts)
      var (first, alerts) = (0, 0)
      for (story, silences) in zip(windows.watched, silences) {
        let end = attempts[first...].firstIndex { $0.story != story } ?? attempts.count
        let found = account(story, attempts[first..<end], windows[story], silences)
        accounts[story].add(found, times: times)
        alerts += found.shown * weight(story)
        first = end
      }
      onRun(alerts)
      done += 1
    }
    // A trial that never watches a story says the same about it each time.
    for story in passages.indices where accounts[story].runs.all < done * times {
      accounts[story].add(
        account(story, [], [], []), times: done * times - accounts[story].runs.all)
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
    let interval = refresh.leastIntervalSeconds.value
    var fixes = [0]
    var last = path.vertices[0]
    var meters = wantedMeters()
    var index = max(1, path.index(atSeconds: last.seconds + interval))
    while index < path.count {
      let vertex = path.vertices[index]
      if vertex.seconds - last.seconds >= interval,
        (vertex.point - last.point).squaredLength >= meters * meters
      {
        // A lookup that the system ignores leaves the circles as they were.
        if staleShare == 0 || random.uniform() >= staleShare { fixes.append(index) }
        last = vertex
        meters = wantedMeters()
        index = max(index + 1, path.index(atSeconds: last.seconds + interval))
      } else {
        index += 1
      }
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
  private static var faultDraw: Int64 { 1 << 33 }
}

/// How many trials to run, with which random numbers, and in which circumstances.
///
/// Equal options give equal results.
package struct PhoneSimulationOptions: Equatable, Sendable {
  /// The number of trials, from 1 to 2^32 − 1.
  package var trials: Int
  /// The seed of all random numbers.
  package var seed: UInt64
  /// Where the phone is, which determines how accurate its positions are.
  package var surroundings: Surroundings
  /// The state of the app; a phone at rest counts as `.atRest` unless the app was ended.
  package var state: PhoneState
  /// Whether entries or exits alert.
  package var event: CrossingSide

  /// Creates options; by default 200 trials of an app in the background, among houses.
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
