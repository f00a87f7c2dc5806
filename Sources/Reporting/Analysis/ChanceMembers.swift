package import FencepostAnalysis
import FencepostFormats
import FencepostMonitoring
import FencepostPhones

// Writes the lines about simulated phones, and reads those about all tracks back.

extension OutputBuffer {
  /// Appends a line for each story that did or should alert on a track, and one for the track.
  mutating func append(jsonLinesOf chances: TrackChances, _ track: String, _ stories: [Story]) {
    for one in chances.stories {
      append(chanceLine: "chance", chances.profile) {
        $0.member("track", track)
        $0.member("place", stories[one.story].id)
        $0.member("entered", one.isEntered)
        if one.isEntered {
          $0.members(of: one.chance)
        } else {
          $0.member("trials", one.chance.runs.all)
        }
        $0.member("extra", one.chance.runs.falseAlerts)
        $0.member("later", one.chance.runs.laterAlerts)
        $0.members(of: one.chance.shown)
      }
    }
    append(chanceLine: "chance-track", chances.profile) {
      $0.member("track", track)
      $0.member("timed", chances.isTimed)
      $0.member("entered", chances.entered)
      $0.member("heldBack", chances.heldBack)
      $0.member("trials", chances.trials)
      $0.member("alerts", chances.alerts.found)
      $0.member("possible", chances.alerts.all)
      $0.member("extra", chances.falseAlerts)
      $0.member("later", chances.laterAlerts)
      $0.member("mean", chances.meanAlerts, decimals: 6)
    }
  }

  /// Appends a line for each story with odds, each value left open, and the totals.
  mutating func append(jsonLinesOf totals: ProfileTotals, _ stories: [Story]) {
    for (story, odds) in totals.ordered {
      append(chanceLine: "chance-story", totals.name) {
        $0.member("place", stories[story].id)
        $0.members(of: odds)
        $0.member("delayBins", odds.chance.delaySeconds)
        $0.member("beyondBins", odds.chance.fromEdgeMeters)
      }
    }
    for doubt in totals.doubts {
      append(chanceLine: "chance-doubt", totals.name) {
        $0.member("value", doubt.name)
        $0.member("basis", doubt.basis)
        $0.member("low", doubt.low)
        $0.member("high", doubt.high)
        $0.members(of: doubt)
        $0.member("lowProbability", doubt.share(doubt.lowAlerts), decimals: 6)
        $0.member("probability", doubt.share(doubt.alerts), decimals: 6)
        $0.member("highProbability", doubt.share(doubt.highAlerts), decimals: 6)
      }
    }
    append(chanceLine: "chance-totals", totals.name) {
      $0.members(of: totals)
      $0.member("alertsPerPersonDay", totals.fatigue.mean, decimals: 4)
      $0.member("days", keyed: totals.daysByAlerts)
      $0.member("heldBack", totals.heldBack)
      $0.member("untimedTracks", totals.untimedTracks)
      $0.member("mean", totals.meanAlerts, decimals: 6)
    }
  }

  private mutating func append(
    chanceLine type: String, _ profile: String, _ members: (inout OutputBuffer) -> Void
  ) {
    appendLine {
      $0.member("type", type)
      $0.member("profile", profile)
      members(&$0)
    }
  }

  package mutating func members(of totals: ProfileTotals) {
    members(of: totals.all, totals)
    member("extraPerRun", totals.falseAlertsPerRun, decimals: 4)
    member("laterPerRun", totals.laterAlertsPerRun, decimals: 4)
  }

  mutating func members(of odds: StoryOdds, _ totals: ProfileTotals? = nil) {
    members(of: odds, StoryOdds.ofDue)
    members(of: odds.chance, totals)
    members(of: odds, StoryOdds.ofOthers)
    if totals == nil { members(of: odds.shown) }
  }

  /// Appends all alerts, the trials with at least one, and what both are of a phone.
  private mutating func members(of shown: ShownAlerts) {
    member("shown", shown.alerts)
    member("phones", shown.phones)
    member("simulations", shown.trials)
    member("mean", shown.mean, decimals: 6)
    member("share", shown.share, decimals: 6)
  }

  /// Appends the prediction for one story on one track.
  mutating func append(jsonLineOf prediction: StoryPrediction) {
    append(chanceLine: "prediction", prediction.profile.name) {
      $0.member("seed", Int(clamping: prediction.simulation.seed))
      $0.member("surroundings", prediction.simulation.surroundings.rawValue)
      $0.member("phoneState", prediction.simulation.state.rawValue)
      $0.member("entered", prediction.kind == .entered)
      $0.member("heldBack", prediction.kind == .heldBack)
      if prediction.chance.runs.all > 0 { $0.members(of: prediction.chance) }
      $0.member("betterRadius", prediction.remedy?.radiusMeters, decimals: 3)
      $0.member("remedy", (prediction.remedy?.change.nameAndMeters.name).map { "\($0)" })
      $0.array("tried", prediction.tried ?? []) { array, tried in
        array.appendObject {
          let (name, meters) = tried.change.nameAndMeters
          if let meters { $0.member(name, meters, decimals: 3) } else { $0.member(name, true) }
          $0.member("probability", tried.chance.probability, decimals: 6)
          $0.member("share", tried.chance.shown.share, decimals: 6)
        }
      }
    }
  }

