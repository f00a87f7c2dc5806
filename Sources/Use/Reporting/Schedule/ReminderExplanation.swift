package import FencepostSession
package import FencepostNotifications

/// Tells what happened to one reminder along a track, moment by moment.
///
/// The moments come from a replay with this reminder in question: when it was due, waited, was
/// shown or was lost.
package struct ReminderExplanation: Sendable {
  /// The name of the track.
  package var track: String
  /// The reminder that is explained.
  package var reminder: Reminder
  /// What happened to it, in path order; empty if nothing did.
  package var moments: [ReminderMoment]

  /// Creates an explanation; the moments must be in path order.
  package init(track: String, reminder: Reminder, moments: [ReminderMoment]) {
    (self.track, self.reminder, self.moments) = (track, reminder, moments)
  }

  /// Writes one line for each moment, with times in a zone.
  package func writeText(to output: inout OutputBuffer, zone: ClockZone, layout: TextLayout) {
    layout.writeHeading("\(reminder.id) (\(reminder.content.title)) on \(track)", to: &output)
    if moments.isEmpty {
      output.append(line: "  It was neither due nor crossed, and never waited.", style: .plain)
    }
    for moment in moments {
      let instant = TextInstant(moment.timeMilliseconds, in: zone)
      let time = instant.map { "\($0.date) \($0.time)" } ?? "without a time"
      output.append(line: "  \(time)  \(moment.sentence)", style: .plain)
    }
  }

  /// Appends one JSON object for each moment.
  package func writeNDJSON(to output: inout OutputBuffer) {
    for moment in moments {
      output.appendLine {
        $0.member("type", "moment")
        $0.member("track", track)
        $0.member("reminder", reminder.id)
        $0.member("time", jsonTime: moment.timeMilliseconds)
        $0.member("what", moment.name)
        if case .due(let record) = moment.happening {
          $0.member("fate", record.fate.rawValue)
          $0.member("reason", record.reason.rawValue)
        }
        if let other = moment.displacedBy { $0.member("displacedBy", other) }
      }
    }
  }
}

extension ReminderMoment {
  /// The moment's name in NDJSON.
  fileprivate var name: String {
    switch happening {
    case .waits: "waits"
    case .pending: "pending"
    case .crossedUnwatched: "crossed-unwatched"
    case .fired(let other): other == nil ? "shown" : "not-shown"
    case .due: "due"
    }
  }

  /// The id of what took its slot or second; nil if nothing did.
  fileprivate var displacedBy: String? {
    switch happening {
    case .waits(let other), .fired(let other): other
    case .due(let record): record.displacedBy
    case .pending, .crossedUnwatched: nil
    }
  }

  /// What happened, as the end of a line after the time.
  package var sentence: String {
    let behind = displacedBy.map { " behind \($0)" } ?? ""
    switch happening {
    case .waits: return "waits for a slot" + behind
    case .pending: return "has a slot"
    case .crossedUnwatched: return "lost: its circle was crossed while it waited"
    case .fired(nil): return "shown: its circle was crossed"
    case .fired(let other?): return "not shown: \(other) filled its second"
    case .due(let record):
      switch record.fate {
      case .onTime: return "due and shown"
      case .late: return "due, shown late: \(record.reason.rawValue)"
      case .dropped: return "due and lost: \(record.reason.rawValue)" + behind
      }
    }
  }
}
