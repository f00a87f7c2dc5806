public import Fencepost
import Formats

/// Writes a table for people: a row an alert, headings where the track or the day changes, and a
/// block of sentences for each track's summary.
///
/// Times are UTC. Nothing in a title can drive the terminal; see `String.forTerminal`.
public struct TextWriter: Sendable {
  private let layout: TextLayout
  private var hasHeader = false
  /// What the last heading said.
  private var heading = ""
  /// Whether rows stand directly above.
  private var isInTable = false

  /// Makes a writer.
  public init(layout: TextLayout = TextLayout()) {
    self.layout = layout
  }

  /// Appends the event's row, or the summary's block.
  public mutating func write(_ event: Event, to output: inout ByteBuffer) {
    switch event {
    case .enter(let encounter):
      write(row(encounter, remarks: ["enter"]), to: &output)
    case .exit(let encounter):
      write(row(encounter, remarks: ["exit"]), to: &output)
    case .alert(let encounter, let alert):
      write(row(encounter, remarks: remarks(on: alert, of: encounter)), to: &output)
    case .suppressed(let encounter, let reason):
      var row = row(encounter, remarks: ["suppressed: \(reason)"])
      row.isFaint = true
      write(row, to: &output)
    case .reminder(let encounter, let edge):
      write(row(encounter, remarks: ["reminder, on \(edge.rawValue)"]), to: &output)
    case .refresh(let refresh):
      write(row(refresh), to: &output)
    case .summary(let summary):
      write(summary, to: &output)
    }
  }

  /// One line of the table.
  private struct Row {
    var heading: String
    var time: String
    var place: String
    var title: String
    var distance: String
    var remark: String
    var isFaint = false
  }

  private func row(_ encounter: Encounter, remarks: [String]) -> Row {
    let instant = TextInstant(encounter.timeMilliseconds)
    let across = encounter.acrossBreak ? ["across a break"] : []
    return Row(
      heading: heading(encounter.track, encounter.device, instant?.date),
      time: instant?.time ?? "fix \(encounter.fix)",
      place: encounter.placeID,
      title: encounter.title,
      distance: TextNumber.distance(encounter.distanceMeters),
      remark: (remarks + across).joined(separator: "; "))
  }

  private func remarks(on alert: Alert, of encounter: Encounter) -> [String] {
    var remarks: [String] = []
    if alert.deliveryMilliseconds != encounter.timeMilliseconds,
      let delivery = TextInstant(alert.deliveryMilliseconds)
    {
      remarks.append("delivered \(delivery.time)")
    }
    if !alert.group.isEmpty { remarks.append("with \(alert.group.joined(separator: ", "))") }
    return remarks
  }

  private func row(_ refresh: RefreshEvent) -> Row {
    let instant = TextInstant(refresh.timeMilliseconds)
    return Row(
      heading: heading(refresh.track, refresh.device, instant?.date),
      time: instant?.time ?? "fix \(refresh.fix)",
      place: "",
      title: "\(refresh.monitored) monitored, +\(refresh.added) -\(refresh.removed)",
      distance: refresh.radiusMeters.map(TextNumber.distance) ?? "",
      remark: refresh.failure.map { "refresh failed: \($0)" } ?? "refresh",
      isFaint: true)
  }

  private func heading(_ track: String, _ device: String?, _ date: String?) -> String {
    let name = device.map { "\(track) (\($0))" } ?? track
    return date.map { "\(name), \($0) UTC" } ?? name
  }

  private mutating func write(_ row: Row, to output: inout ByteBuffer) {
    if !hasHeader {
      hasHeader = true
      write(header: "TIME", "PLACE", "TITLE", "DISTANCE", "REMARK", to: &output)
    }
    if row.heading != heading || !isInTable {
      if isInTable { output.append(UInt8(ascii: "\n")) }
      heading = row.heading
      output.append(line: heading, style: layout.isStyled ? .bold : .plain)
    }
    isInTable = true
    output.begin(row.isFaint && layout.isStyled ? .faint : .plain)
    write(row.time, row.place, row.title, row.distance, row.remark, to: &output)
    output.end(row.isFaint && layout.isStyled ? .faint : .plain)
    output.append(UInt8(ascii: "\n"))
  }

  private func write(
    header time: String, _ place: String, _ title: String, _ distance: String, _ remark: String,
    to output: inout ByteBuffer
  ) {
    output.begin(layout.isStyled ? .bold : .plain)
    write(time, place, title, distance, remark, to: &output)
    output.end(layout.isStyled ? .bold : .plain)
    output.append(UInt8(ascii: "\n"))
  }

  private func write(
    _ time: String, _ place: String, _ title: String, _ distance: String, _ remark: String,
    to output: inout ByteBuffer
  ) {
    output.append(cell: time, columns: TextLayout.timeColumns)
    output.append("  ")
    output.append(cell: place, columns: layout.placeColumns)
    output.append("  ")
    output.append(cell: title, columns: layout.titleColumns)
    output.append("  ")
    output.append(cell: distance, columns: TextLayout.distanceColumns, isRight: true)
    guard !remark.isEmpty else { return }
    output.append("  ")
    let shown = remark.forTerminal
    output.append(
      verbatim: layout.cutsRemarks ? shown.cut(toColumns: layout.remarkColumns) : shown)
  }

  private mutating func write(_ summary: TrackSummary, to output: inout ByteBuffer) {
    if isInTable { output.append(UInt8(ascii: "\n")) }
    isInTable = false
    let name = summary.device.map { "\(summary.track) (\($0))" } ?? summary.track
    output.append(line: name, style: layout.isStyled ? .bold : .plain)
    for sentence in summary.sentences {
      output.append("  ")
      output.append(line: sentence, style: .plain)
    }
    output.append(UInt8(ascii: "\n"))
  }
}
