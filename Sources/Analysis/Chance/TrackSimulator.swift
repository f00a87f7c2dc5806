import Fencepost
import FencepostMonitoring
public import FencepostPhones

/// Simulates the profiles of an analysis along one track after the other.
///
/// Only stories whose circle the path comes near enough to are simulated; the distances of the analysis say
/// which these are. What a refresh would monitor comes from the same source as the device's own refreshes.
struct TrackSimulator {
  private let options: ChanceOptions
  private let index: StoryIndex
  private let source: any PlaceSource
  private let rank: MonitoringOptions.Rank
  /// The open values of each profile.
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

  /// Simulates each profile along a track.
  ///
  /// - Parameters:
  ///   - track: The track's name.
  ///   - fixes: Its timed fixes.
  ///   - crossed: The verdicts on the stories that the path was inside of, ascending.
  ///   - nearestMeters: The distance of the path from each story's center.
  /// - Returns: The trials of each profile.
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

  /// The phones.
  var profiles: [PhoneProfile] { options.profiles }

  /// How they are simulated.
  var simulation: PhoneSimulation.Options { options.simulation }

  /// Simulates one story with some radius, as if the store had it so.
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

  /// A track, and what the analysis says of it.
  private struct Scene {
    let path: PhonePath
    let fixes: [PhonePath.Fix]
    let trackKey: UInt64
    /// The stories with an entry that alerts where every place is monitored.
    let entered: [Int]
    /// The stories that the policy held back at each entry.
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

  /// The stories that were entered, and those that the path comes near enough to for an alert without
  /// entering.
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

  /// The account of a story that was entered, for which not having been inside is no outcome.
  ///
  /// The phone's path lacks fixes without a time of their own: what was entered between such was entered for
  /// no time at all.
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

  /// Says which of some stories, by their numbers, a refresh at a fix monitors.
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
      // A store that fails has ended the analysis of the track before.
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

/// Collects the timed fixes of a track, along which a phone can be simulated.
struct PathRecorder {
  /// The fixes, each later than the one before.
  private(set) var fixes: [PhonePath.Fix] = []
  private var firstMilliseconds: Int64 = 0
  private var isBroken = false

  /// Takes the path's next vertex; one without time, or no later than the last, leaves the path as it is.
  mutating func take(_ point: PathPoint, isJoined: Bool) {
    isBroken = isBroken || !isJoined
    guard let time = point.timeMilliseconds else { return }
    if fixes.isEmpty { firstMilliseconds = time }
    let seconds = Double(time - firstMilliseconds) / 1000
    guard seconds > fixes.last?.seconds ?? -.infinity else { return }
    fixes.append(
      PhonePath.Fix(
        seconds: seconds, coordinate: point.coordinate,
        accuracyMeters: Double(point.accuracyMeters), isJoined: !isBroken))
    isBroken = false
  }
}

/// What a simulated phone makes of one story on one track, and whether another radius would help.
public struct StoryPrediction: Sendable {
  /// A radius and what the trials came to with it.
  public struct Radius: Equatable, Sendable {
    /// The radius in metres.
    public var meters: Double
    /// The trials.
    public var chance: StoryChance
  }

  /// Whether the path gives the phone an alert to make.
  public enum Case: Sendable {
    /// It enters, and the alert policy lets an alert through.
    case entered
    /// It enters, and the policy holds the story back each time.
    case heldBack
    /// It does not enter.
    case notEntered
    /// The track has no times, so that nothing can be simulated.
    case untimed
  }

  /// The phone.
  public var profile: PhoneProfile
  /// How it was simulated.
  public var simulation: PhoneSimulation.Options
  /// What the path gives it to do.
  public var kind: Case
  /// The trials with the story's own radius.
  public var chance: StoryChance
  /// The other radii that were simulated, ascending.
  public var tried: [Radius] = []

  /// The smallest of the other radii that brings a clear gain; nil if none does.
  ///
  /// A gain is clear if the intervals of both radii lie apart and at least a tenth of the phones is gained.
  /// Of radii with a clear gain, the smallest that is within a twentieth of the best counts.
  public var betterRadius: Radius? {
    let (now, high) = (chance.share(.alert), chance.alertInterval.high)
    let clear = tried.filter {
      $0.chance.share(.alert) >= now + 0.1 && $0.chance.alertInterval.low > high
    }
    let best = clear.map { $0.chance.share(.alert) }.max() ?? 0
    return clear.first { $0.chance.share(.alert) >= best - 0.05 }
  }

  /// The radii worth a trial in place of one, in metres.
  static func candidates(besides meters: Double) -> [Double] {
    [100, 150, 200, 250, 300, 400, 500].filter { $0 > meters }
  }
}

extension TrackSimulator {
  /// Simulates one story along a track with its own radius, and with others if that may help.
  func predictions(
    of story: Int, radiusMeters: Double, _ verdict: StoryVerdict, _ track: String,
    _ fixes: [PhonePath.Fix]
  ) -> [StoryPrediction] {
    profiles.map { profile in
      var prediction = StoryPrediction(
        profile: profile, simulation: simulation, kind: .entered, chance: StoryChance())
      guard !fixes.isEmpty else {
        prediction.kind = .untimed
        return prediction
      }
      guard verdict.counts.entries == 0 || verdict.counts.oracleAlerts > 0 else {
        prediction.kind = .heldBack
        return prediction
      }
      let isEntered = verdict.counts.oracleAlerts > 0
      func chance(_ meters: Double) -> StoryChance {
        run(
          profile, story: story, radiusMeters: meters, isEntered: isEntered, track, fixes)
      }
      prediction.kind = isEntered ? .entered : .notEntered
      prediction.chance = chance(radiusMeters)
      if prediction.chance.share(.alert) < 0.9 {
        prediction.tried = StoryPrediction.candidates(besides: radiusMeters)
          .map { .init(meters: $0, chance: chance($0)) }
      }
      return prediction
    }
  }
}
