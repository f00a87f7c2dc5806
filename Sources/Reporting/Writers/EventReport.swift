public import Fencepost

/// Events on their way into an output, in the form and of the kinds that the user chose.
///
/// ```swift
/// var report = EventReport(
///   format: .ndjson, selection: .standard, output: try OutputFile(path: path))
/// try report.write(event)
/// try report.finish()
/// ```
public struct EventReport: ~Copyable, Sendable {
  /// Which kinds of events are written; the others are passed over, and need not be made.
  public let selection: EventSelection
  /// The form.
  public let format: EventFormat

  private var output: OutputFile
  private let flushesEachEvent: Bool
  private var hasBegun = false

  private let ndjson = NDJSONWriter()
  private let csv: CSVWriter
  private var geojson = GeoJSONWriter()
  private var gpx = GPXWriter()
  private var text: TextWriter

  /// Makes a report.
  ///
  /// - Parameters:
  ///   - format: the form.
  ///   - selection: the kinds of events that are written.
  ///   - output: where the bytes go; the report finishes it.
  ///   - layout: how wide and how plain the text form is.
  ///   - flushesEachEvent: whether each event leaves at once, for whoever follows a live source.
  public init(
    format: EventFormat,
    selection: EventSelection = .standard,
    output: consuming OutputFile,
    layout: TextLayout = TextLayout(),
    flushesEachEvent: Bool = false
  ) {
    self.format = format
    self.selection = selection
    self.output = output
    self.flushesEachEvent = flushesEachEvent
    self.csv = CSVWriter(selection: selection)
    self.text = TextWriter(layout: layout)
  }

  /// Writes an event, if its kind is selected.
  ///
  /// - Throws: ``OutputFailure``, after which nothing more should be written.
  public mutating func write(_ event: Event) throws(OutputFailure) {
    guard selection.includes(event) else { return }
    beginIfNeeded()
    switch format {
    case .text: text.write(event, to: &output.buffer)
    case .ndjson: ndjson.write(event, to: &output.buffer)
    case .csv: csv.write(event, to: &output.buffer)
    case .geojson: geojson.write(event, to: &output.buffer)
    case .gpx: gpx.write(event, to: &output.buffer)
    }
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
  /// The document is valid even if there were no events. Nothing may be written afterwards.
  public mutating func finish() throws(OutputFailure) {
    beginIfNeeded()
    switch format {
    case .text, .ndjson, .csv: break
    case .geojson: geojson.end(&output.buffer)
    case .gpx: gpx.end(&output.buffer)
    }
    try output.finish()
  }

  private mutating func beginIfNeeded() {
    guard !hasBegun else { return }
    hasBegun = true
    switch format {
    case .text, .ndjson: break
    case .csv: csv.begin(&output.buffer)
    case .geojson: geojson.begin(&output.buffer)
    case .gpx: gpx.begin(&output.buffer)
    }
  }
}
