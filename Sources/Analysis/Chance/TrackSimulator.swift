import Fencepost
import FencepostMonitoring
import FencepostPhones

/// Simulates an analysis's profiles on one track after another.
///
/// Simulates only stories near enough to the path, with lookups from the analysis's own source.
struct TrackSimulator {
  private let options: ChanceOptions
  private let index: StoryIndex
  private let source: any PlaceSource
  private let rank: MonitoringOptions.Rank
  private let doubts: [[ProfileDoubt]]

  init(
    _ options: ChanceOptions, _ index: StoryIndex, source: any PlaceSource,
    rule: MonitoringOptions
  ) {
    self.options = options
    self.index = index
    self.source = source
    rank = rule.effectiveRank
    doubts = options.profiles.map {
      options.measuresDoubts ? $0.doubts(in: options.simulation.surroundings) : []
    }
  }

  /// Simulates each profile on a track.
  func run(
    _ track: String, _ fixes: [PhonePath.Fix], crossed: [StoryVerdict], nearestMeters: [Double]
  ) -> [TrackChances] {
    let scene = Scene(
      path: PhonePath(fixes), fixes: fixes, trackKey: subjectKey(track), crossed: crossed,
      nearestMeters: nearestMeters)
    return options.profiles.indices.map { number in
      guard !fixes.isEmpty else {
        var chances = empty(options.profiles[number])
        chances.isTimed = false
        return chances
      }
      return run(options.profiles[number], doubts[number], scene)
    }
  }

  var profiles: [PhoneProfile] { options.profiles }

  var simulation: PhoneSimulation.Options { options.simulation }

  /// Simulates one story with a radius other than its own.
  func run(
    _ profile: PhoneProfile, story: Int, radiusMeters: Double, isEntered: Bool, _ track: String,
    _ fixes: [PhonePath.Fix]
  ) -> StoryChance {
    let simulation = PhoneSimulation(
      profile: profile, options: options.simulation, path: PhonePath(fixes),
      trackKey: subjectKey(track))
    var asked = phoneStory(story)
    asked.radiusMeters = radiusMeters
    let monitored = ranking(profile, [story], fixes)
    let chance = simulation.chances(of: [asked], monitored: monitored)[0]
    return isEntered ? settled(chance, story, profile) : chance
  }

  // MARK: One profile

  private struct Scene {
    let path: PhonePath
    let fixes: [PhonePath.Fix]
    let trackKey: UInt64
    /// The stories that alert if every place is watched.
    let entered: [Int]
    /// The stories for which the alert rules hold back every alert.
    let heldBack: [Int]
    let nearestMeters: [Double]

    init(
      path: PhonePath, fixes: [PhonePath.Fix], trackKey: UInt64, crossed: [StoryVerdict],
      nearestMeters: [Double]
    ) {
      self.path = path
      self.fixes = fixes
      self.trackKey = trackKey
      self.nearestMeters = nearestMeters
      entered = crossed.filter { $0.counts.oracleAlerts > 0 }.map(\.story)
      heldBack = crossed.filter { $0.counts.oracleAlerts == 0 && $0.counts.entries > 0 }
        .map(\.story)
    }
  }

  private func run(
    _ profile: PhoneProfile, _ doubts: [ProfileDoubt], _ scene: Scene
  ) -> TrackChances {
    let simulation = PhoneSimulation(
      profile: profile, options: options.simulation, path: scene.path, trackKey: scene.trackKey)
    let stories = storiesNear(scene, simulation)
    let chances = simulation.chances(
      of: stories.map { phoneStory($0) }, monitored: ranking(profile, stories, scene.fixes),
      shouldStop: { Task.isCancelled })
    let entered = Set(scene.entered)
    var result = empty(profile)
    result.heldBack = scene.heldBack.count
    for (story, chance) in zip(stories, chances) {
      if entered.contains(story) {
        result.stories.append(
          .init(story: story, isEntered: true, chance: settled(chance, story, profile)))
      } else if chance[.alert] > 0 {
        result.stories.append(.init(story: story, isEntered: false, chance: chance))
      }
    }
    result.doubts = effects(of: doubts, profile, scene)
    return result
  }

  /// Returns the entered stories, and those near enough to alert without an entry.
  private func storiesNear(_ scene: Scene, _ simulation: PhoneSimulation) -> [Int] {
    var wanted = Set(scene.entered)
    for (story, meters) in scene.nearestMeters.enumerated()
    where meters <= simulation.reachMeters(ofRadius: index.stories[story].radiusMeters) {
      wanted.insert(story)
    }
    wanted.subtract(scene.heldBack)
    return wanted.sorted()
  }

  private func empty(_ profile: PhoneProfile) -> TrackChances {
    TrackChances(profile: profile.name, trials: options.simulation.trials)
  }

  private func phoneStory(_ story: Int) -> PhoneStory {
    PhoneStory(
      key: subjectKey(index.stories[story].id), coordinate: index.stories[story].coordinate,
      radiusMeters: index.stories[story].radiusMeters)
  }

  /// Reclassifies trials of an entered story that never came inside.
  ///
  /// The simulated path lacks fixes without a time, so a stay between them takes no time.
  private func settled(
    _ chance: StoryChance, _ story: Int, _ profile: PhoneProfile
  ) -> StoryChance {
    let greatest = profile.limits.greatestRadiusMeters.value.value ?? .infinity
    var chance = chance
    chance.recount(
      .notEntered, as: index.stories[story].radiusMeters > greatest ? .limit : .shortStay)
    return chance
  }

  // MARK: Refreshes

  /// Returns a function that tells which of the stories a lookup at a fix would watch.
  private func ranking(
    _ profile: PhoneProfile, _ stories: [Int], _ fixes: [PhonePath.Fix]
  ) -> (Int) -> [Int] {
    let count = profile.limits.regions.value.value ?? 0
    let question: CandidateRequest.Question =
      rank == .center
      ? .nearestCenters(count: count) : .nearestEdges(count: count, exitMarginMeters: 0)
    var numbers: [Int64: Int] = [:]
    for (number, story) in stories.enumerated() { numbers[index.place(of: story).key] = number }
    return { fix in
      let request = CandidateRequest(question: question, coordinate: fixes[fix].coordinate)
      // If the store fails, the analysis of the track has already ended.
      guard case .found(let regions) = source.answer(request) else { return [] }
      return regions.compactMap { numbers[$0.key] }
    }
  }

  // MARK: Low and high values

  private func effects(
    of doubts: [ProfileDoubt], _ profile: PhoneProfile, _ scene: Scene
  ) -> [DoubtEffect] {
    guard !doubts.isEmpty else { return [] }
    let stories = scene.entered.map { phoneStory($0) }
    let monitored = ranking(profile, scene.entered, scene.fixes)
    var known: [Int: [Int]] = [:]
    func alerts(_ profile: PhoneProfile) -> Int {
      guard !stories.isEmpty else { return 0 }
      var simulation = options.simulation
      simulation.trials = options.doubtTrials
      return PhoneSimulation(
        profile: profile, options: simulation, path: scene.path, trackKey: scene.trackKey
      ).chances(of: stories) { fix in
        if let set = known[fix] { return set }
        let set = monitored(fix)
        known[fix] = set
        return set
      }.reduce(0) { $0 + $1[.alert] }
    }
    let base = alerts(profile)
    return doubts.map { doubt in
      var effect = DoubtEffect(doubt)
      effect.trials = stories.count * options.doubtTrials
      effect.alerts = base
      effect.lowAlerts = alerts(doubt.low)
      effect.highAlerts = alerts(doubt.high)
      return effect
    }
  }
}
