package import FencepostSession
package import FencepostFixes
import FencepostGeodesy
package import FencepostNotifications
import FencepostTime

/// The forms in which events are written, or the path for a simulator to play.
///
/// NDJSON has all fields of an event; the other formats have those that their readers know.
package enum EventFormat: String, CaseIterable, Sendable {
  /// A table for people.
  case text
  /// One JSON object per line.
  case ndjson
  /// A table with a header, for spreadsheets.
  case csv
  /// A feature collection with a point for each event.
  case geojson
  /// GPX 1.1 waypoints.
  case gpx
  /// The path as GPX waypoints with times, which Xcode and the Android emulator can play.
  case xcode
  /// The path as lines `lat,lon`, which `xcrun simctl location DEVICE start -` can play.
  case simctl

  /// Whether it has only the path, for a simulator to play.
  package var isPlayed: Bool { self == .xcode || self == .simctl }
}

/// Writes events in one format.
///
/// Call ``begin(_:)`` once, `write(_:to:)` for each event, and ``end(_:)`` once.
package protocol EventWriter: Sendable {
  /// Appends what precedes all events, such as a header; nothing by default.
  mutating func begin(_ output: inout OutputBuffer)
  /// Appends an event, or keeps it until more is known about the layout.
  mutating func write(_ event: Event, to output: inout OutputBuffer)
  /// Appends what was kept, and what closes the document; nothing by default.
  mutating func end(_ output: inout OutputBuffer)
  /// Appends the next piece of a track's path, before the events on it.
  mutating func write(path fixes: [Fix], to output: inout OutputBuffer)
}

extension EventWriter {
  /// Appends nothing, as most formats have no header.
  package func begin(_ output: inout OutputBuffer) {}
  /// Appends nothing, as lines need no end.
  package func end(_ output: inout OutputBuffer) {}
  /// Appends nothing, as most formats have only events.
  package func write(path fixes: [Fix], to output: inout OutputBuffer) {}
}

/// Writes the selected kinds of events to an output in the chosen format.
///
/// ```swift
/// var report = EventReport(
///   format: .ndjson, selection: .standard, output: try OutputFile(path: path))
/// try report.write(event)
/// try report.finish()
/// ```
///
/// Write nothing after an ``OutputFailure``.
package struct EventReport: ~Copyable, Sendable {
  /// The kinds of events to write; the caller need not create others.
  package let selection: EventSelection
  /// The format, from which the caller knows whether the path is wanted.
  package let format: EventFormat

  private var writer: any EventWriter
  private var output: OutputFile
  private let flushesEachEvent: Bool
  private var hasBegun = false

  /// Creates a report; ``finish()`` also finishes the output.
  ///
  /// The layout and zone apply to text. `flushesEachEvent` writes out each event at once, as live
  /// sources need. `hasCrossed` gives events the time at the edge, which adds a column to CSV.
  package init(
    format: EventFormat,
    selection: EventSelection = .standard,
    output: consuming OutputFile,
    layout: TextLayout = TextLayout(),
    zone: ClockZone = .utc,
    flushesEachEvent: Bool = false,
    hasCrossed: Bool = false
  ) {
    self.format = format
    self.selection = selection
    self.output = output
    self.flushesEachEvent = flushesEachEvent
    writer =
      switch format {
      case .text: TextWriter(layout: layout, zone: zone, writesAtOnce: flushesEachEvent)
      case .ndjson: NDJSONWriter()
      case .csv: CSVWriter(selection: selection, hasCrossed: hasCrossed)
      case .geojson: GeoJSONWriter()
      case .gpx: GPXWriter()
      case .xcode: PathGPXWriter()
      case .simctl: WaypointWriter()
      }
  }

  /// Writes an event if it is among those selected.
  package mutating func write(_ event: Event) throws(OutputFailure) {
    guard selection.includes(event) else { return }
    beginIfNeeded()
    writer.write(event, to: &output.buffer)
    try flushIfDue()
  }

  /// Writes the next piece of a track's path, if the format shows it; call it before the events.
  ///
  /// Only the two formats for simulators show it.
  package mutating func write(path fixes: [Fix]) throws(OutputFailure) {
    guard format.isPlayed, !fixes.isEmpty else { return }
    beginIfNeeded()
    writer.write(path: fixes, to: &output.buffer)
    try flushIfDue()
  }

  /// Flushes now if each event is to be seen at once, or else when the buffer is full.
  private mutating func flushIfDue() throws(OutputFailure) {
    if flushesEachEvent {
      try output.flush()
    } else {
      try output.flushIfFull()
    }
  }

  /// Writes out what is buffered, so that a reader of a pipe sees it at once.
  package mutating func flush() throws(OutputFailure) { try output.flush() }

  /// Completes the document, valid even without events, and finishes the output.
  ///
  /// Nothing may be written afterwards.
  package mutating func finish() throws(OutputFailure) {
    beginIfNeeded()
    writer.end(&output.buffer)
    try output.finish()
  }

  /// Appends the header before the first event, or at the end if there are no events.
  private mutating func beginIfNeeded() {
    guard !hasBegun else { return }
    hasBegun = true
    writer.begin(&output.buffer)
  }
}

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

/// Writes each event as one JSON object on its own line.
///
/// Scripts rely on the names and order of the fields, so fields are only ever added. Coordinates
/// have up to seven decimals (1 cm), distances one (10 cm). A missing time, distance or error is
/// `null`.
package struct NDJSONWriter: EventWriter {
  /// Creates a writer, which has no state.
  package init() {}

  /// Appends the event and a line end.
  package func write(_ event: Event, to output: inout OutputBuffer) {
    output.append(jsonObject: event)
    output.append(UInt8(ascii: "\n"))
  }
}
