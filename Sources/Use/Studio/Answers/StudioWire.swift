#if Command
import FencepostSession
import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostReporting

/// Writes JSON for the studio's page; `studio-wire.js` reads it.
///
/// Rows have no names for their values, so a change here needs one there. The same code runs in the
/// program and in the engine of the page.
enum StudioWire {
  /// The bytes of a JSON object.
  static func object(_ members: (inout OutputBuffer) -> Void) -> [UInt8] {
    var output = OutputBuffer()
    output.appendObject(members)
    return Array(output.text.utf8)
  }

  /// What happens on the track that the page shows.
  ///
  /// Without a run, the track does not exist. `changed` compares its stories with the initial
  /// rules. The commands reproduce the answer in a terminal.
  static func answer(
    _ run: TrackRun?, of whatIf: WhatIf, _ setting: StudioSetting, question: StudioQuestion,
    score: StudioScore?, start: StudioScore?
  ) -> [UInt8] {
    object {
      $0.member("question", question.number)
      $0.member("track", question.track)
      $0.key("run")
      if let run { write(run, whatIf.stories, to: &$0) } else { $0.append("null") }
      $0.array("changed", changed(score?.byID ?? [:], start?.byID ?? [:])) { $0.append(row: $1) }
      $0.member("command", RuleArguments.quoted(RuleArguments.words(setting)))
      $0.member("chanceCommand", RuleArguments.quoted(RuleArguments.chanceWords(setting)))
    }
  }

  /// Appends a run as rows of numbers; stories are indexes into the list `stories` of IDs.
  private static func write(_ run: TrackRun, _ stories: StoryIndex, to output: inout OutputBuffer) {
    // The stories of the run, in the order in which they are first written.
    var (listed, numbers): ([Int], [Int: Int]) = ([], [:])
    func number(_ story: Int) -> Int {
      if let number = numbers[story] { return number }
      numbers[story] = listed.count
      listed.append(story)
      return listed.count - 1
    }
    output.appendObject {
      // The last value is the fix at which a late entry was noticed.
      $0.array("entries", run.entries) { output, entry in
        output.append(row: [
          .count(number(entry.story)), .count(entry.fix), .number(entry.fraction, decimals: 6),
          .instant(entry.timeMilliseconds),
          .number(entry.coordinate.latitudeDegrees, decimals: 7),
          .number(entry.coordinate.longitudeDegrees, decimals: 7), .text(entry.outcome),
          .text(entry.suppression?.rawValue ?? ""), .count(entry.foundFix ?? -1),
        ])
      }
      $0.array("edges", run.edges) { output, edge in
        output.append(row: [
          .count(number(edge.story)), .count(edge.fix), .number(edge.fraction, decimals: 6),
          .count(edge.isEntry ? 1 : 0),
        ])
      }
      // Infinite and unknown distances are null.
      $0.array("refreshes", run.refreshLog) { output, record in
        output.append(row: [
          .count(record.fix), .number(record.fraction, decimals: 6),
          .number(record.coordinate.latitudeDegrees, decimals: 7),
          .number(record.coordinate.longitudeDegrees, decimals: 7),
          .number(record.radiusMeters, decimals: 2), .number(record.reachMeters, decimals: 2),
          .number(record.nextMeters, decimals: 2), .count(record.hasFailed ? 1 : 0),
          .counts(record.added.map(number)), .counts(record.removed.map(number)),
        ])
      }
      $0.array("inside", run.insideAtStart) { $0.append(decimal: number($1)) }
      $0.array("breaks", run.breaks) { $0.append(decimal: $1) }
      $0.member("length", run.lengthMeters, decimals: 1)
      $0.member("certified", run.isCertified)
      $0.array("stories", listed) { $0.append(json: stories.stories[$1].id) }
    }
  }

  /// The combined result of all tracks processed so far.
  static func progress(
    _ scores: [StudioScore?], start: [StudioScore?], failures: [Int: String], isComplete: Bool
  ) -> [UInt8] {
    var (now, before): (StudioScore.Stories, StudioScore.Stories) = ([:], [:])
    for case (let score?, let start?) in zip(scores, start) {
      now.add(score.byID)
      before.add(start.byID)
    }
    return object {
      $0.member("done", scores.count { $0 != nil } + failures.count)
      $0.member("of", scores.count)
      $0.member("complete", isComplete)
      $0.array("tracks", zip(scores, start)) { write($1.0, $1.1, to: &$0) }
      $0.array("failures", failures.sorted { $0.key < $1.key }) { $0.append(json: $1.value) }
      $0.array("stories", changed(now, before)) { $0.append(row: $1) }
    }
  }

  /// ID, alerts, suppressed, late, missed, initial alerts, tracks with an alert, the track that
  /// shows best what happens, and the reason for suppression.
  private static func changed(
    _ now: StudioScore.Stories, _ before: StudioScore.Stories
  ) -> [[Cell]] {
    Set(now.keys).union(before.keys).sorted().map { id in
      let story = now[id] ?? .init(track: -1)
      let counts = [
        story.alerts, story.suppressed, story.late, story.missed, before[id]?.alerts ?? 0,
        story.tracks, story.track,
      ]
      return [.text(id)] + counts.map { .count($0) } + [.text(story.reason?.rawValue ?? "")]
    }
  }

  /// Entries, alerts, suppressed, late, missed, initial alerts, gained, lost; null if unknown.
  private static func write(
    _ score: StudioScore?, _ start: StudioScore?, to output: inout OutputBuffer
  ) {
    guard let score, let start else { return output.append("null") }
    let (gained, lost) = score.difference(from: start)
    let counts = score.counts
    output.append(row: [
      .count(counts.entries), .count(counts.alerts), .count(counts.suppressed.values.reduce(0, +)),
      .count(counts.late), .count(counts.missed), .count(start.counts.alerts), .count(gained),
      .count(lost),
    ])
  }
}

extension EntryRecord {
  /// The outcome of the entry, as the page names it.
  fileprivate var outcome: String {
    if isAlert { return "alert" }
    if suppression != nil { return "suppressed" }
    return cause == .late ? "late" : cause == .missed ? "missed" : "suppressed"
  }
}

extension StudioScore.Stories {
  /// Adds the results of another track.
  mutating func add(_ other: StudioScore.Stories) {
    for (id, story) in other { self[id] = self[id].map { $0 + story } ?? story }
  }
}
#endif
