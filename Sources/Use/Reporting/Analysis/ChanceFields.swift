package import FencepostAnalysis
import FencepostFormats
import FencepostMonitoring
import FencepostPhones

// The lines about simulated phones, each as a table of its fields.

extension ShownAlerts: AnalysisRecord {
  /// All alerts, the trials with at least one, and what both are of a phone.
  static let fields: [AnalysisField<Self>] = [
    .value("shown", \.alerts),
    .value("phones", \.phones),
    .value("simulations", \.trials),
    .derived {
      $0.member("mean", $1.mean, decimals: 6)
      $0.member("share", $1.share, decimals: 6)
    },
  ]
}

/// What trials made of the due alerts of a story: the counts, and what follows from them.
extension StoryChance: AnalysisRecord {
  /// All fields of a line about one story.
  static let fields = counted + [estimate] + lost

  /// What came of due alerts.
  fileprivate static let counted: [AnalysisField<Self>] = [
    .derived { $0.member("trials", $1.trials) },
    .value("alerts", \.[.alert]),
    .value("late", \.runs.lateAlerts),
    .value("runs", \.runs.all),
    .value("reached", \.runs.reached),
  ]

  /// The share of trials that alert, and its 95 % interval after Wilson; `null` without trials.
  fileprivate static let estimate: AnalysisField<Self> = .derived {
    $0.member("probability", $1.probability, decimals: 6)
    $0.member("interval", $1.trials > 0 ? $1.alertInterval.range : nil)
  }

  /// What lost due alerts, and how late and how far off the others came.
  fileprivate static let lost: [AnalysisField<Self>] = [
    .counts("lost", of: losses, \.self),
    .derived { output, chance in
      output.object("shares") {
        for outcome in [.alert] + losses {
          $0.key(named: outcome.name)
          $0.append(chance.trials > 0 ? chance.share(outcome) : .nan, decimals: 6)
        }
      }
      output.member("delay", middle: chance.delaySeconds)
      output.member("beyond", middle: chance.fromEdgeMeters)
    },
  ]
}

extension OutputBuffer {
  /// Appends the median and the 90th percentile of a distribution.
  fileprivate mutating func member(_ key: StaticString, middle sketch: QuantileSketch) {
    object(key) {
      $0.member("median", sketch.quantile(0.5), decimals: 1)
      $0.member("p90", sketch.quantile(0.9), decimals: 1)
    }
  }
}

/// A story's trials over all tracks.
extension StoryOdds: AnalysisRecord {
  static let fields: [AnalysisField<Self>] =
    due + [.part(\.chance, StoryChance.fields)] + others + [.part(\.shown, ShownAlerts.fields)]

  fileprivate static let due: [AnalysisField<Self>] = [.sums(ofDue)]
  fileprivate static let others: [AnalysisField<Self>] = [.sums(ofOthers)]

  /// The fields of a line, which has the distributions too.
  fileprivate static let fieldsOfLine =
    fields + [
      .value("delayBins", \.chance.delaySeconds), .value("beyondBins", \.chance.fromEdgeMeters),
    ]

  /// Reads a line; fails for those of a version that counted one alert per walk.
  fileprivate init(_ node: JSONNode) throws(JSONPathError) {
    guard try node.optionalMember("phones") != nil else {
      throw node.error(
        "an older version, which counted only the alerts that are due, made this analysis; "
          + "analyze its walks again")
    }
    self.init()
    for field in Self.fieldsOfLine { try field.add(node, &self) }
  }
}

/// How the odds change with the low and the high value of an uncertain property of a phone.
extension DoubtEffect: AnalysisRecord {
  static let fields: [AnalysisField<Self>] = [
    .value("value", \.name), .value("basis", \.basis), .value("low", \.low), .value("high", \.high),
    .sums(counts),
    .derived {
      $0.member("lowProbability", $1.share($1.lowAlerts), decimals: 6)
      $0.member("probability", $1.share($1.alerts), decimals: 6)
      $0.member("highProbability", $1.share($1.highAlerts), decimals: 6)
    },
  ]

  /// The share of the trials that so many alerts are; nil without trials.
  func share(_ alerts: Int) -> Double? { trials > 0 ? Double(alerts) / Double(trials) : nil }
}

/// A profile's trials over all stories and tracks.
extension ProfileTotals: AnalysisRecord {
  /// The fields of the profile among the sums.
  static let fields: [AnalysisField<Self>] = [
    .derived {
      $0.member("profile", $1.name)
      $0.member("trials", $1.trials)
    },
    .value("byTrack", \.byTrack), withoutTrials, untimed,
  ]

  private static let withoutTrials: AnalysisField<Self> = .value("heldBack", \.heldBack)
  private static let untimed: AnalysisField<Self> = .value("untimedTracks", \.untimedTracks)

  /// The odds of all stories together, with the interval that the tracks leave.
  fileprivate static let odds: AnalysisField<Self> = .derived {
    $0.members(of: $1.all, StoryOdds.due)
    $0.members(of: $1.all.chance, StoryChance.counted)
    $0.member("probability", $1.probability, decimals: 6)
    $0.member("interval", $1.byTrack.interval)
    $0.members(of: $1.all.chance, StoryChance.lost)
    $0.members(of: $1.all, StoryOdds.others)
    $0.member("extraPerRun", $1.falseAlertsPerRun, decimals: 4)
    $0.member("laterPerRun", $1.laterAlertsPerRun, decimals: 4)
  }

