package import FencepostSession
package import FencepostAnalysis
import FencepostFixes
import FencepostFormats
import FencepostMonitoring
package import FencepostNotifications
import FencepostTime

extension TrackSummary {
  /// The summary in sentences, most important first, with times in UTC.
  package var sentences: [String] { sentences(in: .utc) }

  /// The summary in sentences, most important first, with times in a zone.
  ///
  /// Alerts, path and lookups are always there. Refused or late fixes, reminders and an early end
  /// have a sentence if there were any.
  package func sentences(in zone: ClockZone) -> [String] {
    var sentences = [notifications, path(in: zone)]
    if !rejected.isEmpty {
      let total = rejected.values.reduce(0, +)
      sentences.append(
        "\(counted(total, "fix")) rejected: \(ReportNumber.list(rejected, isGrouped: false))"
      )
    }
    if let lateness, lateness.count > 0 {
      let count = counted(lateness.count, "fix")
      let most = ReportNumber.text(lateness.greatestSeconds, decimals: 1) + " s"
      sentences.append("\(count) came too late to be put in order, by up to \(most)")
    }
    sentences.append(monitoring)
    if let budget { sentences += [budget.sentence] + budget.displacementSentences }
    if let error { sentences.append("Ended early: \(error)") }
    return sentences
  }

  /// How many alerts came from how many entries or exits, and how many were held back.
  private var notifications: String {
    var text = counted(alerts, "alert")
    text += " from \(counted(causes.count, causes.noun))"
    if let dwells, dwells > 0 { text += " and \(counted(dwells, "dwell"))" }
    if !suppressed.isEmpty {
      let total = suppressed.values.reduce(0, +)
      text += "; \(total) held back: \(ReportNumber.list(suppressed, isGrouped: false))"
    }
    return text
  }

  /// The entries, or the exits where these alert.
  ///
  /// With the noun to count them by.
  package var causes: (count: Int, noun: String) {
    alertsOn == .exit ? (exits, "exit") : (enters, "entry")
  }

  /// How many fixes, how far and when.
  private func path(in zone: ClockZone) -> String {
    var text = counted(fixes, "fix")
    text += " in \(counted(segments, "segment"))"
    text += ", \(ReportNumber.fullDistance(lengthMeters))"
    if let first = TextInstant(firstMilliseconds, in: zone),
      let last = TextInstant(lastMilliseconds, in: zone)
    {
      let end = first.date == last.date ? last.time : "\(last.date) \(last.time)"
      // Clocks may change on the way.
      let change = first.offset == last.offset ? "" : " \(first.offset)"
      text += ", \(first.date) \(first.time)\(change) to \(end) \(last.offset)"
    } else if fixes > 0 {
      text += ", without times"
    }
    return text
  }

  /// How many lookups there were, and whether anything can have been missed.
  private var monitoring: String {
    var text = counted(refreshes, "lookup")
    if let neverMonitored { text += "; \(counted(neverMonitored, "story")) never watched" }
    if certified == true {
      text += "; certified: no unwatched circle was ever within reach"
    } else if certified == false {
      text += "; not certified along \(ReportNumber.fullDistance(uncertifiedMeters))"
      text += " in \(counted(uncertified.count, "stretch"))"
    }
    return text
  }
}

/// An instant as text on the clock of a zone, in parts.
///
/// Headings show the date and the offset, and rows only the time.
struct TextInstant {
  /// A date such as `2026-03-04`.
  let date: String
  /// A time such as `17:00:12`, rounded down.
  let time: String
  /// The UTC offset, such as `-05:00`, or `UTC`.
  let offset: String

  /// Returns nil without a time.
  init?(_ milliseconds: Int64?, in zone: ClockZone) {
    guard let milliseconds else { return nil }
    let seconds = zone.offsetSeconds(atMilliseconds: milliseconds)
    let local = ISO8601.string(milliseconds: milliseconds + seconds * 1000)
    let parts = local.split(separator: "T")
    guard parts.count == 2 else { return nil }
    self.date = String(parts[0])
    self.time = String(parts[1].prefix(8))
    offset = seconds == 0 ? "UTC" : ClockZone(offsetSeconds: Int(seconds)).identifier
  }
}

/// A count with plain digits and its noun, such as `1812 fixes`.
func counted(_ value: Int, _ noun: String, _ plural: String? = nil) -> String {
  ReportNumber.counted(value, noun, plural, isGrouped: false)
}

