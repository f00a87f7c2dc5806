import FencepostTime
import Fencepost
import FencepostFormats
package import Foundation
import FencepostGeodesy

/// An event that a sink has not taken yet.
package struct OwedDelivery: Codable, Equatable, Sendable {
  /// Its number, ascending within a state.
  package var sequence: Int
  /// Its sink.
  package var sink: LiveSinkKind
  /// The event as a line, with its line end.
  package var line: Data
  /// The event's values by name, for sinks that need them.
  package var fields: [String: String]
  /// When the event happened, in milliseconds since 1970; nil for the output.
  package var owedSinceMilliseconds: Int64?

  /// Makes a delivery.
  package init(
    sequence: Int, sink: LiveSinkKind, line: Data, fields: [String: String],
    owedSinceMilliseconds: Int64? = nil
  ) {
    self.sequence = sequence
    self.sink = sink
    self.line = line
    self.fields = fields
    self.owedSinceMilliseconds = owedSinceMilliseconds
  }
}

/// A destination of events.
package enum LiveSinkKind: String, Codable, CaseIterable, Sendable {
  /// Standard output or a file.
  case output
  /// A program that runs for each event.
  case exec
  /// An address that each event is posted to.
  case webhook
  /// Desktop notifications.
  case notify
  /// A topic of a message broker.
  case mqtt
}

extension Event {
  /// The event's values by name, as `--exec` passes them in variables.
  var fields: [String: String] {
    switch self {
    case .enter(let encounter): encounter.fields("enter")
    case .exit(let encounter): encounter.fields("exit")
    case .dwell(let encounter): encounter.fields("dwell")
    case .alert(let encounter, _): encounter.fields("alert")
    case .suppressed(let encounter, let reason):
      encounter.fields("suppressed").merging(["REASON": reason]) { $1 }
    case .reminder(let encounter, let edge):
      encounter.fields("reminder").merging(["EDGE": edge.rawValue]) { $1 }
    case .refresh(let refresh):
      [
        "TYPE": "refresh", "TRACK": refresh.track, "DEVICE": refresh.device ?? "",
        "TIME": refresh.timeMilliseconds.map { ISO8601.string(milliseconds: $0) } ?? "",
        "LAT": "\(refresh.coordinate.latitudeDegrees)",
        "LON": "\(refresh.coordinate.longitudeDegrees)", "MONITORED": "\(refresh.monitored)",
      ]
    case .summary(let summary): ["TYPE": "summary", "TRACK": summary.track]
    }
  }
}

extension Encounter {
  fileprivate func fields(_ type: String) -> [String: String] {
    let crossed = crossed?.timeMilliseconds.map { ["CROSSED": ISO8601.string(milliseconds: $0)] }
    return [
      "TYPE": type, "TRACK": track, "DEVICE": device ?? "",
      "TIME": timeMilliseconds.map { ISO8601.string(milliseconds: $0) } ?? "",
      "LAT": "\(coordinate.latitudeDegrees)", "LON": "\(coordinate.longitudeDegrees)",
      "PLACE": placeID, "TITLE": title, "DISTANCE": "\(distanceMeters)", "URL": url,
      "BLURB": blurb, "CATEGORY": category,
    ].merging(crossed ?? [:]) { $1 }
  }
}
