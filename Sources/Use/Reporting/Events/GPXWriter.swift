package import FencepostSession
package import FencepostFixes
import FencepostGeodesy
import FencepostTime

/// Writes a GPX 1.1 file with a waypoint for each event, for maps and handheld receivers.
///
/// A waypoint's name is the story's title and its type the kind of event. What GPX cannot express
/// is in `desc` as words and in `extensions` as attributes. Summaries have no position, so they
/// follow the waypoints in the file's `extensions`.
package struct GPXWriter: EventWriter {
  private var summaries: [TrackSummary] = []

  /// Creates a writer for one file.
  package init() {}

  /// Appends the root element, with the namespace of what GPX itself lacks.
  package func begin(_ output: inout OutputBuffer) {
    output.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="fencepost" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:fencepost="tag:fencepost,2026:events">

      """)
  }

  /// Appends a waypoint; a summary waits for the end.
  package mutating func write(_ event: Event, to output: inout OutputBuffer) {
    switch event {
    case .refresh(let refresh): write(refresh, to: &output)
    case .summary(let summary): summaries.append(summary)
    default: if let encounter = event.encounter { write(encounter, event, to: &output) }
    }
  }

  /// Appends the summaries and closes the file.
  package mutating func end(_ output: inout OutputBuffer) {
    if !summaries.isEmpty {
      output.append("<extensions>\n")
      for summary in summaries { write(summary, to: &output) }
      output.append("</extensions>\n")
    }
    output.append("</gpx>\n")
    summaries.removeAll()
  }

  /// Appends a waypoint, with its elements in the order that the schema requires.
  private func write(_ encounter: Encounter, _ event: Event, to output: inout OutputBuffer) {
    let kind = event.typeName
    let across = encounter.isAcrossBreak ? ", across a break of the path" : ""
    let link = encounter.webAddress.map { "<link href=\"\($0.xml)\"/>" } ?? ""
    var attributes: [(String, String?)] = [("place", encounter.placeID)]
    attributes += position(encounter.device, encounter.segment, encounter.fix, encounter.fraction)
    attributes += [
      ("distance", number(encounter.distanceMeters, Decimals.meters)),
      ("crossed", encounter.crossed?.timeMilliseconds.map(ISO8601.string(milliseconds:))),
    ]
    output.append(
      verbatim: """
        \(opening(encounter.coordinate, encounter.timeMilliseconds))\
        <name>\(encounter.title.xml)</name>\
        \(encounter.blurb.isEmpty ? "" : "<cmt>\(encounter.blurb.xml)</cmt>")\
        <desc>\((encounter.outcome(kind) + remark(event)).xml)\(across)</desc>\
        <src>\(encounter.track.xml)</src>\(link)<type>\(kind)</type>\
        <extensions><fencepost:event\(list(attributes))/></extensions></wpt>

        """)
  }

  /// What a description adds to the kind and the place of an event.
  private func remark(_ event: Event) -> String {
    switch event {
    case .alert(_, let alert) where !alert.group.isEmpty:
      ", also for \(alert.group.joined(separator: ", "))"
    case .suppressed(_, let reason): ", reason: \(reason)"
    case .reminder(_, let edge): ", on \(edge.rawValue)"
    default: ""
    }
  }

  /// Appends a lookup as a waypoint at its point.
  private func write(_ refresh: RefreshEvent, to output: inout OutputBuffer) {
    let attributes =
      position(refresh.device, refresh.segment, refresh.fix, refresh.fraction)
      + [("radius", refresh.radiusMeters.map { number($0, Decimals.meters) })]
    output.append(
      verbatim: """
        \(opening(refresh.coordinate, refresh.timeMilliseconds))\
        <name>refresh</name><desc>\(refresh.outcome.xml)</desc><src>\(refresh.track.xml)</src>\
        <type>refresh</type><extensions><fencepost:event\(list(attributes))/></extensions></wpt>

        """)
  }

  /// Appends a track's totals as the attributes of one element.
  private func write(_ summary: TrackSummary, to output: inout OutputBuffer) {
    let attributes = [
      ("track", summary.track), ("device", summary.device), ("fixes", "\(summary.fixes)"),
      ("segments", "\(summary.segments)"),
      ("rejected", "\(summary.rejected.values.reduce(0, +))"),
      ("lengthMeters", number(summary.lengthMeters, Decimals.meters)),
      ("refreshes", "\(summary.refreshes)"), ("enters", "\(summary.enters)"),
      ("exits", "\(summary.exits)"), ("dwells", summary.dwells.map { "\($0)" }),
      ("alerts", "\(summary.alerts)"),
      ("suppressed", "\(summary.suppressed.values.reduce(0, +))"),
      ("certified", summary.certified.map { "\($0)" }), ("error", summary.error),
    ]
    output.append(verbatim: "<fencepost:summary\(list(attributes))/>\n")
  }

  // MARK: Parts

  /// A waypoint's start tag and, if the time is known, its time.
  private func opening(_ coordinate: Coordinate, _ timeMilliseconds: Int64?) -> String {
    let attributes = [
      ("lat", number(coordinate.latitudeDegrees, Decimals.degrees)),
      ("lon", number(coordinate.longitudeDegrees, Decimals.degrees)),
    ]
    let time = timeMilliseconds.map { "<time>\(ISO8601.string(milliseconds: $0))</time>" }
    return "<wpt\(list(attributes))>" + (time ?? "")
  }

  /// The attributes that tell where on the path it happened.
  private func position(
    _ device: String?, _ segment: Int, _ fix: Int, _ fraction: Double
  ) -> [(String, String?)] {
    [
      ("device", device), ("segment", "\(segment)"), ("fix", "\(fix)"),
      ("fraction", number(fraction, Decimals.fraction)),
    ]
  }

  /// The attributes that have a value, each after a space.
  private func list(_ attributes: [(name: String, value: String?)]) -> String {
    attributes.map { name, value in value.map { " \(name)=\"\($0.xml)\"" } ?? "" }.joined()
  }

  private func number(_ value: Double, _ decimals: Int) -> String {
    ReportNumber.fixed(value, decimals: decimals)
  }
}

/// Writes a track's path as GPX 1.1 waypoints with times, for phone simulators.
///
/// Xcode plays waypoints (`wpt`) at the pace of their times, and ignores tracks and routes.
/// Positions are exact to the last bit, so that replaying the file crosses the same edges at the
/// same moments. Events are left out.
package struct PathGPXWriter: EventWriter {
  /// Creates a writer, which has no state.
  package init() {}

  /// Appends the root element.
  package func begin(_ output: inout OutputBuffer) {
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    output.append("<gpx version=\"1.1\" creator=\"fencepost\"")
    output.append(" xmlns=\"http://www.topografix.com/GPX/1/1\">\n")
  }

  /// Appends nothing: a simulator plays only the path.
  package func write(_ event: Event, to output: inout OutputBuffer) {}

  /// Appends a waypoint for each fix, in path order.
  package func write(path fixes: [Fix], to output: inout OutputBuffer) {
    for fix in fixes {
      output.append("<wpt lat=\"")
      output.append(exact: fix.coordinate.latitudeDegrees)
      output.append("\" lon=\"")
      output.append(exact: fix.coordinate.longitudeDegrees)
      output.append("\">")
      if let time = fix.timeMilliseconds {
        output.append("<time>")
        output.append(instant: time)
        output.append("</time>")
      }
      output.append("</wpt>\n")
    }
  }

  /// Closes the file.
  package func end(_ output: inout OutputBuffer) { output.append("</gpx>\n") }
}

/// Writes a path for `xcrun simctl location DEVICE start -`, one `lat,lon` per line.
///
/// Positions are exact to the last bit. Times and events are left out, because `simctl` moves at
/// one speed.
package struct WaypointWriter: EventWriter {
  /// Creates a writer, which has no state.
  package init() {}

  /// Appends nothing: a simulator plays only the path.
  package func write(_ event: Event, to output: inout OutputBuffer) {}

  /// Appends a line for each fix, in path order.
  package func write(path fixes: [Fix], to output: inout OutputBuffer) {
    for fix in fixes {
      output.append(exact: fix.coordinate.latitudeDegrees)
      output.append(UInt8(ascii: ","))
      output.append(exact: fix.coordinate.longitudeDegrees)
      output.append(UInt8(ascii: "\n"))
    }
  }
}
