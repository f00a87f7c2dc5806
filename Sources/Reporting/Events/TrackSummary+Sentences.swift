import FencepostFixes
import FencepostTime
package import Fencepost
import FencepostFormats
import FencepostMonitoring
package import FencepostNotifications

extension TrackSummary {
  /// The summary in sentences, most important first, with times in UTC.
  package var sentences: [String] { sentences(in: .utc) }

  /// The summary in sentences, most important first, with times in a zone.
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

  private var notifications: String {
    var text = counted(alerts, "alert")
    text += " from \(counted(enters, "entry"))"
    if let dwells, dwells > 0 { text += " and \(counted(dwells, "dwell"))" }
    if !suppressed.isEmpty {
      let total = suppressed.values.reduce(0, +)
      text += "; \(total) held back: \(ReportNumber.list(suppressed, isGrouped: false))"
    }
    return text
  }

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

struct TextInstant {
  /// A date such as `2026-03-04`.
  let date: String
  /// A time such as `17:00:12`, rounded down.
  let time: String
  /// The UTC offset, such as `-05:00`, or `UTC`.
  let offset: String

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
