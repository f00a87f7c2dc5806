import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones
import FencepostReporting

/// The probability of alerts on a simulated phone, for the studio's tracks simulated so far.
struct StudioChances {
  let question: Int
  let shown: Int
  let whatIf: WhatIf
  let options: ChanceOptions
  var found: [TrackChances?]
  var failures: [Int: String] = [:]

  /// The track to simulate next: the shown one before the others; nil if none is left.
  var next: Int? {
    ([shown] + found.indices).first {
      found.indices.contains($0) && found[$0] == nil && failures[$0] == nil
    }
  }

  /// The trials of each story over all tracks, ascending, with and without an entry separately.
  var sums: [TrackChances.StoryTrials] {
    struct Key: Hashable {
      let story: Int
      let isEntered: Bool
    }
    var sums: [Key: TrackChances.StoryTrials] = [:]
    for one in found.lazy.compactMap({ $0 }).flatMap({ $0.stories }) {
      let key = Key(story: one.story, isEntered: one.isEntered)
      if sums[key]?.chance.merge(one.chance) == nil { sums[key] = one }
    }
    return sums.values.sorted {
      ($0.story, $0.isEntered ? 0 : 1) < ($1.story, $1.isEntered ? 0 : 1)
    }
  }

  func write(to output: inout OutputBuffer) {
    output.member("question", question)
    output.member("track", shown)
    output.member("trials", options.simulation.trials)
    output.member("done", found.count { $0 != nil } + failures.count)
    output.member("of", found.count)
    output.member("complete", next == nil)
    output.array("failures", failures.sorted { $0.key < $1.key }) { $0.append(json: $1.value) }
    output.member("untimed", found.count { $0?.isTimed == false })
    output.member("heldBack", found.reduce(0) { $0 + ($1?.heldBack ?? 0) })
    let stories = found.indices.contains(shown) ? found[shown]?.stories ?? [] : []
    output.array("shown", stories) { $0.append(row: row($1)) }
    output.array("storyDots", stories) { $0.append(PhoneDots(phones: $1.chance)) }
    var due = StoryChance()
    for story in stories where story.isEntered { due.merge(story.chance) }
    output.key("dots")
    output.append(PhoneDots(alerts: due))
    output.array("stories", sums) { $0.append(row: row($1)) }
  }

  /// One story's ID, alerts, trials, whether an entry would alert, interval and main loss.
  private func row(_ trials: TrackChances.StoryTrials) -> [Cell] {
    let (chance, interval) = (trials.chance, trials.chance.alertInterval)
    let others = chance.runs.falseAlerts + chance.runs.laterAlerts
    return [
      .text(whatIf.stories.stories[trials.story].id),
      .count(trials.isEntered ? chance[.alert] : others),
      .count(trials.isEntered ? chance.trials : chance.runs.all),
      .count(trials.isEntered ? 1 : 0), .number(interval.low, decimals: 4),
      .number(interval.high, decimals: 4), .text(chance.mainLoss?.outcome.name ?? ""),
    ]
  }

  /// The chance of each entered story's alert, by track and ID.
  var thousandths: [[String: Int]] {
    found.map { found in
      var shares: [String: Int] = [:]
      for story in found?.stories ?? [] where story.isEntered {
        guard let share = story.chance.probability else { continue }
        shares[whatIf.stories.stories[story.story].id] = Int((share * 1000).rounded())
      }
      return shares
    }
  }
}
