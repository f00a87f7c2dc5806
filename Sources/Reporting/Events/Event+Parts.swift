import Fencepost
import FencepostGeodesy
import FencepostTime

// The parts of events that several formats show.

extension Event {
  /// The crossing of a place's edge; nil for a refresh or a summary.
  var encounter: Encounter? {
    switch self {
    case .enter(let encounter), .exit(let encounter), .alert(let encounter, _),
      .suppressed(let encounter, _), .reminder(let encounter, _), .dwell(let encounter):
      encounter
    case .refresh, .summary: nil
    }
  }

  /// Where it happened; nil for a summary.
  var coordinate: Coordinate? {
    if case .refresh(let refresh) = self { refresh.coordinate } else { encounter?.coordinate }
  }

  /// Why an alert was held back, or the edge that fired a reminder; nil for other events.
  var reason: String? {
    switch self {
    case .suppressed(_, let reason): reason
    case .reminder(_, let edge): edge.rawValue
    default: nil
    }
  }
}

extension Encounter {
  /// Where it is and how far that is from the place, such as `100.0 m from the center of hall`.
  func outcome(_ kind: String) -> String {
    "\(kind) at \(ReportNumber.fixed(distanceMeters, decimals: Decimals.meters)) m from the center "
      + "of \(placeID)"
  }

  /// The story's address, if it is safe as a link; `javascript:` is not.
  var webAddress: String? {
    let beginning = url.prefix(8).lowercased()
    return beginning.hasPrefix("https://") || beginning.hasPrefix("http://") ? url : nil
  }
}

extension RefreshEvent {
  /// What the refresh changed, or why it failed.
  var outcome: String {
    failure.map { "failed: \($0)" } ?? "\(monitored) monitored, \(added) added, \(removed) removed"
  }
}

extension String {
  /// The text escaped for XML, between tags or in an attribute.
  package var xml: String {
    var escaped = OutputBuffer(capacity: utf8.count + 16)
    escaped.append(xml: self)
    return escaped.text
  }
}
