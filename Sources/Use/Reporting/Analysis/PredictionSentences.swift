import FencepostMonitoring
import FencepostNotifications
import FencepostSession
import FencepostAnalysis
import FencepostPhones

/// Explains to an editor what a simulated phone does with one story.
///
/// The terminal shows ``linesWithDots``, and the studio ``inShort`` beside its map. Shares are in
/// round words, because a simulation is not more certain than that.
struct PredictionSentences {
  let prediction: StoryPrediction
  private let trigger: AlertTrigger

  /// Prepares the sentences; the trigger is the kind of event that alerts.
  init(_ prediction: StoryPrediction, _ trigger: AlertTrigger) {
    (self.prediction, self.trigger) = (prediction, trigger)
  }

  private var chance: StoryChance { prediction.chance }

  /// All sentences, with final periods.
  ///
  /// Which ones depends on whether an alert is due: without one, they say how many phones alert
  /// anyway.
  var lines: [String] {
    switch prediction.kind {
    case .untimed: ["The walk has no times, so no phone can be simulated on it."]
    case .heldBack:
      [
        unexpected("The alert rules hold this story back on this walk, whatever the phone notices"),
        remedyIfAny, basis,
      ].filter { !$0.isEmpty }
    case .notEntered:
      [
        unexpected("Nobody \(trigger == .exit ? "leaves" : "enters") the circle on this walk"),
        remedyIfAny, basis,
      ].filter { !$0.isEmpty }
    case .entered: entered
    }
  }

  /// What happens, why, and what would help, for an entry; otherwise what happens.
  ///
  /// Without losses, the time and place of the alert stand in for the reasons.
  var inShort: [String] {
    guard prediction.kind == .entered else { return Array(lines.prefix(1)) }
    let why = chance[.alert] < chance.trials ? losses : arrival
    return [lines[0], why, advice].filter { !$0.isEmpty }
  }

  /// The lines, with 20 phones as dots after the first.
  var linesWithDots: [String] {
    var lines = lines
    if prediction.kind == .entered, let dots = PhoneDots(phones: chance) {
      lines.insert("\(dots.line) \(dots.sentence).", at: 1)
    }
    return lines
  }

  /// How many phones alert, when and where, what the others lost the alert to, and what would help.
  private var entered: [String] {
    let share = Self.capitalized(Self.phones(prediction.share))
    let losses = chance[.alert] < chance.trials ? losses : ""
    return ["\(share) would alert.", arrival, losses, advice, basis].filter { !$0.isEmpty }
  }

  /// What phones do where no alert is due.
  private func unexpected(_ none: String) -> String {
    guard chance.shown.phones > 0 else { return "\(none), and no simulated phone alerted." }
    return "\(none), but \(Self.phones(prediction.share)) alert anyway."
  }

  /// How the phones were simulated, with exact numbers for those who want them.
  private var basis: String {
    let shown = chance.shown
    let simulation = prediction.simulation
    let run = [
      ReportNumber.counted(chance.runs.all, "trial"), "seed \(simulation.seed)",
      simulation.surroundings.rawValue, simulation.state.rawValue,
    ].joined(separator: ", ")
    return "Simulated with the profile \(prediction.profile.name): \(run); "
      + "\(ReportNumber.phones(shown.share, of: shown.trials)) of them alerted "
      + "(\(ReportNumber.interval(shown.interval.range, of: shown.trials))), with "
      + "\(ReportNumber.mean(shown.mean)) alerts on average."
  }

  // MARK: When and where

  /// When and where alerts come; fewer than ten are too few to say.
  private var arrival: String {
    guard let delay = chance.delaySeconds.quantile(0.5),
      let edge = chance.fromEdgeMeters.quantile(0.5)
    else { return "" }
    guard chance[.alert] >= 10 else {
      return "Only \(ReportNumber.counted(chance[.alert], "alert")) came in "
        + "\(ReportNumber.counted(chance.runs.all, "trial")), too few to say when."
    }
    var text = "Typically the alert comes \(Self.moment(delay)), \(Self.place(edge))"
    if let late = chance.delaySeconds.quantile(0.9), late >= max(5, delay + 5) {
      text += "; 1 in 10 comes \(ReportNumber.duration(seconds: late)) after it or later"
    }
    text += "."
    if chance.runs.lateAlerts * 10 >= chance[.alert] {
      let share = Self.phones(Double(chance.runs.lateAlerts) / Double(chance[.alert]), of: "alerts")
      text += " \(Self.capitalized(share)) come after the phone has gone back over the edge."
    }
    return text
  }

  /// A delay in words; less than 5 s either way counts as none.
  private static func moment(_ seconds: Double) -> String {
    let words = ReportNumber.duration(seconds: abs(seconds))
    if seconds >= 5 { return "\(words) after the path crosses the edge" }
    if seconds <= -5 { return "\(words) before the path crosses the edge" }
    return "as the path crosses the edge"
  }

  /// Where the phone is when it notifies.
  private static func place(_ meters: Double) -> String {
    let words = ReportNumber.distance(abs(meters).rounded())
    if abs(meters) < 5 { return "right at the edge" }
    return "\(words) \(meters > 0 ? "outside" : "inside") the circle"
  }

  // MARK: What is lost

  /// Why the other phones did not alert, most frequent first.
  private var losses: String {
    let parts = chance.orderedLosses.map {
      "\(Self.words($0.outcome)) (\(ReportNumber.phones($0.share, of: chance.runs.all)))"
    }
    return "Reasons for no alert: \(parts.joined(separator: "; "))."
  }

  /// What an outcome means to an editor.
  private static func words(_ outcome: TrialOutcome) -> String {
    switch outcome {
    case .limit: "other stories are nearer, and the phone watches only so many"
    case .refresh:
      "the phone started watching too late, or thought it was already inside"
    case .smallRadius: "the circle is too small for the phone to notice in time"
    case .shortStay: "the path is inside for too short a time"
    case .chance: "bad luck"
    case .heldBack: "the alert rules held the alert back when it came"
    case .alert: outcome.name
    }
  }

  /// What would help a story that is not entered; nothing is said where no change does.
  private var remedyIfAny: String { prediction.remedy == nil ? "" : advice }

  // MARK: Words

  /// A share in round words that claim no precision, such as `about 7 of 10 phones`.
  ///
  /// Below 5 % and above 95 % it says fewer than 1 or more than 19 of 20.
  static func phones(_ share: Double, of things: String = "phones") -> String {
    if share <= 0 { return "hardly any of the \(things)" }
    if share < 0.05 { return "fewer than 1 of 20 \(things)" }
    if share > 0.95 { return "more than 19 of 20 \(things)" }
    let tenths = min(9, max(1, Int((share * 10).rounded())))
    return "about \(tenths) of 10 \(things)"
  }

  /// A text whose first letter is large if it is one of a to z.
  static func capitalized(_ text: String) -> String {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return text }
    return String(UnicodeScalar(first - 0x20)) + text.dropFirst()
  }
}

extension WilsonInterval { var range: ClosedRange<Double> { low...high } }
