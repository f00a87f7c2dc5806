import FencepostAnalysis
import FencepostMonitoring
import FencepostPhones
import FencepostReporting

/// The probability of alerts on a simulated phone, for the studio's tracks simulated so far.
struct StudioChances {
  let question: Int
  var shown: Int
  let trial: Trial
  let options: ChanceOptions
  let number: Int
  var found: [TrackChances?]
  var failures: [Int: String] = [:]

  var done: Int { found.count { $0 != nil } + failures.count }
  var isComplete: Bool { done == found.count }

  /// The trials of each story over all tracks, ascending, with and without an entry separately.
  var sums: [TrackChances.StoryTrials] {
    struct Key: Hashable {
      let story: Int
      let isEntered: Bool
    }
    var sums: [Key: TrackChances.StoryTrials] = [:]
    for one in found.lazy.compactMap({ $0 }).flatMap(\.stories) {
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
    output.member("done", done)
    output.member("of", found.count)
    output.member("complete", isComplete)
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
      .text(trial.stories.stories[trials.story].id),
      .count(trials.isEntered ? chance[.alert] : others),
      .count(trials.isEntered ? chance.trials : chance.runs.all),
      .count(trials.isEntered ? 1 : 0), .number(interval.low, decimals: 4),
      .number(interval.high, decimals: 4), .text(chance.mainLoss?.outcome.name ?? ""),
    ]
  }
}

extension StudioTrials {
  func stopChances() {
    chanceTask?.cancel()
    chances = nil
  }

  /// Simulates a question's phone in the background, beginning with the track that the page shows.
  func simulate(_ question: StudioQuestion) async throws(Refusal) {
    let (trial, options) = try await makeChanceTrial(question)
    guard let options else { throw Refusal(description: "no phone is chosen") }
    stopChances()
    simulations += 1
    let begun = StudioChances(
      question: question.number, shown: question.track, trial: trial, options: options,
      number: simulations, found: Array(repeating: nil, count: scene.tracks.count))
    chances = begun
    chanceTask = Task { await run(begun) }
  }

  private func run(_ begun: StudioChances) async {
    let (tracks, trial, options) = (scene.tracks, begun.trial, begun.options)
    let order = [begun.shown] + tracks.indices.filter { $0 != begun.shown }
    await work(on: order.filter { tracks.indices.contains($0) }) {
      chances?.number == begun.number
    } job: { track in
      return { () throws(TrackFailure) in try trial.chances(on: tracks[track], options)?.first }
    } take: { track, result in
      switch result {
      case .success(let found): chances?.found[track] = found
      case .failure(let failure): chances?.failures[track] = failure.description
      }
    }
  }

  /// The chances as JSON, as each track would show them; empty without a simulated phone.
  func chancesOfAllTracks() async -> [[UInt8]] {
    await chanceTask?.value
    guard var chances else { return [] }
    return scene.tracks.indices.map { track in
      chances.shown = track
      return StudioWire.object { chances.write(to: &$0) }
    }
  }

  /// The known chances as JSON, as soon as there are more.
  func chanceProgress() async -> [UInt8] {
    let mine = chances?.number
    await waitForNews(of: scene.tracks.count) {
      guard let chances, chances.number == mine, !chances.isComplete else { return nil }
      return chances.done
    }
    return StudioWire.object { output in
      if let chances { chances.write(to: &output) } else { output.member("question", -1) }
    }
  }
}
