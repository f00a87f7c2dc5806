#if Command
import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones
import FencepostReporting

/// The probability of alerts on a simulated phone, for the studio's tracks simulated so far.
///
/// One step simulates one track, so that the page can show results as they come and drop them for a
/// newer question.
struct StudioChances {
  /// The number of the question, by which the page knows what the answer is about.
  let question: Int
  /// The index of the track that the page shows, which is simulated first.
  let shown: Int
  /// The places and rules that the phone is simulated with.
  let whatIf: WhatIf
  let options: ChanceOptions
  /// The results by track; nil for a track that is not simulated yet.
  var found: [TrackChances?]
  /// What a perfect phone makes of the tracks simulated so far.
  var scores: [StudioScore] = []
  /// Why tracks could not be simulated, by track.
  var failures: [Int: String] = [:]

  /// The track to simulate next: the shown one before the others; nil if none is left.
  var next: Int? {
    ([shown] + found.indices).first {
      found.indices.contains($0) && found[$0] == nil && failures[$0] == nil
    }
  }

  /// What phones show of each story on all tracks so far, and what became of its due alerts.
  var sums: [(story: Int, shown: ShownAlerts, chance: StoryChance)] {
    var sums: [(story: Int, shown: ShownAlerts, chance: StoryChance)] = []
    var indices: [Int: Int] = [:]
    for one in found.lazy.compactMap({ $0 }).flatMap({ $0.stories }) {
      let index = indices[one.story] ?? sums.count
      if index == sums.count {
        indices[one.story] = index
        sums.append((one.story, ShownAlerts(), StoryChance()))
      }
      sums[index].shown += one.chance.shown
      if one.isEntered { sums[index].chance.merge(one.chance) }
    }
    return sums
  }

  /// Appends the members of the answer: progress, the shown track's stories, and the sums of all.
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
    output.array("shown", stories) {
      $0.append(row: row($1.story, $1.chance.shown, $1.chance))
    }
    output.array("storyDots", stories) { $0.append(PhoneDots(phones: $1.chance)) }
    var due = StoryChance()
    for story in stories where story.isEntered { due.merge(story.chance) }
    output.key("dots")
    output.append(PhoneDots(alerts: due))
    let sums = sums
    let order = sums.indices.sorted { sums[$0].story < sums[$1].story }
    output.array("stories", order) {
      $0.append(row: row(sums[$1].story, sums[$1].shown, sums[$1].chance))
    }
  }

  /// One story's ID, alerts, phones that alert, trials, whether an alert is due, interval and main
  /// loss.
  private func row(_ story: Int, _ shown: ShownAlerts, _ chance: StoryChance) -> [Cell] {
    let interval = shown.interval
    return [
      .text(whatIf.stories.stories[story].id), .count(shown.alerts), .count(shown.phones),
      .count(shown.trials), .count(chance.trials > 0 ? 1 : 0),
      .number(interval.low, decimals: 4), .number(interval.high, decimals: 4),
      .text(chance.mainLoss?.outcome.name ?? ""),
    ]
  }
}
#endif