  /// Appends what came of due alerts; with totals, the share of all of them and its interval.
  private mutating func members(of chance: StoryChance, _ totals: ProfileTotals? = nil) {
    let hasTrials = chance.trials > 0
    member("trials", chance.trials)
    member("alerts", chance[.alert])
    member("late", chance.runs.lateAlerts)
    member("runs", chance.runs.all)
    member("reached", chance.runs.reached)
    if let totals {
      member("probability", totals.probability, decimals: 6)
      member("interval", totals.byTrack.interval)
    } else {
      member("probability", chance.probability, decimals: 6)
      member("interval", hasTrials ? chance.alertInterval.range : nil)
    }
    object("lost") { lost in
      for outcome in StoryChance.losses { lost.member(named: outcome.name, chance[outcome]) }
    }
    object("shares") { shares in
      for outcome in [.alert] + StoryChance.losses {
        shares.key(named: outcome.name)
        shares.append(hasTrials ? chance.share(outcome) : .nan, decimals: 6)
      }
    }
    for (key, sketch) in [("delay", chance.delaySeconds), ("beyond", chance.fromEdgeMeters)]
      as [(StaticString, QuantileSketch)]
    {
      object(key) {
        $0.member("median", sketch.quantile(0.5), decimals: 1)
        $0.member("p90", sketch.quantile(0.9), decimals: 1)
      }
    }
  }
}

extension StoryPrediction.Tried.Change {
  /// The name of the change in documents, with its distance unless it has none.
  fileprivate var nameAndMeters: (name: StaticString, meters: Double?) {
    switch self {
    case .radius(let meters): ("radius", meters)
    case .moved(let meters): ("moved", meters)
    case .lookups(let meters): ("lookups", meters)
    case .alwaysWatched: ("alwaysWatched", nil)
    }
  }
}

extension DoubtEffect {
  /// What the value means to a reader; its name where no words are known.
  package var words: String {
    switch name {
    case "position.intervalSeconds": "how often the phone takes its position"
    case "refresh.distanceMeters": "how far it moves before it looks stories up"
    case "refresh.leastIntervalSeconds": "how often it looks stories up"
    case "refresh.noticedBeyondMeters": "how late it notices that it has moved"
    case "limits.leastRadiusMeters": "the smallest circle that it notices"
    case "confirmation.enterCushionMeters": "how far inside a circle it must be"
    case "confirmation.holdSeconds": "how long it waits before it alerts"
    default: name
    }
  }

  /// The share of the trials that so many alerts are; nil without trials.
  func share(_ alerts: Int) -> Double? { trials > 0 ? Double(alerts) / Double(trials) : nil }
}

// MARK: - Reading

extension StoryOdds {
  /// Reads a story's odds; fails for those of a version that counted one alert per walk.
  init(_ node: JSONNode) throws(JSONPathError) {
    guard try node.optionalMember("phones") != nil else {
      throw node.error(
        "an older version, which counted only the alerts that are due, made this analysis; "
          + "analyze its walks again")
    }
    self.init()
    try add(node)
    var counts = [TrialOutcome.alert: try node.integer("alerts")]
    let lost = try node.member("lost")
    for outcome in StoryChance.losses {
      counts[outcome] = try lost.optional(outcome.name, JSONNode.integer)
    }
    var runs = StoryChance.Runs()
    runs.all = try node.integer("runs")
    runs.reached = try node.integer("reached")
    runs.lateAlerts = try node.integer("late")
    shown = ShownAlerts(
      alerts: try node.integer("shown"), phones: try node.integer("phones"),
      trials: try node.integer("simulations"))
    chance = StoryChance(
      counts, runs, delaySeconds: try QuantileSketch(node.member("delayBins")),
      fromEdgeMeters: try QuantileSketch(node.member("beyondBins")))
  }
}

extension DoubtEffect {
  init(_ node: JSONNode) throws(JSONPathError) {
    self.init(
      name: try node.string("value"), basis: try node.string("basis"),
      low: try node.string("low"), high: try node.string("high"))
    try add(node)
  }
}

extension AnalysisTotals {
  /// Adds a line about the trials of a profile.
  ///
  /// Returns whether the line is about one track, so that the merged analysis keeps it.
  mutating func add(
    chance node: JSONNode, _ type: String, indexOf index: (String) -> Int?
  ) throws(JSONPathError) -> Bool {
    let name = try node.string("profile")
    if type == "chance-track" {
      let number = profile(named: name, trials: try node.integer("trials"))
      profiles[number].note(found: try node.integer("alerts"), of: try node.integer("possible"))
      profiles[number].add(
        heldBack: try node.integer("heldBack"),
        untimedTracks: try node.member("timed").boolean() ? 0 : 1)
      return true
    }
    guard let number = profiles.firstIndex(where: { $0.name == name }) else {
      throw node.error("no track was simulated on \(name)")
    }
    switch type {
    case "chance-story":
      let place = try node.member("place")
      guard let story = index(try place.string()) else { throw place.error("no story has this id") }
      profiles[number].add(try StoryOdds(node), of: story)
    case "chance-doubt": profiles[number].add(try DoubtEffect(node))
    default: profiles[number].add(daysByAlerts: try node.member("days").countsByNumber())
    }
    return false
  }
}
