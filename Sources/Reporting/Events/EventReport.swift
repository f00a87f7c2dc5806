package import Fencepost
package import FencepostFixes
package import FencepostMonitoring
package import FencepostNotifications

/// The forms in which events can be written.
package enum EventFormat: String, CaseIterable, Sendable {
  /// A table for people.
  case text
  /// One JSON object a line.
  case ndjson
  /// A table for spreadsheets.
  case csv
  /// A GeoJSON feature collection.
  case geojson
  /// GPX 1.1 waypoints.
  case gpx
  /// KML with the path, the circles of the places and the events, for Google Earth.
  case kml
  /// The path as GPX waypoints with times, which Xcode and Android's emulator play.
  case xcode
  /// The path as lines `lat,lon`, which `xcrun simctl location DEVICE start -` plays.
  case simctl

  /// Whether it is the path alone, for a simulator of phones to play.
  package var isPlayed: Bool { self == .xcode || self == .simctl }
  /// Whether it shows the path.
  package var showsPath: Bool { self == .kml || isPlayed }
  /// Whether it shows the circles of places.
  package var showsPlaces: Bool { self == .kml }
}

/// Writes events in one form: ``begin(_:)`` once, ``write(_:to:)-(Event,_)`` for each, ``end(_:)`` once.
package protocol EventWriter: Sendable {
  /// Appends what precedes all events.
  mutating func begin(_ output: inout OutputBuffer)
  /// Appends an event.
  mutating func write(_ event: Event, to output: inout OutputBuffer)
  /// Appends what follows all events.
  mutating func end(_ output: inout OutputBuffer)
  /// Appends the next piece of a track's path; the events on it follow.
  mutating func write(path fixes: [Fix], of track: String, to output: inout OutputBuffer)
  /// Appends a place, before the first event about it on a track.
  mutating func write(_ place: Place, to output: inout OutputBuffer)
  /// Appends what follows a track.
  mutating func endTrack(_ output: inout OutputBuffer)
}

extension EventWriter {
  /// Appends nothing.
  package func begin(_ output: inout OutputBuffer) {}
  /// Appends nothing.
  package func end(_ output: inout OutputBuffer) {}
  /// Appends nothing.
  package func write(path fixes: [Fix], of track: String, to output: inout OutputBuffer) {}
  /// Appends nothing.
  package func write(_ place: Place, to output: inout OutputBuffer) {}
  /// Appends nothing.
  package func endTrack(_ output: inout OutputBuffer) {}
}

/// Writes the selected kinds of events to an output, in the chosen form.
///
/// ```swift
/// var report = EventReport(
///   format: .ndjson, selection: .standard, output: try OutputFile(path: path))
/// try report.write(event)
/// try report.finish()
/// ```
package struct EventReport: ~Copyable, Sendable {
  /// The kinds of events that are written; the caller need not make others.
  package let selection: EventSelection
  /// The form.
  package let format: EventFormat

  private var writer: any EventWriter
  private var output: OutputFile
  private let flushesEachEvent: Bool
  private var hasBegun = false

  /// Makes a report.
  ///
  /// - Parameters:
  ///   - format: The form.
  ///   - selection: The kinds of events that are written.
  ///   - output: Receives the bytes; the report finishes it.
  ///   - layout: The width and style of the text form.
  ///   - zone: Whose clock the times of the text form are of.
  ///   - flushesEachEvent: Whether to write out each event at once, as a live source needs.
  ///   - hasCrossed: Whether events say when the path met the edge: a table then has a column more.
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
      case .text: TextWriter(layout: layout, zone: zone)
      case .ndjson: NDJSONWriter()
      case .csv: CSVWriter(selection: selection, hasCrossed: hasCrossed)
      case .geojson: GeoJSONWriter()
      case .gpx: GPXWriter()
      case .kml: KMLWriter()
      case .xcode: PathGPXWriter()
      case .simctl: WaypointWriter()
      }
  }

  /// Writes an event, if its kind is selected.
  ///
  /// - Throws: ``OutputFailure``, after which nothing more should be written.
  package mutating func write(_ event: Event) throws(OutputFailure) {
    guard selection.includes(event) else { return }
    try append { writer, buffer in writer.write(event, to: &buffer) }
  }

  /// Writes the next piece of a track's path, before the events on it, if the format shows it.
  ///
  /// - Throws: ``OutputFailure``, after which nothing more should be written.
  package mutating func write(
    path fixes: [Fix], of track: String
  ) throws(OutputFailure) {
    guard format.showsPath, !fixes.isEmpty else { return }
    try append { writer, buffer in writer.write(path: fixes, of: track, to: &buffer) }
  }

  /// Writes a place, before the first event about it on a track, if the format shows it.
  ///
  /// - Throws: ``OutputFailure``, after which nothing more should be written.
  package mutating func write(_ place: Place) throws(OutputFailure) {
    guard format.showsPlaces else { return }
    try append { writer, buffer in writer.write(place, to: &buffer) }
  }

  /// Ends a track.
  ///
  /// - Throws: ``OutputFailure``, after which nothing more should be written.
  package mutating func endTrack() throws(OutputFailure) {
    try append { writer, buffer in writer.endTrack(&buffer) }
  }

  private mutating func append(
    _ body: (inout any EventWriter, inout OutputBuffer) -> Void
  ) throws(OutputFailure) {
    beginIfNeeded()
    body(&writer, &output.buffer)
    if flushesEachEvent {
      try output.flush()
    } else {
      try output.flushIfFull()
    }
  }

  /// Writes out what is buffered.
  package mutating func flush() throws(OutputFailure) {
    try output.flush()
  }

  /// Completes the document and finishes the output.
  ///
  /// Without events the document is empty but valid. Nothing may be written afterwards.
  package mutating func finish() throws(OutputFailure) {
    beginIfNeeded()
    writer.end(&output.buffer)
    try output.finish()
  }

  private mutating func beginIfNeeded() {
    guard !hasBegun else { return }
    hasBegun = true
    writer.begin(&output.buffer)
  }
}
