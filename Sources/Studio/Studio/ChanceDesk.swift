import FencepostMonitoring
import FencepostAnalysis
import FencepostPhones
import FencepostReporting

/// Simulates a phone along the studio's tracks, in the background: the track that the page shows first.
///
/// It answers a question a while after the verdicts do. A newer question ends the work on the older one.
actor ChanceDesk {
  private struct Work {
    let question: Int
    let trial: Trial
    let chance: ChanceOptions
    let tracks: [RecordedTrack]
    let shown: Int
    var found: [TrackChances?]
    var failures: [Int: String] = [:]

    var done: Int { found.count { $0 != nil } + failures.count }
    var isComplete: Bool { done == tracks.count }
  }

  private let jobs: Int
  private var work: Work?
  private var number = 0
  private var task: Task<Void, Never>?

  /// - Parameter jobs: How many tracks are simulated at a time.
  init(jobs: Int) {
    self.jobs = max(1, jobs)
  }

  /// Ends what is being simulated.
  func stop() {
    number += 1
    task?.cancel()
    task = nil
    work = nil
  }

  /// Begins to simulate a phone.
  func begin(
    _ question: StudioQuestion, _ trial: Trial, _ chance: ChanceOptions, on tracks: [RecordedTrack]
  ) {
    stop()
    let mine = number
    work = Work(
      question: question.number, trial: trial, chance: chance, tracks: tracks,
      shown: question.track, found: Array(repeating: nil, count: tracks.count))
    task = Task { await run(mine) }
  }

  private func run(_ mine: Int) async {
    guard let work else { return }
    let order = [work.shown] + work.tracks.indices.filter { $0 != work.shown }
    var waiting = order.filter { work.tracks.indices.contains($0) }[...]
    await withTaskGroup(of: (Int, Result<TrackChances?, TrackFailure>).self) { group in
      func launch() {
        guard mine == number, let track = waiting.popFirst() else { return }
        group.addTask {
          do throws(TrackFailure) {
            let chances = try work.trial.chances(on: work.tracks[track], work.chance)
            return (track, .success(chances?.first))
          } catch {
            return (track, .failure(error))
          }
        }
      }
      for _ in 0..<jobs { launch() }
      for await (track, result) in group {
        guard mine == number else { continue }
        switch result {
        case .success(let chances): self.work?.found[track] = chances
        case .failure(let error): self.work?.failures[track] = error.description
        }
        launch()
      }
    }
  }

  /// What is known so far, as soon as there is more, as JSON.
  func progress() async -> [UInt8] {
    let (mine, before) = (number, work?.done ?? 0)
    // Until there is much news, or for a while, so that the page need not ask often.
    for _ in 0..<Self.progressSteps where number == mine {
      guard let work, !work.isComplete else { break }
      if work.done >= before + max(1, work.tracks.count / 10) { break }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return encoded()
  }

  private static let progressSteps = 30

  private func encoded() -> [UInt8] {
    var output = OutputBuffer()
    output.appendObject { output in
      guard let work else { return output.member("question", -1) }
      output.member("question", work.question)
      output.member("track", work.shown)
      output.member("trials", work.chance.simulation.trials)
      output.member("done", work.done)
      output.member("of", work.tracks.count)
      output.member("complete", work.isComplete)
      output.array("failures", work.failures.sorted { $0.key < $1.key }) {
        $0.append(json: $1.value)
      }
      let shown = work.found.indices.contains(work.shown) ? work.found[work.shown] : nil
      output.member("untimed", work.found.count { $0?.isTimed == false })
      output.member("heldBack", work.found.reduce(0) { $0 + ($1?.heldBack ?? 0) })
      output.array("shown", shown?.stories ?? []) { write($1, work.trial.stories, to: &$0) }
      output.array("stories", sums(work.found)) { write($1, work.trial.stories, to: &$0) }
    }
    return Array(output.text.utf8)
  }

  /// The trials of each story over all tracks, ascending: those with an entry apart from those without.
  private func sums(_ found: [TrackChances?]) -> [TrackChances.StoryTrials] {
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

  /// Id, alerts, trials, whether there is an entry that would alert, the ends of the interval of the
  /// probability, and the words for what most of the rest is lost to.
  private func write(
    _ trials: TrackChances.StoryTrials, _ stories: StoryIndex, to output: inout OutputBuffer
  ) {
    let (chance, interval) = (trials.chance, trials.chance.alertInterval)
    output.append("[")
    output.append(json: stories.stories[trials.story].id)
    for number in [chance[.alert], chance.trials, trials.isEntered ? 1 : 0] {
      output.append(",")
      output.append(decimal: number)
    }
    for share in [interval.low, interval.high] {
      output.append(",")
      output.append(share, decimals: 4)
    }
    output.append(",")
    output.append(json: chance.mainLoss?.outcome.name ?? "")
    output.append("]")
  }
}