/// A track that lost more fixes than it kept.
///
/// Void fixes, duplicates, unreadable times (if their fixes are kept) and fixes that were not wanted
/// are not losses.
package struct FixLoss: Equatable, Sendable {
  /// The reasons that do not count as a loss.
  package static let harmlessReasons: Set<String> = ["void", "duplicate", "time", "inaccurate"]

  /// The name of the track, with the device if there is one.
  package let track: String
  /// The number of fixes that count.
  package let accepted: Int
  /// The number of lost fixes by reason, without harmless reasons.
  package let lost: [String: Int]

  /// Returns nil if the track kept at least as many fixes as it lost.
  ///
  /// `rejected` counts fixes by reason. `keepsUntimed` says whether fixes with unreadable times are
  /// kept, without a time.
  package init?(track: String, accepted: Int, rejected: [String: Int], keepsUntimed: Bool = true) {
    let lost = rejected.filter {
      !Self.harmlessReasons.contains($0.key) || ($0.key == "time" && !keepsUntimed)
    }
    guard lost.values.reduce(0, +) > accepted else { return nil }
    (self.track, self.accepted, self.lost) = (track, accepted, lost)
  }

  /// The number of lost fixes, whatever the reason.
  package var lostCount: Int { lost.values.reduce(0, +) }

  /// One sentence that begins with the track, without a final period.
  package var sentence: String {
    let kept = accepted == 0 ? "none" : "only \(accepted)"
    return "\(track): \(counted(lostCount, "fix was", "fixes were")) refused "
      + "(\(ReportNumber.list(lost, isGrouped: false))), \(kept) accepted"
  }
}

extension TrackSummary {
  /// The loss of fixes, where those without a readable time are kept; nil if most fixes count.
  package var loss: FixLoss? { loss(keepsUntimed: true) }

  /// The loss of fixes, including those with unreadable times unless they are kept.
  ///
  /// Nil if the track kept at least as many fixes as it lost.
  package func loss(keepsUntimed: Bool) -> FixLoss? {
    let name = device.map { "\(track), \($0)" } ?? track
    return FixLoss(track: name, accepted: fixes, rejected: rejected, keepsUntimed: keepsUntimed)
  }
}

extension TrackAccount {
  /// The loss of fixes; nil if the track kept at least as many as it lost.
  ///
  /// Fixes outside the analysis's period or box are not lost.
  package var loss: FixLoss? {
    FixLoss(track: track, accepted: sums.fixes + sums.fixesOutside, rejected: sums.rejectedByReason)
  }
}

/// How reminders and stories shared a phone's slots, in sentences.
extension BudgetSummary {
  /// The counts in one sentence, without those that are 0.
  var sentence: String {
    let limit = slots.map { "\($0) slots" } ?? "any number of slots"
    var text = "Reminders: \(limit); at most \(counted(mostRegions, "region"))"
    text += " and \(counted(mostReminders, "reminder")) at a time"
    text += "; \(due) due, \(onTime) on time"
    if late > 0 { text += ", \(late) late" }
    if dropped > 0 { text += ", \(dropped) dropped" }
    if circlesFired > 0 { text += "; \(counted(circlesFired, "circle")) fired" }
    if circlesMissed > 0 {
      let were = circlesMissed == 1 ? "was" : "were"
      text += "; \(counted(circlesMissed, "circle")) \(were) crossed unwatched"
    }
    if droppedInSecond > 0 {
      text += "; \(droppedInSecond) not shown because their second was full"
    }
    return text + waitingParts
  }

  /// How many reminders and stories had to wait, for what; empty if none.
  private var waitingParts: String {
    let reminders = displacements.filter { $0.place == nil && $0.times > 0 }
    let forPlaces = reminders.count { $0.by == ["places"] }
    let places = displacements.count { $0.place != nil }
    var text = ""
    if forPlaces > 0 { text += "; \(counted(forPlaces, "reminder")) waited for stories" }
    if reminders.count > forPlaces {
      let others = counted(reminders.count - forPlaces, "reminder")
      text += "; \(others) waited for others"
    }
    // To times as well as to circles.
    if places > 0 { text += "; \(counted(places, "story")) gave way to reminders" }
    return text
  }

  /// What was lost and what waited, each with what displaced it.
  var displacementSentences: [String] {
    func names(_ heading: String, _ some: [Displacement]) -> [String] {
      let names = some.map { one in
        one.name + (one.by.isEmpty ? "" : " (behind \(one.by.prefix(3).joined(separator: ", ")))")
      }
      return names.isEmpty ? [] : ["\(heading): \(ReportNumber.names(names))"]
    }
    return names("Lost", displacements.filter { $0.dropped > 0 })
      + names("Waited", displacements.filter { $0.dropped == 0 && $0.place == nil })
      + names("Gave way", displacements.filter { $0.place != nil })
  }
}

extension BudgetSummary.Displacement {
  fileprivate var place: String? { if case .place(let id) = displaced { id } else { nil } }

  fileprivate var name: String {
    switch displaced {
    case .place(let id), .reminder(let id): id
    }
  }
}
