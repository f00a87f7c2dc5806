import FencepostSession
import FencepostAnalysis
import FencepostFormats
import FencepostGeodesy
import FencepostNotifications
import FencepostPhones
import FencepostTime

extension ExplanationWriter {
  /// Appends one JSON object per line: the verdict, and then what led to it.
  ///
  /// An `explanation` line comes first. Then come a `refresh` for each lookup, a `crossing` or
  /// `dwell` for each event at the circle, an `entry` with its `checks` by the alert rules, and a
  /// `prediction` for each simulated phone.
  package func writeNDJSON(to output: inout OutputBuffer) {
    output.appendLine {
      $0.member("type", "explanation")
      $0.member("track", explanation.account.track)
      $0.member("place", explanation.story.id)
      $0.member("title", explanation.story.title)
      $0.member("radius", explanation.story.radiusMeters, decimals: 3)
      $0.member("verdict", explanation.verdict.verdict.rawValue)
      $0.member("reason", explanation.verdict.reason?.rawValue)
      if let dates = explanation.dates { $0.member("dates", dates.text) }
      $0.member("inside", explanation.verdict.isInsideAtStart)
      $0.members(of: explanation.verdict.counts)
      if let approach = explanation.approach {
        $0.object("nearest") {
          $0.member("distance", approach.distanceMeters, decimals: 2)
          $0.member("fix", approach.fix)
          $0.member("time", jsonTime: approach.timeMilliseconds)
          $0.members(of: approach.coordinate)
        }
      }
    }
    for refresh in explanation.refreshes { write(refresh, to: &output) }
    for edge in explanation.edges { write(edge, to: &output) }
    for (entry, how) in zip(explanation.entries, explanation.explanations) {
      write(entry, how, to: &output)
    }
    for prediction in explanation.predictions { output.append(jsonLineOf: prediction) }
  }

  /// Appends a lookup: whether the story is watched from there on, and its rank.
  private func write(_ refresh: StoryExplanation.Refreshing, to output: inout OutputBuffer) {
    output.appendLine {
      $0.member("type", "refresh")
      $0.member("fix", refresh.fix)
      $0.member("time", jsonTime: refresh.timeMilliseconds)
      $0.members(of: refresh.coordinate)
      $0.member("monitored", refresh.isMonitored)
      if let ranking = refresh.ranking { $0.members(of: ranking) }
    }
  }

  /// Appends a crossing of the circle or a dwell, confirmed or not.
  private func write(_ edge: StoryExplanation.Edge, to output: inout OutputBuffer) {
    output.appendLine {
      if edge.kind == .dwell {
        $0.member("type", "dwell")
      } else {
        $0.member("type", "crossing")
        $0.member("enter", edge.kind == .enter)
      }
      $0.member("fix", edge.fix)
      $0.member("fraction", edge.fraction, decimals: Decimals.fraction)
      $0.member("time", jsonTime: edge.timeMilliseconds)
      $0.members(of: edge.coordinate)
      if edge.isAcrossBreak { $0.member("across", "break") }
      if explanation.showsCrossed { $0.member("crossed", jsonTime: edge.crossedMilliseconds) }
      if !edge.isConfirmed { $0.member("confirmed", false) }
    }
  }

  /// Appends an entry and what each alert rule said about it; values are text, times in UTC.
  private func write(
    _ entry: EntryRecord, _ how: AlertEntry?, to output: inout OutputBuffer
  ) {
    output.appendLine {
      $0.member("type", "entry")
      $0.member("place", explanation.story.id)
      $0.members(of: entry)
      $0.array("checks", how?.checks ?? []) { array, check in
        array.appendObject {
          $0.member("rule", check.rule.rawValue)
          $0.member("outcome", check.outcome.rawValue)
          for input in check.inputs {
            $0.key(named: input.name)
            $0.append(json: text(input.value, ClockZone.utc.text))
          }
        }
      }
    }
  }
}
