import Fencepost
import FencepostAnalysis
import FencepostNotifications

extension ExplanationWriter {
  /// What happened to the story, how near the walk came, and why: three sentences.
  ///
  /// With a simulated phone, they say what that phone does instead.
  package var sentences: [String] {
    if let prediction = explanation.predictions.first {
      return Array(PredictionSentences(prediction, explanation.alertsOn).lines.prefix(3))
    }
    return [happened, nearest, reason].filter { !$0.isEmpty }
  }

  private var name: String {
    explanation.story.title.isEmpty ? explanation.story.id : explanation.story.title
  }

  /// The entry that decided the verdict.
  private var deciding: EntryRecord? {
    switch explanation.verdict.verdict {
    case .alerted: explanation.entries.first { $0.isAlert }
    case .suppressed: explanation.entries.first { $0.suppression != nil }
    case .late: explanation.entries.first { $0.cause == .late }
    default: explanation.entries.first
    }
  }

  private func time(_ milliseconds: Int64?, fix: Int) -> String {
    milliseconds.map { "at \(local($0))" } ?? "at fix \(fix)"
  }

  // MARK: What happened

  private var happened: String {
    guard let entry = deciding else {
      switch explanation.verdict.verdict {
      case .insideAtStart:
        return "The walk began inside the circle of \(name), and never came in from outside."
      default:
        let isShort = !explanation.edges.isEmpty
        return isShort
          ? "The walk crossed the edge of \(name), but stayed too short a time to count."
          : "The walk never came into the circle of \(name)."
      }
    }
    let event =
      switch explanation.alertsOn {
      case .enter: "entered the circle of \(name)"
      case .exit: "left the circle of \(name)"
      case .dwell: "stayed in the circle of \(name)"
      }
    let start = "The walk \(event) \(time(entry.timeMilliseconds, fix: entry.fix))"
    switch explanation.verdict.verdict {
    case .alerted: return "\(start), and the phone alerted."
    case .suppressed:
      return "\(start), but the rules held the alert back (\(entry.suppression?.rawValue ?? ""))."
    case .late:
      let found = entry.foundFix.map { time(entry.foundMilliseconds, fix: $0) } ?? "later"
      return "\(start) unwatched, and a lookup \(found) found the phone already inside."
    default: return "\(start), but the phone was not watching it."
    }
  }

  // MARK: How near

  private var nearest: String {
    guard let approach = explanation.approach else { return "" }
    let radius = explanation.story.radiusMeters
    let edge = approach.distanceMeters - radius
    return "It came within \(ReportNumber.distance(approach.distanceMeters)) of the center "
      + "\(time(approach.timeMilliseconds, fix: approach.fix)), "
      + "\(ReportNumber.distance(abs(edge))) \(edge > 0 ? "outside" : "inside") the edge."
  }

  // MARK: Why

  private var reason: String {
    switch explanation.verdict.verdict {
    case .alerted: return "The circle was watched, and no rule held the alert back."
    case .suppressed: return refusal
    case .late, .missed: return ranking
    case .insideAtStart: return "A phone alerts when it comes in; see --initial enter."
    case .neverCrossed:
      guard explanation.edges.isEmpty else { return "See --hold, --confirm-fixes and --dwell." }
      let meters = explanation.approach?.distanceMeters.rounded(.up) ?? 0
      return "A radius of \(ReportNumber.distance(meters)) would have reached the walk."
    }
  }

  private var refusal: String {
    for how in explanation.explanations.compactMap({ $0 }) {
      guard let check = how.checks.first(where: { $0.outcome == .refused }) else { continue }
      let inputs = check.inputs.map { "\($0.name) \(text($0.value, local))" }
      return "The rule “\(check.rule.rawValue)” decided: \(inputs.joined(separator: ", "))."
    }
    return ""
  }

  private var ranking: String {
    guard let ranking = deciding?.atRefresh else {
      return "No lookup had put it among the watched circles."
    }
    return "At the last lookup it was number \(ranking.rank) by distance "
      + "(\(ReportNumber.distance(ranking.distanceMeters))), and the phone watched only "
      + "\(explanation.slots.map { "\($0)" } ?? "some")."
  }
}
