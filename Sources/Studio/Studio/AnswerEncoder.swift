import FencepostAnalysis
import FencepostMonitoring
import FencepostPlaces
import FencepostReporting

/// Writes the answers to the studio's questions as JSON.
enum AnswerEncoder {
  /// What happens on the track that the page shows.
  static func run(
    _ run: TrackRun?, of trial: Trial, _ setting: StudioSetting, question: StudioQuestion,
    score: StudioScore? = nil, start: StudioScore? = nil
  ) -> [UInt8] {
    var output = OutputBuffer()
    output.appendObject {
      $0.member("question", question.number)
      $0.member("track", question.track)
      $0.key("run")
      if let run {
        var encoder = RunEncoder(run, stories: trial.stories)
        encoder.write(to: &$0)
      } else {
        $0.append("null")
      }
      $0.array("changed", changed(score, start)) { write($1, to: &$0) }
      $0.member("command", RuleArguments.quoted(RuleArguments.words(setting)))
      $0.member("chanceCommand", RuleArguments.quoted(RuleArguments.chanceWords(setting)))
    }
    return Array(output.text.utf8)
  }

  /// What became of a save: the places of the store, or the conflicts.
  static func save(_ outcome: EditOutcome, places: [Place]) -> [UInt8] {
    var output = OutputBuffer()
    output.appendObject {
      switch outcome {
      case .written(let count):
        $0.member("written", count)
        $0.array("stories", places) { $0.append(place: $1) }
      case .conflicts(let conflicts):
        $0.array("conflicts", conflicts) { output, conflict in
          output.appendObject {
            $0.member("id", conflict.edit.id)
            $0.key("stored")
            if let stored = conflict.stored { $0.append(place: stored) } else { $0.append("null") }
          }
        }
      }
    }
    return Array(output.text.utf8)
  }

  /// What all tracks amount to, as far as they have been followed.
  static func progress(
    _ scores: [StudioScore?], start: [StudioScore?], failures: [Int: String], isComplete: Bool
  ) -> [UInt8] {
    var output = OutputBuffer()
    var (now, before) = (Sums(), Sums())
    for (score, start) in zip(scores, start) {
      guard let score, let start else { continue }
      now.add(score)
      before.add(start)
    }
    output.appendObject {
      $0.member("done", scores.count { $0 != nil } + failures.count)
      $0.member("of", scores.count)
      $0.member("complete", isComplete)
      $0.array("tracks", zip(scores, start)) { write($1.0, $1.1, to: &$0) }
      $0.array("failures", failures.sorted { $0.key < $1.key }) { $0.append(json: $1.value) }
      $0.array("stories", changed(now.byID, before.byID)) { write($1, to: &$0) }
    }
    return Array(output.text.utf8)
  }

  private struct Sums {
    var byID: [String: StudioScore.Story] = [:]

    mutating func add(_ score: StudioScore) {
      for (id, story) in score.byID { byID[id, default: StudioScore.Story()] += story }
    }
  }

  /// What became of a story, and how often it alerted to begin with.
  private struct Row {
    var id: String
    var story: StudioScore.Story
    var startAlerts: Int
  }

  private static func changed(_ score: StudioScore?, _ start: StudioScore?) -> [Row] {
    changed(score?.byID ?? [:], start?.byID ?? [:])
  }

  private static func changed(
    _ now: [String: StudioScore.Story], _ before: [String: StudioScore.Story]
  ) -> [Row] {
    Set(now.keys).union(before.keys).sorted().map { id in
      Row(id: id, story: now[id] ?? .init(), startAlerts: before[id]?.alerts ?? 0)
    }
  }

  /// Id, alerts, held back, late, missed, alerts to begin with.
  private static func write(_ row: Row, to output: inout OutputBuffer) {
    output.append("[")
    output.append(json: row.id)
    let story = row.story
    for number in [
      story.alerts, story.suppressed, story.late, story.missed, row.startAlerts,
    ] {
      output.append(",")
      output.append(decimal: number)
    }
    output.append("]")
  }

  /// Entries, alerts, held back, late, missed, alerts to begin with, gained, lost; null if not known yet.
  private static func write(
    _ score: StudioScore?, _ start: StudioScore?, to output: inout OutputBuffer
  ) {
    guard let score, let start else { return output.append("null") }
    let (gained, lost) = score.difference(from: start)
    let counts = score.counts
    output.appendArray(
      [
        counts.entries, counts.alerts, counts.suppressed.values.reduce(0, +), counts.late,
        counts.missed, start.counts.alerts, gained, lost,
      ]
    ) { $0.append(decimal: $1) }
  }
}
