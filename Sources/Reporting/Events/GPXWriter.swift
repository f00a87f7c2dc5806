package import Fencepost
import FencepostGeodesy

/// Writes a GPX 1.1 file with a waypoint for each event, for maps and handheld receivers.
///
/// A waypoint's name is the story's title and its type the kind of event. What GPX cannot express
/// is in `desc` as words and in `extensions` as attributes. Summaries have no position, so they
/// follow the waypoints in the file's `extensions`.
package struct GPXWriter: EventWriter {
  private var summaries: [TrackSummary] = []

  package init() {}

  package func begin(_ output: inout OutputBuffer) {
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    output.append("<gpx version=\"1.1\" creator=\"fencepost\"")
    output.append(" xmlns=\"http://www.topografix.com/GPX/1/1\"")
    output.append(" xmlns:fencepost=\"tag:fencepost,2026:events\">\n")
  }

  /// Appends the event's waypoint, or keeps a summary for the end.
  package mutating func write(_ event: Event, to output: inout OutputBuffer) {
    switch event {
    case .enter(let encounter):
      write(encounter, kind: "enter", remark: "", to: &output)
    case .exit(let encounter):
      write(encounter, kind: "exit", remark: "", to: &output)
    case .dwell(let encounter):
      write(encounter, kind: "dwell", remark: "", to: &output)
    case .alert(let encounter, let alert):
      let others = alert.group.joined(separator: ", ")
      let remark = others.isEmpty ? "" : ", also for \(others)"
      write(encounter, kind: "alert", remark: remark, to: &output)
    case .suppressed(let encounter, let reason):
      write(encounter, kind: "suppressed", remark: ", reason: \(reason)", to: &output)
    case .reminder(let encounter, let edge):
      write(encounter, kind: "reminder", remark: ", on \(edge.rawValue)", to: &output)
    case .refresh(let refresh):
      write(refresh, to: &output)
    case .summary(let summary):
      summaries.append(summary)
    }
  }

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
  private func write(
    _ encounter: Encounter, kind: StaticString, remark: String, to output: inout OutputBuffer
  ) {
    output.beginWaypoint(encounter.coordinate, timeMilliseconds: encounter.timeMilliseconds)
    output.element("name", encounter.title)
    if !encounter.blurb.isEmpty { output.element("cmt", encounter.blurb) }
    output.append("<desc>")
    output.append(kind)
    output.append(" at ")
    output.append(encounter.distanceMeters, decimals: Decimals.meters)
    output.append(" m from the center of ")
    output.append(xml: encounter.placeID)
    output.append(xml: remark)
    if encounter.acrossBreak { output.append(", across a break of the path") }
    output.append("</desc>")
    output.element("src", encounter.track)
    if Self.isWebAddress(encounter.url) {
      output.attribute("<link href", encounter.url)
      output.append("/>")
    }
    output.append("<type>")
    output.append(kind)
    output.append("</type><extensions><fencepost:event")
    output.attribute(" place", encounter.placeID)
    output.position(
      device: encounter.device, segment: encounter.segment, fix: encounter.fix,
      fraction: encounter.fraction)
    output.attribute(" distance", encounter.distanceMeters, decimals: Decimals.meters)
    if let crossed = encounter.crossed?.timeMilliseconds {
      output.append(" crossed=\"")
      output.append(instant: crossed)
      output.append(UInt8(ascii: "\""))
    }
    output.append("/></extensions></wpt>\n")
  }

  /// Whether a URL is safe as a link; `javascript:` is not.
  static func isWebAddress(_ address: String) -> Bool {
    let beginning = address.prefix(8).lowercased()
    return beginning.hasPrefix("https://") || beginning.hasPrefix("http://")
  }

  private func write(_ refresh: RefreshEvent, to output: inout OutputBuffer) {
    output.beginWaypoint(refresh.coordinate, timeMilliseconds: refresh.timeMilliseconds)
    output.append("<name>refresh</name><desc>")
    output.append(outcomeOf: refresh)
    output.append("</desc>")
    output.element("src", refresh.track)
    output.append("<type>refresh</type><extensions><fencepost:event")
    output.position(
      device: refresh.device, segment: refresh.segment, fix: refresh.fix,
      fraction: refresh.fraction)
    if let radiusMeters = refresh.radiusMeters {
      output.attribute(" radius", radiusMeters, decimals: Decimals.meters)
    }
    output.append("/></extensions></wpt>\n")
  }

  private func write(_ summary: TrackSummary, to output: inout OutputBuffer) {
    output.append("<fencepost:summary")
    output.attribute(" track", summary.track)
    if let device = summary.device { output.attribute(" device", device) }
    output.attribute(" fixes", summary.fixes)
    output.attribute(" segments", summary.segments)
    output.attribute(" rejected", summary.rejected.values.reduce(0, +))
    output.attribute(" lengthMeters", summary.lengthMeters, decimals: Decimals.meters)
    output.attribute(" refreshes", summary.refreshes)
    output.attribute(" enters", summary.enters)
    output.attribute(" exits", summary.exits)
    if let dwells = summary.dwells { output.attribute(" dwells", dwells) }
    output.attribute(" alerts", summary.alerts)
    output.attribute(" suppressed", summary.suppressed.values.reduce(0, +))
    if let certified = summary.certified {
      output.attribute(" certified", certified ? "true" : "false")
    }
    if let error = summary.error { output.attribute(" error", error) }
    output.append("/>\n")
  }
}

extension OutputBuffer {
  fileprivate mutating func beginWaypoint(_ coordinate: Coordinate, timeMilliseconds: Int64?) {
    attribute("<wpt lat", coordinate.latitudeDegrees, decimals: Decimals.degrees)
    attribute(" lon", coordinate.longitudeDegrees, decimals: Decimals.degrees)
    append(UInt8(ascii: ">"))
    if let timeMilliseconds {
      append("<time>")
      append(instant: timeMilliseconds)
      append("</time>")
    }
  }

  /// Appends in words what a refresh changed, or why it failed.
  mutating func append(outcomeOf refresh: RefreshEvent) {
    if let failure = refresh.failure {
      append("failed: ")
      append(xml: failure)
      return
    }
    append(decimal: refresh.monitored)
    append(" monitored, ")
    append(decimal: refresh.added)
    append(" added, ")
    append(decimal: refresh.removed)
    append(" removed")
  }

  mutating func element(_ name: StaticString, _ text: String) {
    append(UInt8(ascii: "<"))
    append(name)
    append(UInt8(ascii: ">"))
    append(xml: text)
    append("</")
    append(name)
    append(UInt8(ascii: ">"))
  }

  /// Appends an attribute; `name` includes the text before it.
  fileprivate mutating func attribute(_ name: StaticString, _ text: String) {
    append(name)
    append("=\"")
    append(xml: text)
    append(UInt8(ascii: "\""))
  }

  fileprivate mutating func attribute(_ name: StaticString, _ number: Int) {
    append(name)
    append("=\"")
    append(decimal: number)
    append(UInt8(ascii: "\""))
  }

  fileprivate mutating func attribute(_ name: StaticString, _ number: Double, decimals: Int) {
    append(name)
    append("=\"")
    append(number, decimals: decimals)
    append(UInt8(ascii: "\""))
  }

  fileprivate mutating func position(
    device: String?, segment: Int, fix: Int, fraction: Double
  ) {
    if let device { attribute(" device", device) }
    attribute(" segment", segment)
    attribute(" fix", fix)
    attribute(" fraction", fraction, decimals: Decimals.fraction)
  }
}
