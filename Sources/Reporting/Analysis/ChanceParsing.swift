import FencepostAnalysis
import FencepostFormats
import FencepostPhones

extension StoryOdds {
  /// Reads a story's odds; fails for those of a version that counted one alert per walk.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init()
    guard let due = try node.optionalMember("due") else {
      throw node.error(
        "an older version, which counted one alert per walk, made this analysis; "
          + "analyze its walks again")
    }
    self.due = try due.integer()
    tracks = try node.member("tracks").integer()
    var counts = [TrialOutcome.alert: try node.member("alerts").integer()]
    let lost = try node.member("lost")
    for outcome in StoryChance.losses {
      counts[outcome] = try lost.optionalMember(outcome.name)?.integer()
    }
    var runs = StoryChance.Runs()
    runs.all = try node.member("runs").integer()
    runs.reached = try node.member("reached").integer()
    runs.lateAlerts = try node.member("late").integer()
    chance = StoryChance(
      counts, runs,
      delaySeconds: try QuantileSketch(node.member("delayBins")),
      fromEdgeMeters: try QuantileSketch(node.member("beyondBins")))
    falseAlerts = try node.member("extra").integer()
    falseTracks = try node.member("extraTracks").integer()
    laterAlerts = try node.member("later").integer()
  }
}

extension QuantileSketch {
  init(_ node: JSONNode) throws(JSONPathError) {
    var bins: [Int] = []
    for count in try node.member("counts").elements() { bins.append(try count.integer()) }
    self.init(
      bins: bins, first: try node.member("first").integer(),
      thousandths: try node.member("thousandths").integer())
  }
}

extension DoubtEffect {
  /// Reads a `chance-doubt` line.
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(
      name: try node.member("value").string(), basis: try node.member("basis").string(),
      low: try node.member("low").string(), high: try node.member("high").string())
    trials = try node.member("trials").integer()
    lowAlerts = try node.member("lowAlerts").integer()
    alerts = try node.member("alerts").integer()
    highAlerts = try node.member("highAlerts").integer()
  }
}

extension AnalysisTotals {
  /// Adds a line about the trials of a profile.
  ///
  /// Returns whether the line is about one track, so that the merged analysis keeps it.
  mutating func take(
    chance node: JSONNode, _ type: String, indexOf index: (String) -> Int?
  ) throws(JSONPathError) -> Bool {
    let name = try node.member("profile").string()
    switch type {
    case "chance-track":
      let number = profile(named: name, trials: try node.member("trials").integer())
      profiles[number].note(
        found: try node.member("alerts").integer(), of: try node.member("possible").integer())
      profiles[number].add(
        heldBack: try node.member("heldBack").integer(),
        untimedTracks: try node.member("timed").boolean() ? 0 : 1)
      return true
    case "chance-story":
      let place = try node.member("place")
      guard let story = index(try place.string()) else {
        throw place.error("no story has this id")
      }
      profiles[try known(name, node)].add(try StoryOdds(node), of: story)
    case "chance-doubt": profiles[try known(name, node)].add(try DoubtEffect(node))
    case "chance-totals":
      profiles[try known(name, node)].add(
        daysByAlerts: try node.member("days").countsByNumber())
    default: break
    }
    return false
  }

  private func known(_ name: String, _ node: JSONNode) throws(JSONPathError) -> Int {
    guard let number = profiles.firstIndex(where: { $0.name == name }) else {
      throw node.error("no track was simulated on \(name)")
    }
    return number
  }
}