  /// The fields of a line; other lines have the sums of the rest.
  fileprivate static let fieldsOfLine: [AnalysisField<Self>] = [
    odds,
    .derived { $0.member("alertsPerPersonDay", $1.fatigue.mean, decimals: 4) },
    .tally("days", \.daysByAlerts, by: .number),
    withoutTrials.onlyWritten,
    untimed.onlyWritten,
    .derived { $0.member("mean", $1.meanAlerts, decimals: 6) },
  ]
}

/// A line about all stories on one track.
private struct ChanceTrackLine: AnalysisRecord {
  var chances: TrackChances
  var alerts: Int
  var possible: Int

  init(_ chances: TrackChances) {
    self.chances = chances
    (alerts, possible) = chances.alerts
  }

  static let fields: [AnalysisField<Self>] = [
    .value("timed", \.chances.isTimed),
    .derived { $0.member("entered", $1.chances.entered) },
    .value("heldBack", \.chances.heldBack),
    .value("trials", \.chances.trials),
    .value("alerts", \.alerts),
    .value("possible", \.possible),
    .derived {
      $0.member("extra", $1.chances.falseAlerts)
      $0.member("later", $1.chances.laterAlerts)
      $0.member("mean", $1.chances.meanAlerts, decimals: 6)
    },
  ]
}

// MARK: - Lines

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
        $0.members(shownIn: one.chance)
      }
    }
    append(chanceLine: "chance-track", chances.profile) {
      $0.member("track", track)
      $0.members(of: ChanceTrackLine(chances))
    }
  }

  /// Appends a line for each story with odds, each value left open, and the totals.
  mutating func append(jsonLinesOf totals: ProfileTotals, _ stories: [Story]) {
    for (story, odds) in totals.ordered {
      append(chanceLine: "chance-story", totals.name) {
        $0.member("place", stories[story].id)
        $0.members(of: odds, StoryOdds.fieldsOfLine)
      }
    }
    for doubt in totals.doubts {
      append(chanceLine: "chance-doubt", totals.name) { $0.members(of: doubt) }
    }
    append(chanceLine: "chance-totals", totals.name) {
      $0.members(of: totals, ProfileTotals.fieldsOfLine)
    }
  }

  /// Appends a line about a profile; the closure appends what follows its name.
  private mutating func append(
    chanceLine type: String, _ profile: String, _ members: (inout OutputBuffer) -> Void
  ) {
    appendLine {
      $0.member("type", type)
      $0.member("profile", profile)
      members(&$0)
    }
  }

  /// Appends what phones show of a story on a track, due or not.
  private mutating func members(shownIn chance: StoryChance) {
    member("extra", chance.runs.falseAlerts)
    member("later", chance.runs.laterAlerts)
    members(of: chance.shown)
  }

  /// Appends the odds of all stories together, as in the line `chance-totals`.
  package mutating func members(ofOddsIn totals: ProfileTotals) {
    members(of: totals, [ProfileTotals.odds])
  }

  /// Appends the prediction for one story on one track.
  mutating func append(jsonLineOf prediction: StoryPrediction) {
    append(chanceLine: "prediction", prediction.profile.name) {
      $0.member("seed", Int(clamping: prediction.simulation.seed))
      $0.member("surroundings", prediction.simulation.surroundings.rawValue)
      $0.member("phoneState", prediction.simulation.state.rawValue)
      $0.member("entered", prediction.kind == .entered)
      $0.member("heldBack", prediction.kind == .heldBack)
      if prediction.chance.runs.all > 0 {
        $0.members(of: prediction.chance)
        $0.members(shownIn: prediction.chance)
      }
      $0.member("betterRadius", prediction.remedy?.radiusMeters, decimals: 3)
      $0.member("remedy", (prediction.remedy?.change.nameAndMeters.name).map { "\($0)" })
      $0.array("tried", prediction.tried ?? []) { array, tried in
        array.appendObject {
          let (name, meters) = tried.change.nameAndMeters
          if let meters { $0.member(name, meters, decimals: 3) } else { $0.member(name, true) }
          $0.member("probability", tried.chance.probability, decimals: 6)
          $0.member("mean", tried.chance.shown.mean, decimals: 6)
          $0.member("share", tried.chance.shown.share, decimals: 6)
        }
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

extension AnalysisTotals {
  /// Adds a line about the trials of a profile.
  ///
  /// Returns whether the line is about one track, so that the merged analysis keeps it.
  mutating func add(
    chance node: JSONNode, _ type: String, indexOf index: (String) -> Int?
  ) throws(JSONPathError) -> Bool {
    if type == "chance-track" {
      let number = try profile(node)
      var line = ChanceTrackLine(TrackChances(profile: profiles[number].name, trials: 0))
      try line.add(node)
      profiles[number].note(found: line.alerts, of: line.possible)
      profiles[number].heldBack += line.chances.heldBack
      profiles[number].untimedTracks += line.chances.isTimed ? 0 : 1
      return true
    }
    let name = try node.string("profile")
    guard let number = profiles.firstIndex(where: { $0.name == name }) else {
      throw node.error("no track was simulated on \(name)")
    }
    switch type {
    case "chance-story":
      let place = try node.member("place")
      guard let story = index(try place.string()) else { throw place.error("no story has this id") }
      profiles[number].add(try StoryOdds(node), of: story)
    case "chance-doubt":
      var doubt = DoubtEffect(name: "", basis: "", low: "", high: "")
      try doubt.add(node)
      profiles[number].add(doubt)
    default:
      for field in ProfileTotals.fieldsOfLine { try field.add(node, &profiles[number]) }
    }
    return false
  }
}

extension StoryChance: CaseCounts {
  subscript(count outcome: TrialOutcome) -> Int {
    get { self[outcome] }
    set { self[outcome] = newValue }
  }
}
