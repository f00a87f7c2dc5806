import FencepostTime
import Fencepost
import FencepostFormats
package import FoundationEssentials
import FencepostGeodesy

/// An event that a sink has not accepted yet.
package struct OwedDelivery: Codable, Equatable, Sendable {
  /// Its number, ascending within a state.
  package var sequence: Int
  package var sink: LiveSinkKind
  package var line: Data
  /// The event's values by name, for sinks that need them.
  package var fields: [String: String]
  /// When the event happened, in milliseconds since 1970; nil for the output.
  package var owedSinceMilliseconds: Int64?

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

package enum LiveSinkKind: String, Codable, CaseIterable, Sendable {
  case output
  case exec
  case webhook
  case notify
  case mqtt
}

extension Event {
  /// The event's values by name, which `--exec` passes as environment variables.
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
