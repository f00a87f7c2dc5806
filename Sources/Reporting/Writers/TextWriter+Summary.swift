public import Fencepost
import Formats
import Monitoring

extension TrackSummary {
  /// The account in sentences for people, the most wanted first.
  public var sentences: [String] {
    var sentences = [notifications, path]
    if !rejected.isEmpty {
      let total = rejected.values.reduce(0, +)
      sentences.append(
        "\(TextNumber.count(total, "fix", "fixes")) rejected: \(TextNumber.list(rejected))")
    }
    sentences.append(monitoring)
    if let budget { sentences.append(budget.sentence) }
    if let error { sentences.append("Ended early: \(error)") }
    return sentences
  }

  private var notifications: String {
    var text = TextNumber.count(alerts, "alert", "alerts")
    text += " of \(TextNumber.count(enters, "enter", "enters"))"
    if !suppressed.isEmpty {
      let total = suppressed.values.reduce(0, +)
      text += "; \(total) suppressed: \(TextNumber.list(suppressed))"
    }
    return text
  }

  private var path: String {
    var text = TextNumber.count(fixes, "fix", "fixes")
    text += " in \(TextNumber.count(segments, "segment", "segments"))"
    text += ", \(TextNumber.distance(lengthMeters))"
    if let first = TextInstant(firstMilliseconds), let last = TextInstant(lastMilliseconds) {
      let end = first.date == last.date ? last.time : "\(last.date) \(last.time)"
      text += ", \(first.date) \(first.time) to \(end) UTC"
    } else if fixes > 0 {
      text += ", without times"
    }
    return text
  }

  private var monitoring: String {
    var text = TextNumber.count(refreshes, "refresh", "refreshes")
    if let neverMonitored {
      text += "; \(TextNumber.count(neverMonitored, "place", "places")) never monitored"
    }
    if certified == true {
      text += "; certified: no unmonitored circle was ever within reach"
    } else if certified == false {
      text += "; not certified along \(TextNumber.distance(uncertifiedMeters))"
      text += " in \(TextNumber.count(uncertified.count, "stretch", "stretches"))"
    }
    return text
  }
}

/// An instant as the text form shows it, in UTC.
struct TextInstant {
  /// `2026-03-04`.
  let date: String
  /// `17:00:12`, rounded down.
  let time: String

  init?(_ milliseconds: Int64?) {
    guard let milliseconds else { return nil }
    let parts = ISO8601.string(milliseconds: milliseconds).split(separator: "T")
    guard parts.count == 2 else { return nil }
    self.date = String(parts[0])
    self.time = String(parts[1].prefix(8))
  }
}

/// Numbers as the text form shows them.
enum TextNumber {
  /// `100.0 m`, from 10 km on `12.35 km`.
  static func distance(_ meters: Double) -> String {
    guard meters.isFinite else { return "" }
    var buffer = ByteBuffer(capacity: 64)
    if meters < 10_000 {
      buffer.append(meters, decimals: 1)
      buffer.append(" m")
    } else {
      buffer.append(meters / 1000, decimals: meters < 1_000_000 ? 2 : 1)
      buffer.append(" km")
    }
    return buffer.text
  }

  /// `1 fix`, `2 fixes`.
  static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }

  /// `checksum 2, late 1`, the most frequent first.
  static func list(_ counts: [String: Int]) -> String {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }
      .joined(separator: ", ")
  }
}
