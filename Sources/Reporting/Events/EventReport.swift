public import Fencepost

/// The forms in which events can be written.
public enum EventFormat: String, CaseIterable, Sendable {
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
}

/// Writes events in one form: ``begin(_:)`` once, ``write(_:to:)`` for each, ``end(_:)`` once.
public protocol EventWriter: Sendable {
  /// Appends what precedes all events.
  mutating func begin(_ output: inout OutputBuffer)
  /// Appends an event.
  mutating func write(_ event: Event, to output: inout OutputBuffer)
  /// Appends what follows all events.
  mutating func end(_ output: inout OutputBuffer)
}

extension EventWriter {
  /// Appends nothing.
  public func begin(_ output: inout OutputBuffer) {}
  /// Appends nothing.
  public func end(_ output: inout OutputBuffer) {}
}

/// Writes the selected kinds of events to an output, in the chosen form.
///
/// ```swift
/// var report = EventReport(
///   format: .ndjson, selection: .standard, output: try OutputFile(path: path))
/// try report.write(event)
/// try report.finish()
/// ```
public struct EventReport: ~Copyable, Sendable {
  /// The kinds of events that are written; the caller need not make others.
  public let selection: EventSelection
  /// The form.
  public let format: EventFormat

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
  ///   - flushesEachEvent: Whether to write out each event at once, as a live source needs.
  ///   - hasCrossed: Whether events say when the path met the edge: a table then has a column more.
  public init(
    format: EventFormat,
    selection: EventSelection = .standard,
    output: consuming OutputFile,
    layout: TextLayout = TextLayout(),
    flushesEachEvent: Bool = false,
    hasCrossed: Bool = false
  ) {
    self.format = format
    self.selection = selection
    self.output = output
    self.flushesEachEvent = flushesEachEvent
    writer =
      switch format {
      case .text: TextWriter(layout: layout)
      case .ndjson: NDJSONWriter()
      case .csv: CSVWriter(selection: selection, hasCrossed: hasCrossed)
      case .geojson: GeoJSONWriter()
      case .gpx: GPXWriter()
      }
  }

  /// Writes an event, if its kind is selected.
  ///
  /// - Throws: ``OutputFailure``, after which nothing more should be written.
  public mutating func write(_ event: Event) throws(OutputFailure) {
    guard selection.includes(event) else { return }
    beginIfNeeded()
    writer.write(event, to: &output.buffer)
    if flushesEachEvent {
      try output.flush()
    } else {
      try output.flushIfFull()
    }
  }

  /// Writes out what is buffered.
  public mutating func flush() throws(OutputFailure) {
    try output.flush()
  }

  /// Completes the document and finishes the output.
  ///
  /// Without events the document is empty but valid. Nothing may be written afterwards.
  public mutating func finish() throws(OutputFailure) {
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
