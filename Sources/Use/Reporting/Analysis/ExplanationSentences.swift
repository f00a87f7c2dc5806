import FencepostSession
import FencepostAnalysis
package import FencepostNotifications

extension ExplanationWriter {
  /// A sentence, and the moment of the walk that it is about.
  ///
  /// The studio moves its map to the moment when the sentence is chosen.
  package struct Sentence: Equatable, Sendable {
    /// The words, with a final period.
    package var text: String
    /// The fix that ends the segment with the moment; nil for a sentence about the whole walk.
    package var fix: Int?
    /// The position along that segment, 0 to 1.
    package var fraction = 1.0
  }

  /// What happened to the story, why, and what would help.
  ///
  /// After an alert, the last sentence says how near the walk came instead. With a simulated phone,
  /// they say what that phone does.
  package var sentences: [Sentence] {
    let plain = [happened, reason, help].filter { !$0.text.isEmpty }
    guard let prediction = explanation.predictions.first else { return plain }
    let texts = PredictionSentences(prediction, explanation.alertsOn).inShort
    let moment = decidingMoment
    // Where no alert is due, the phone's own part is what happened, and the rest is as without it.
    let rest = prediction.kind == .entered ? [] : plain.dropFirst()
    return texts.map { Sentence(text: $0, fix: moment?.fix, fraction: moment?.fraction ?? 1) }
      + rest
  }

  private var name: String { explanation.story.name }

  /// The entry that decided the verdict.
  ///
  /// Nil if no entry decided it, as where the circle was never entered.
  private var deciding: EntryRecord? {
    switch explanation.verdict.verdict {
    case .alerted: explanation.entries.first { $0.isAlert }
    case .suppressed: explanation.entries.first { $0.suppression != nil }
    case .late: explanation.entries.first { $0.cause == .late }
    default: explanation.entries.first
    }
  }

  /// The moment of the deciding entry, or else of the nearest approach; nil without a path.
  private var decidingMoment: (fix: Int, fraction: Double)? {
    deciding.map { ($0.fix, $0.fraction) } ?? explanation.approach.map { ($0.fix, $0.fraction) }
  }

  /// A moment by its time or, on a walk without times, by the number of its fix.
  private func time(_ milliseconds: Int64?, fix: Int) -> String {
    milliseconds.map { "at \(local($0))" } ?? "at fix \(fix)"
  }

  // MARK: What happened

  private var happened: Sentence {
    Sentence(
      text: happening, fix: decidingMoment?.fix, fraction: decidingMoment?.fraction ?? 1)
  }

  /// What happened at the deciding entry, or why nothing decided.
  private var happening: String {
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
    case .suppressed: return "\(start), but the rules held the alert back."
    case .late:
      let found = entry.foundFix.map { time(entry.foundMilliseconds, fix: $0) } ?? "later"
      return "\(start) unwatched, and a lookup \(found) found the phone already inside."
    default: return "\(start), but the phone was not watching it."
    }
  }

  // MARK: Why

  private var reason: Sentence {
    switch explanation.verdict.verdict {
    case .alerted: Sentence(text: "The circle was watched, and no rule held the alert back.")
    case .suppressed: Sentence(text: refusal)
    case .late, .missed: ranking
    case .insideAtStart: Sentence(text: "A phone alerts when it comes in." + outdated)
    case .neverCrossed: nearest
    }
  }

  /// How near the walk came; empty if that is unknown.
  private var nearest: Sentence {
    guard let approach = explanation.approach else { return Sentence(text: "") }
    let edge = approach.distanceMeters - explanation.story.radiusMeters
    return Sentence(
      text: "It came within \(ReportNumber.distance(approach.distanceMeters)) of the center "
        + "\(time(approach.timeMilliseconds, fix: approach.fix)), "
        + "\(ReportNumber.distance(abs(edge))) \(edge > 0 ? "outside" : "inside") the edge."
        + outdated,
      fix: approach.fix, fraction: approach.fraction)
  }

  /// What else stands in the way of a story that no walk enters: its dates.
  ///
  /// It follows another sentence, so it begins with a space; empty if the dates include the walk.
  private var outdated: String {
    switch explanation.outdated {
    case .notPublished?: " The story was not published yet, either."
    case .expired?: " The story had expired, too."
    default: ""
    }
  }

  /// The alert rule that held an entry back, with the values that it compared.
  private var refusal: String {
    for how in explanation.explanations.compactMap({ $0 }) {
      guard let check = how.checks.first(where: { $0.outcome == .refused }) else { continue }
      let inputs = check.inputs.map { "\($0.name) \(text($0.value, local))" }
      let words = explanation.verdict.reason?.words ?? "a rule decided"
      return "\(PredictionSentences.capitalized(words)): "
        + "\(inputs.joined(separator: ", "))."
    }
    return ""
  }

  /// How many stories were nearer at the lookup before the entry.
  private var ranking: Sentence {
    guard let entry = deciding, let ranking = entry.atRefresh else {
      return Sentence(text: "No lookup had put it among the watched circles.")
    }
    let lookup = explanation.refreshes.last { $0.fix <= entry.fix }
    return Sentence(
      text: "At the last lookup it was number \(ranking.rank) by distance "
        + "(\(ReportNumber.distance(ranking.distanceMeters))), and the phone watched only "
        + "\(explanation.slots.map { "\($0)" } ?? "some").", fix: lookup?.fix)
  }

  // MARK: What would help

  /// What a user can change; after an alert, how near the walk came.
  private var help: Sentence {
    switch explanation.verdict.verdict {
    case .alerted: nearest
    case .suppressed: Sentence(text: explanation.verdict.reason?.help ?? "")
    case .late, .missed:
      Sentence(
        text: explanation.isAdaptive
          ? "Fewer circles at one spot would leave room to watch it."
          : "Adaptive lookups come before the path reaches an unwatched circle.")
    case .insideAtStart:
      Sentence(
        text: explanation.startMeters.map {
          "The walk begins \(ReportNumber.distance($0)) from the center. It enters only a smaller circle."
        } ?? "")
    case .neverCrossed:
      Sentence(
        text: explanation.edges.isEmpty
          ? "" : "The rules for what counts as an entry ask for a longer stay.")
    }
  }
}

extension SuppressionReason {
  /// The reason in everyday words, as the end of a sentence.
  package var words: String {
    switch self {
    case .notPublished: "the story was not published yet"
    case .expired: "the story had expired"
    case .quietHours: "it was during quiet hours"
    case .driving: "the reader was moving too fast"
    case .cooldown: "the story had already alerted recently"
    case .grouped: "another story at the same position alerted instead"
    case .budget: "no notification slot was free"
    }
  }

  /// What would let the alert come.
  fileprivate var help: String {
    switch self {
    case .notPublished, .expired: "With dates that include the walk, it would not be held back."
    case .quietHours: "Shorter quiet hours would let it alert."
    case .driving: "A higher speed limit would let it alert."
    case .cooldown: "A shorter wait between its alerts would let it alert again."
    case .grouped: "With an entry at another moment, it would alert by itself."
    case .budget: "Fewer alerts or reminders would leave it a slot."
    }
  }
}
