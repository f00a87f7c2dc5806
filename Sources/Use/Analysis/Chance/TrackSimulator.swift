import FencepostSession
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostPhones

/// Simulates an analysis's profiles on one track after another.
///
/// Simulates only stories near enough to the path, with lookups from the analysis's own source, and
/// applies the alert rules to what each simulated phone reports.
struct TrackSimulator {
  private let options: ChanceOptions
  private let index: StoryIndex
  private let source: any PlaceSource
  private let rank: MonitoringOptions.Rank
  private let alerts: AlertOptions
  private let zone: ClockZone
  private let doubts: [[ProfileDoubt]]

  init(
    _ options: ChanceOptions, _ index: StoryIndex, source: any PlaceSource,
    session: TrackSessionOptions, zone: ClockZone = .utc
  ) {
    (self.options, self.index, self.source, self.zone) = (options, index, source, zone)
    alerts = session.alerts
    rank = session.monitoring.effectiveRank
    doubts = options.profiles.map {
      options.measuresDoubts ? $0.doubts(in: options.simulation.surroundings) : []
    }
  }

  var profiles: [PhoneProfile] { options.profiles }

  var simulation: PhoneSimulationOptions { options.simulation }

  /// Simulates each profile on a track of a person, whose earlier tracks are in `courses`.
  ///
  /// The alerts of each run are weighted by story.
  func run(
    _ scene: TrackScene, _ courses: inout [PhoneCourse], weight: (Int) -> Int = { _ in 1 }
  ) -> [TrackChances] {
    if courses.isEmpty { courses = profiles.map { _ in PhoneCourse() } }
    return profiles.indices.map { number in
      guard !scene.fixes.isEmpty else {
        var chances = TrackChances(
          profile: profiles[number].name, trials: options.simulation.trials)
        chances.isTimed = false
        return chances
      }
      let effects = effects(of: doubts[number], profiles[number], scene, courses[number])
      var chances = run(profiles[number], scene, &courses[number], weight)
      chances.doubts = effects
      return chances
    }
  }

  /// What a profile shows of one story on a track, in the same runs as those of an analysis.
  ///
  /// If the story is changed, only its circle differs: the stories around it and the random numbers
  /// stay the same.
  func chance(
    of story: Int, on scene: TrackScene, with profile: PhoneProfile, changed: Story? = nil
  ) -> StoryChance {
    var course = PhoneCourse()
    return run(profile, scene, &course, changing: changed.map { (story, $0) }).chance(of: story)
  }

  // MARK: One profile

  /// Simulates a profile on a track, where one story may have a circle that is not its own.
  private func run(
    _ profile: PhoneProfile, _ scene: TrackScene, _ course: inout PhoneCourse,
    changing changed: (number: Int, story: Story)? = nil, _ weight: (Int) -> Int = { _ in 1 }
  ) -> TrackChances {
    let simulation = simulation(of: profile, on: scene)
    var result = TrackChances(profile: profile.name, trials: options.simulation.trials)
    let stories = storiesNear(scene, simulation, besides: changed?.number)
    let runs = simulation.runs
    course.add(days: scene.days, runs: runs)
    let chances = simulation.chances(
      of: stories.map { story in
        let passage = scene.passage(story, in: index)
        guard let changed, changed.number == story else { return passage }
        var its = passage.story
        (its.coordinate, its.radiusMeters) = (changed.story.coordinate, changed.story.radiusMeters)
        return StoryPassage(its, on: scene.path)
      },
      monitored: ranking(profile, stories, scene),
      shouldStop: { Task.isCancelled }
    ) { run, attempts in
      applyRules(to: &attempts, of: stories, scene, &course, run: run, in: runs)
      for attempt in attempts where attempt.isShown {
        guard let seconds = attempt.seconds else { continue }
        let day = DayCounter.day(of: scene.milliseconds(atSeconds: seconds), in: zone)
        course.noteAlert(onDay: day, run: run, in: runs)
      }
    } onRun: {
      result.alertsByRun.append($0)
    } weight: {
      weight(stories[$0])
    }
    result.heldBack = scene.heldBack
    for (story, chance) in zip(stories, chances) {
      let isEntered = scene.due.contains(story)
      if isEntered || chance.runs.alerting > 0 {
        result.stories.append(.init(story: story, isEntered: isEntered, chance: chance))
      }
    }
    return result
  }

  /// Returns the stories with an entry, those near enough to alert without one, and one more.
  private func storiesNear(
    _ scene: TrackScene, _ simulation: PhoneSimulation, besides story: Int?
  ) -> [Int] {
    var wanted = Set(scene.entries.keys)
    if let story { wanted.insert(story) }
    for (story, meters) in scene.nearestMeters.enumerated()
    where meters <= simulation.reachMeters(ofRadius: index.stories[story].radiusMeters) {
      wanted.insert(story)
    }
    return wanted.sorted()
  }

  private func simulation(
    of profile: PhoneProfile, on scene: TrackScene, trials: Int? = nil
  ) -> PhoneSimulation {
    var options = options.simulation
    options.trials = trials ?? options.trials
    return PhoneSimulation(
      profile: profile, options: options, path: scene.path, trackKey: scene.key)
  }

  // MARK: The alert rules

