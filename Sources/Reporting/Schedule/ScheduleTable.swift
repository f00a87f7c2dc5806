import FencepostMonitoring
import FencepostNotifications

struct ScheduleTable {
  private let report: ScheduleReport
  private let layout: TextLayout
  private let labelColumns: Int
  private let valueColumns: Int

  init(report: ScheduleReport, layout: TextLayout) {
    self.report = report
    self.layout = layout
    let names = report.results.first?.byKind.map(\.kind.name.displayWidth) ?? []
    let longest = max(Self.leastLabelColumns, names.max() ?? 0)
    labelColumns = layout.cuts ? min(longest, 40) : longest
    let free = layout.columns - labelColumns
    valueColumns = min(
      Self.mostValueColumns, max(Self.leastValueColumns, free / max(1, report.results.count)))
  }

  /// The width of `  dropped in silence`.
  private static let leastLabelColumns = 20
  /// Wider columns are harder to read across.
  private static let mostValueColumns = 16
  /// The width of `25.9 to 38.8`, with a gap before it.
  private static let leastValueColumns = 14

  func write(to output: inout OutputBuffer) {
    let from = report.zone.text(milliseconds: report.fromMilliseconds)
    let to = report.zone.text(milliseconds: report.toMilliseconds)
    let reminders = counted(report.results.first?.reminders.count ?? 0, "reminder")
    output.append(verbatim: "\(reminders) from \(from) to \(to) on \(report.deviceName)\n\n")
    let names = ScheduleRow(label: "", cells: report.results.map(\.strategy.rawValue), isBold: true)
    for row in [names] + report.rows { write(row, to: &output) }
    ScheduleSentences(report: report).write(to: &output)
  }

  private func write(_ row: ScheduleRow, to output: inout OutputBuffer) {
    let style = layout.style(row.isBold ? .bold : .plain)
    output.begin(style)
    if row.cells.isEmpty {
      output.append(verbatim: row.label.forTerminal)
    } else {
      output.append(cell: row.label, columns: labelColumns)
      for cell in row.cells { output.append(cell: cell, columns: valueColumns, isRight: true) }
    }
    output.end(style)
    output.append(UInt8(ascii: "\n"))
  }
}

package struct ScheduleRow: Sendable {
  /// The label, with two spaces before it for each level below a heading.
  package var label: String
  /// Empty for a heading without values.
  package var cells: [String]
  package var isBold = false
}

extension ScheduleReport {
  /// Compares the strategies: what was due, shown and dropped, by kind and in all.
  package var rows: [ScheduleRow] {
    var rows: [ScheduleRow] = []
    for kind in results.first?.byKind.map(\.kind) ?? [] {
      rows.append(ScheduleRow(label: kind.name, cells: [], isBold: true))
      rows += tallies { result in result.byKind.first { $0.kind == kind }?.tally ?? result.total }
      rows += countsIfAny("  had to wait") { $0.evictions[kind.name] ?? 0 }
    }
    rows.append(ScheduleRow(label: "all kinds", cells: [], isBold: true))
    rows += tallies { $0.total }
    if results.contains(where: { $0.circles.count > 0 }) {
      rows.append(ScheduleRow(label: "circles", cells: [], isBold: true))
      rows.append(row("  watched") { "\($0.circles.watched)" })
      rows.append(row("  left out") { "\($0.circles.leftOut)" })
    }
    let reasons = results.map(\.countsByReason)
    for reason in FateReason.allCases where reasons.contains(where: { $0[reason] != nil }) {
      let cells = reasons.map { "\($0[reason] ?? 0)" }
      rows.append(ScheduleRow(label: "    \(reason.rawValue)", cells: cells))
    }
    rows += countsIfAny("  shown unexpectedly") { $0.extra }
    rows += rates
    rows.append(row("refreshes", isBold: true) { "\($0.refreshes)" })
    return rows + countsIfAny("  missed") { $0.missedRefreshes }
  }

  private func tallies(_ tally: (SimulationResult) -> SimulationTally) -> [ScheduleRow] {
    [
      row("  due") { "\(tally($0).due)" },
      row("  on time") { "\(tally($0).onTime)" },
      row("  late") { "\(tally($0).late)" },
      row("  dropped in silence") { "\(tally($0).dropped)" },
    ]
  }

  private var rates: [ScheduleRow] {
    [
      row("delivery rate", isBold: true) { result in
        result.deliveryRate.rate.map { percent($0) + " %" } ?? "-"
      },
      row("  95 % confidence") { result in
        result.deliveryRate.interval.map { "\(percent($0.low)) to \(percent($0.high))" } ?? "-"
      },
      row("  at least 95 %") { result in
        switch result.deliveryRate.gate() {
        case .passed: "yes"
        // The rate passes, but not its interval.
        case .passedUncertainly: "uncertain"
        case .failed: "no"
        case .unknown: "-"
        }
      },
    ]
  }

  private func countsIfAny(
    _ label: String, _ count: (SimulationResult) -> Int
  ) -> [ScheduleRow] {
    let counts = results.map(count)
    return counts.contains { $0 > 0 }
      ? [ScheduleRow(label: label, cells: counts.map(String.init))] : []
  }

  private func row(
    _ label: String, isBold: Bool = false, _ value: (SimulationResult) -> String
  ) -> ScheduleRow {
    ScheduleRow(label: label, cells: results.map(value), isBold: isBold)
  }

  private func percent(_ rate: Double) -> String {
    ReportNumber.fixed(rate * 100, decimals: 1)
  }
}
