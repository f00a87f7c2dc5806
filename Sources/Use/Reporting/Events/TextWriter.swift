package import FencepostSession
import FencepostFormats
package import FencepostNotifications

/// Writes a table for people, with headings for tracks and days, and summaries in sentences.
///
/// Times are in the given zone, with its UTC offset in the heading. No title can control the
/// terminal; see `String.forTerminal`.
///
/// The rows below a heading are written together, with columns as wide as these rows need and never
/// narrower than before; long ids and titles are cut. A live source gets each row at once. Its
/// columns then grow as longer ids come.
package struct TextWriter: EventWriter {
  private let layout: TextLayout
  private let zone: ClockZone
  /// How many rows wait for their common widths.
  private let mostRows: Int
  private var hasHeader = false
  private var heading = ""
  private var isInTable = false
  /// Whether the rows that wait are the first below their heading.
  private var isHeadingDue = false
  /// Whether rows precede, without a summary between.
  private var hasRowsAbove = false
  /// The rows that wait, all below the same heading.
  private var rows: [Row] = []
  private var placeColumns = "PLACE".count
  private var titleColumns = "TITLE".count

  /// Creates a writer; `writesAtOnce` is for live sources, whose rows cannot wait for each other.
  package init(
    layout: TextLayout = TextLayout(), zone: ClockZone = .utc, writesAtOnce: Bool = false
  ) {
    self.layout = layout
    self.zone = zone
    mostRows = writesAtOnce ? 1 : 4096
  }

  /// Writes the rows that wait.
  package mutating func end(_ output: inout OutputBuffer) { writeRows(to: &output) }

  /// Writes a summary at once, and a row together with others below the same heading.
  package mutating func write(_ event: Event, to output: inout OutputBuffer) {
    var remarks = [event.typeName]
    var isFaint = false
    switch event {
    case .enter, .exit, .dwell: break
    case .alert(let encounter, let alert): remarks = self.remarks(on: alert, of: encounter)
    case .suppressed(_, let reason): (remarks, isFaint) = (["held back: \(reason)"], true)
    case .reminder(let encounter, let edge):
      remarks = ["reminder, on \(edge.rawValue)"]
      if let by = encounter.displacedBy { remarks.append("not shown: \(by) filled its second") }
    case .refresh(let refresh): write(row(refresh), to: &output)
    case .summary(let summary): write(summary, to: &output)
    }
    guard let encounter = event.encounter else { return }
    var row = row(encounter, remarks: remarks)
    row.isFaint = isFaint
    write(row, to: &output)
  }

  /// A line of the table before the widths of its columns are known.
  private struct Row {
    /// The track, device and day that the row stands below.
    var heading: String
    /// Time, place, title, distance and remark.
    var cells: [String]
    var isFaint = false
  }

  private func row(_ encounter: Encounter, remarks: [String]) -> Row {
    let instant = TextInstant(encounter.timeMilliseconds, in: zone)
    var remarks = remarks + (encounter.isAcrossBreak ? ["across a break"] : [])
    // When the path met the edge, if at another time.
    if let crossed = encounter.crossed?.timeMilliseconds, crossed != encounter.timeMilliseconds,
      let instant = TextInstant(crossed, in: zone)
    {
      remarks.append("crossed \(instant.time)")
    }
    return Row(
      heading: heading(encounter.track, encounter.device, instant),
      cells: [
        instant?.time ?? "fix \(encounter.fix)", encounter.placeID, encounter.title,
        ReportNumber.fullDistance(encounter.distanceMeters),
        remarks.joined(separator: "; "),
      ])
  }

  /// What is special about an alert: a later delivery, or other stories shown with it.
  private func remarks(on alert: Alert, of encounter: Encounter) -> [String] {
    var remarks: [String] = []
    if alert.deliveryMilliseconds != encounter.timeMilliseconds,
      let delivery = TextInstant(alert.deliveryMilliseconds, in: zone)
    {
      remarks.append("delivered \(delivery.time)")
    }
    if !alert.group.isEmpty { remarks.append("with \(alert.group.joined(separator: ", "))") }
    return remarks
  }

  private func row(_ refresh: RefreshEvent) -> Row {
    let instant = TextInstant(refresh.timeMilliseconds, in: zone)
    return Row(
      heading: heading(refresh.track, refresh.device, instant),
      cells: [
        instant?.time ?? "fix \(refresh.fix)", "",
        "\(refresh.monitored) watched, +\(refresh.added) -\(refresh.removed)",
        refresh.radiusMeters.map(ReportNumber.fullDistance) ?? "",
        refresh.failure.map { "lookup failed: \($0)" } ?? "lookup",
      ], isFaint: true)
  }

  /// The track with its device, and the day with its UTC offset if times are known.
  private func heading(_ track: String, _ device: String?, _ instant: TextInstant?) -> String {
    let name = device.map { "\(track) (\($0))" } ?? track
    return instant.map { "\(name), \($0.date) \($0.offset)" } ?? name
  }

  /// Keeps a row, and writes those before it if it has another heading.
  private mutating func write(_ row: Row, to output: inout OutputBuffer) {
    if row.heading != heading || !isInTable {
      writeRows(to: &output)
      heading = row.heading
      isHeadingDue = true
    }
    isInTable = true
    rows.append(row)
    if rows.count == mostRows { writeRows(to: &output) }
  }

  /// Writes the rows that wait, below their heading if it is still due.
  private mutating func writeRows(to output: inout OutputBuffer) {
    guard !rows.isEmpty else { return }
    for row in rows {
      placeColumns = max(placeColumns, min(layout.placeColumns, row.cells[1].displayWidth))
      titleColumns = max(titleColumns, min(layout.titleColumns, row.cells[2].displayWidth))
    }
    if !hasHeader {
      hasHeader = true
      write(["TIME", "PLACE", "TITLE", "DISTANCE", "REMARK"], style: .bold, to: &output)
    }
    if isHeadingDue {
      if hasRowsAbove { output.append(UInt8(ascii: "\n")) }
      output.append(line: heading, style: layout.style(.bold))
      isHeadingDue = false
    }
    for row in rows { write(row.cells, style: row.isFaint ? .faint : .plain, to: &output) }
    hasRowsAbove = true
    rows.removeAll(keepingCapacity: true)
  }

  private func write(_ cells: [String], style: TextStyle, to output: inout OutputBuffer) {
    let style = layout.style(style)
    output.begin(style)
    output.append(cell: cells[0], columns: TextLayout.timeColumns)
    output.append("  ")
    output.append(cell: cells[1], columns: placeColumns, isName: true)
    output.append("  ")
    output.append(cell: cells[2], columns: titleColumns)
    output.append("  ")
    output.append(cell: cells[3], columns: TextLayout.distanceColumns, isRight: true)
    if let remark = cells.last, !remark.isEmpty {
      output.append("  ")
      let shown = remark.forTerminal
      output.append(verbatim: layout.cuts ? shown.cut(toColumns: layout.remarkColumns) : shown)
    }
    output.end(style)
    output.append(UInt8(ascii: "\n"))
  }

  private mutating func write(_ summary: TrackSummary, to output: inout OutputBuffer) {
    writeRows(to: &output)
    if hasRowsAbove { output.append(UInt8(ascii: "\n")) }
    isInTable = false
    hasRowsAbove = false
    let name = summary.device.map { "\(summary.track) (\($0))" } ?? summary.track
    output.append(line: name, style: layout.style(.bold))
    for sentence in summary.sentences(in: zone) {
      output.append("  ")
      output.append(line: sentence, style: .plain)
    }
    output.append(UInt8(ascii: "\n"))
  }
}