  /// Marks what the alert rules hold back of what the app was told in one run.
  private func applyRules(
    to attempts: inout [PhoneAttempt], of stories: [Int], _ scene: TrackScene,
    _ course: inout PhoneCourse, run: Int, in runs: Int
  ) {
    var told = attempts.enumerated().compactMap { number, attempt in
      attempt.seconds.map { (attempt: number, milliseconds: scene.milliseconds(atSeconds: $0)) }
    }
    guard !told.isEmpty else { return }
    told.sort { ($0.milliseconds, $0.attempt) < ($1.milliseconds, $1.attempt) }
    var policy = AlertPolicy(options: alerts, state: course.takeMemory(of: run, in: runs))
    var first = 0
    while first < told.count {
      let time = told[first].milliseconds
      let end = told[first...].firstIndex { $0.milliseconds != time } ?? told.count
      if let limit = alerts.maxAlertSpeedMetersPerSecond,
        let driving = scene.lastFast(beforeMilliseconds: time, above: limit)
      {
        policy.observe(speedMetersPerSecond: .infinity, atMilliseconds: driving)
      }
      let decided = policy.decide(
        told[first..<end].map {
          AlertEntry(
            index.place(of: stories[attempts[$0.attempt].story]), timeMilliseconds: time,
            speedMetersPerSecond: scene.speed(atMilliseconds: time))
        })
      for (one, entry) in zip(told[first..<end], decided) where !entry.isAlert {
        attempts[one.attempt].isShown = false
      }
      first = end
    }
    course.keepMemory(policy.state, of: run)
  }

  // MARK: Refreshes

  /// Returns a function that tells which of the stories a lookup at a fix would watch.
  private func ranking(
    _ profile: PhoneProfile, _ stories: [Int], _ scene: TrackScene
  ) -> (Int) -> [Int] {
    let count = profile.limits.regions.value.value ?? 0
    let question = CandidateRequest.Question.nearest(
      count: count, rank: rank == .center ? .center : .edge(exitMarginMeters: 0))
    let numbers = Dictionary(uniqueKeysWithValues: zip(stories, 0...))
    return { fix in
      let lookup = TrackScene.Lookup(fix: fix, count: count)
      if let found = scene.found[lookup] { return found.compactMap { numbers[$0] } }
      let request = CandidateRequest(question: question, coordinate: scene.fixes[fix].coordinate)
      // If the store fails, the analysis of the track has already ended.
      guard case .found(let regions) = source.answer(request) else { return [] }
      let found = regions.compactMap { index.index(ofKey: $0.key) }
      scene.found[lookup] = found
      return found.compactMap { numbers[$0] }
    }
  }

  // MARK: Low and high values

  private func effects(
    of doubts: [ProfileDoubt], _ profile: PhoneProfile, _ scene: TrackScene, _ course: PhoneCourse
  ) -> [DoubtEffect] {
    guard !doubts.isEmpty else { return [] }
    let numbers = scene.due.sorted()
    let passages = numbers.map { scene.passage($0, in: index) }
    let monitored = ranking(profile, numbers, scene)
    func came(_ profile: PhoneProfile) -> (alerts: Int, all: Int) {
      guard !passages.isEmpty else { return (0, 0) }
      var course = course
      let simulation = simulation(of: profile, on: scene, trials: options.doubtTrials)
      let chances = simulation.chances(
        of: passages, monitored: monitored,
        applyRules: { run, attempts in
          applyRules(to: &attempts, of: numbers, scene, &course, run: run, in: simulation.runs)
        })
      return chances.reduce((0, 0)) { ($0.0 + $1[.alert], $0.1 + $1.trials) }
    }
    let base = came(profile)
    return doubts.map { doubt in
      var effect = DoubtEffect(doubt)
      (effect.alerts, effect.trials) = base
      effect.lowAlerts = came(doubt.low).alerts
      effect.highAlerts = came(doubt.high).alerts
      return effect
    }
  }
}

/// What carries over from one track of a person to the next on one simulated phone.
///
/// Each run of a track goes on with the memory of the run of the same number on the track before.
struct PhoneCourse {
  /// What the alert rules remember, by run; empty before the first track.
  private var memories: [AlertPolicy.State] = []
  /// The alerts that each run showed, by local day in days since 1970.
  private var alertsByDay: [Int: [UInt16]] = [:]

  /// The memory of a run, from which the run can go on.
  mutating func takeMemory(of run: Int, in runs: Int) -> AlertPolicy.State {
    if memories.count < runs {
      memories += Array(repeating: AlertPolicy.State(), count: runs - memories.count)
    }
    defer { memories[run] = AlertPolicy.State() }
    return memories[run]
  }

  mutating func keepMemory(_ memory: AlertPolicy.State, of run: Int) { memories[run] = memory }

  /// Counts the days of a track, on which there may be no alert.
  mutating func add(days: Set<Int>, runs: Int) {
    for day in days where alertsByDay[day] == nil {
      alertsByDay[day] = [UInt16](repeating: 0, count: runs)
    }
  }

  mutating func noteAlert(onDay day: Int, run: Int, in runs: Int) {
    // An alert may be shown after midnight, on a day without a fix.
    if alertsByDay[day] == nil { add(days: [day], runs: runs) }
    if let count = alertsByDay[day]?[run], count < .max { alertsByDay[day]?[run] = count + 1 }
  }

  /// The number of days, over all trials, with each number of alerts.
  func daysByAlerts(trials: Int) -> [Int: Int] {
    var days: [Int: Int] = [:]
    for counts in alertsByDay.values where !counts.isEmpty {
      for alerts in counts { days[Int(alerts), default: 0] += trials / counts.count }
    }
    return days
  }
}
