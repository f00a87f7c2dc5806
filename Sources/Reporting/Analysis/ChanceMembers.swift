import FencepostMonitoring
package import FencepostAnalysis
import FencepostPhones

// Writes the JSON that describes simulated phones. `AnalysisMerger` reads it back.
extension OutputBuffer {
  /// Appends a line for each story that did or should alert on a track, and one for the track.
  mutating func append(jsonLinesOf chances: TrackChances, _ track: String, _ stories: [Story]) {
    for one in chances.stories {
      appendLine {
        $0.member("type", "chance")
        $0.member("profile", chances.profile)
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
      }
    }
    appendLine {
      $0.member("type", "chance-track")
      $0.member("profile", chances.profile)
      $0.member("track", track)
      $0.member("timed", chances.isTimed)
      $0.member("entered", chances.entered)
      $0.member("heldBack", chances.heldBack)
      $0.member("trials", chances.trials)
      $0.member("alerts", chances.alerts.found)
      $0.member("possible", chances.alerts.all)
      $0.member("extra", chances.falseAlerts)
      $0.member("later", chances.laterAlerts)
    }
  }

  /// Appends a line for each story with odds, each value left open, and the totals.
  mutating func append(jsonLinesOf totals: ProfileTotals, _ stories: [Story]) {
    for (story, odds) in totals.ordered {
      appendLine {
        $0.member("type", "chance-story")
        $0.member("profile", totals.name)
        $0.member("place", stories[story].id)
        $0.members(of: odds)
        $0.member("delayBins", odds.chance.delaySeconds)
        $0.member("beyondBins", odds.chance.fromEdgeMeters)
      }
    }
    for doubt in totals.doubts { append(jsonLineOf: doubt, totals.name) }
    appendLine {
      $0.member("type", "chance-totals")
      $0.member("profile", totals.name)
      $0.members(of: totals)
      $0.member("alertsPerPersonDay", totals.fatigue.mean, decimals: 4)
      $0.member("days", keyed: totals.daysByAlerts)
      $0.member("heldBack", totals.heldBack)
      $0.member("untimedTracks", totals.untimedTracks)
    }
  }

  private mutating func append(jsonLineOf doubt: DoubtEffect, _ profile: String) {
    func share(_ alerts: Int) -> Double? {
      doubt.trials > 0 ? Double(alerts) / Double(doubt.trials) : nil
    }
    appendLine {
      $0.member("type", "chance-doubt")
      $0.member("profile", profile)
      $0.member("value", doubt.name)
      $0.member("basis", doubt.basis)
      $0.member("low", doubt.low)
      $0.member("high", doubt.high)
      $0.member("trials", doubt.trials)
      $0.member("lowAlerts", doubt.lowAlerts)
      $0.member("alerts", doubt.alerts)
      $0.member("highAlerts", doubt.highAlerts)
      $0.member("lowProbability", share(doubt.lowAlerts), decimals: 6)
      $0.member("probability", share(doubt.alerts), decimals: 6)
      $0.member("highProbability", share(doubt.highAlerts), decimals: 6)
    }
  }

  package mutating func members(of totals: ProfileTotals) {
    members(of: totals.all, totals)
    member("extraPerRun", totals.falseAlertsPerRun, decimals: 4)
    member("laterPerRun", totals.laterAlertsPerRun, decimals: 4)
  }

  mutating func members(of odds: StoryOdds, _ totals: ProfileTotals? = nil) {
    member("tracks", odds.tracks)
    member("due", odds.due)
    members(of: odds.chance, totals)
    member("extra", odds.falseAlerts)
    member("extraTracks", odds.falseTracks)
    member("later", odds.laterAlerts)
  }

  /// Appends the prediction for one story on one track.
  mutating func append(jsonLineOf prediction: StoryPrediction) {
    appendLine {
      $0.member("type", "prediction")
      $0.member("profile", prediction.profile.name)
      $0.member("seed", Int(clamping: prediction.simulation.seed))
      $0.member("surroundings", prediction.simulation.surroundings.rawValue)
      $0.member("phoneState", prediction.simulation.state.rawValue)
      $0.member("entered", prediction.kind == .entered)
      $0.member("heldBack", prediction.kind == .heldBack)
      if prediction.chance.runs.all > 0 { $0.members(of: prediction.chance) }
      $0.member("betterRadius", prediction.remedy?.radiusMeters, decimals: 3)
      $0.member("remedy", prediction.remedy.map { Self.name(of: $0.change) })
      $0.array("tried", prediction.tried) { array, tried in
        array.appendObject {
          switch tried.change {
          case .radius(let meters): $0.member("radius", meters, decimals: 3)
          case .moved(let meters): $0.member("moved", meters, decimals: 3)
          case .lookups(let meters): $0.member("lookups", meters, decimals: 3)
          case .alwaysWatched: $0.member("alwaysWatched", true)
          }
          $0.member("probability", tried.chance.probability, decimals: 6)
        }
      }
    }
  }

  private static func name(of change: StoryPrediction.Tried.Change) -> String {
    switch change {
    case .radius: "radius"
    case .moved: "moved"
    case .lookups: "lookups"
    case .alwaysWatched: "alwaysWatched"
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
      let wilson = chance.alertInterval
      member("interval", hasTrials ? wilson.low...wilson.high : nil)
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
    object("delay") { $0.members(of: chance.delaySeconds) }
    object("beyond") { $0.members(of: chance.fromEdgeMeters) }
  }

  private mutating func members(of sketch: QuantileSketch) {
    member("median", sketch.quantile(0.5), decimals: 1)
    member("p90", sketch.quantile(0.9), decimals: 1)
  }

  private mutating func member(_ key: StaticString, _ interval: ClosedRange<Double>?) {
    self.key(key)
    guard let interval else { return append("null") }
    appendArray([interval.lowerBound, interval.upperBound]) { $0.append($1, decimals: 6) }
  }

  /// Appends the contents of a sketch, for merging.
  mutating func member(_ key: StaticString, _ sketch: QuantileSketch) {
    let kept = sketch.kept
    object(key) {
      $0.member("first", kept.first)
      $0.member("thousandths", kept.thousandths)
      $0.array("counts", kept.bins) { $0.append(decimal: $1) }
    }
  }

  /// Appends the simulated phones, a part of the settings.
  mutating func members(of chance: ChanceOptions) {
    array("profiles", chance.profiles) { array, profile in
      array.appendObject {
        $0.member("name", profile.name)
        $0.member("regions", profile.limits.regions.value.value)
        $0.member("refreshDistance", profile.refresh.distanceMeters.value, decimals: 3)
        // Profiles of the same name may differ.
        $0.member("digest", Self.digest(of: profile))
      }
    }
    member("trials", chance.simulation.trials)
    member("seed", Int(clamping: chance.simulation.seed))
    member("surroundings", chance.simulation.surroundings.rawValue)
    member("phoneState", chance.simulation.state.rawValue)
  }

  private static func digest(of profile: PhoneProfile) -> String {
    let digits = String(subjectKey(profile.json), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
