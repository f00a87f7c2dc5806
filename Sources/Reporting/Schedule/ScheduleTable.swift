import FencepostMonitoring
import FencepostNotifications

/// Shows strategies side by side, one per column.
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
    let reminders = counted(
      report.results.first?.reminders.count ?? 0, "reminder", "reminders")
    output.append(verbatim: "\(reminders) from \(from) to \(to) on \(report.deviceName)\n\n")
    row("", style: .bold, to: &output) { $0.strategy.rawValue }
    for kind in report.results.first?.byKind.map(\.kind) ?? [] {
      values(kind.name, style: .bold, to: &output, [])
      tallies(to: &output) { result in
        result.byKind.first { $0.kind == kind }?.tally ?? result.total
      }
      countsIfAny("  had to wait", to: &output) { $0.evictions[kind.name] ?? 0 }
    }
    values("all kinds", style: .bold, to: &output, [])
    tallies(to: &output) { $0.total }
    if report.results.contains(where: { $0.circles.count > 0 }) {
      values("circles", style: .bold, to: &output, [])
      row("  watched", to: &output) { "\($0.circles.watched)" }
      row("  left out", to: &output) { "\($0.circles.leftOut)" }
    }
    reasons(to: &output)
    countsIfAny("  shown unexpectedly", to: &output) { $0.extra }
    rates(to: &output)
    row("refreshes", style: .bold, to: &output) { "\($0.refreshes)" }
    countsIfAny("  missed", to: &output) { $0.missedRefreshes }
    ScheduleSentences(report: report).write(to: &output)
  }

  private func tallies(
    to output: inout OutputBuffer, _ tally: (SimulationResult) -> SimulationTally
  ) {
    row("  due", to: &output) { "\(tally($0).due)" }
    row("  on time", to: &output) { "\(tally($0).onTime)" }
    row("  late", to: &output) { "\(tally($0).late)" }
    row("  dropped in silence", to: &output) { "\(tally($0).dropped)" }
  }

  private func reasons(to output: inout OutputBuffer) {
    let counts = report.results.map(\.countsByReason)
    for reason in FateReason.allCases where counts.contains(where: { $0[reason] != nil }) {
      values("    \(reason.rawValue)", to: &output, counts.map { "\($0[reason] ?? 0)" })
    }
  }

  private func rates(to output: inout OutputBuffer) {
    row("delivery rate", style: .bold, to: &output) { result in
      result.deliveryRate.rate.map { percent($0) + " %" } ?? "-"
    }
    row("  95 % confidence", to: &output) { result in
      result.deliveryRate.interval.map { "\(percent($0.low)) to \(percent($0.high))" } ?? "-"
    }
    row("  at least 95 %", to: &output) { result in
      switch result.deliveryRate.gate() {
      case .passed: "yes"
      // The rate passes, but not its interval.
      case .passedUncertainly: "uncertain"
      case .failed: "no"
      case .unknown: "-"
      }
    }
  }

  private func countsIfAny(
    _ label: String, to output: inout OutputBuffer, _ count: (SimulationResult) -> Int
  ) {
    let counts = report.results.map(count)
    guard counts.contains(where: { $0 > 0 }) else { return }
    values(label, to: &output, counts.map(String.init))
  }

  private func row(
    _ label: String, style: TextStyle = .plain, to output: inout OutputBuffer,
    _ value: (SimulationResult) -> String
  ) {
    values(label, style: style, to: &output, report.results.map(value))
  }

  private func values(
    _ label: String, style: TextStyle = .plain, to output: inout OutputBuffer, _ cells: [String]
  ) {
    let style = layout.isStyled ? style : .plain
    output.begin(style)
    if cells.isEmpty {
      output.append(verbatim: label.forTerminal)
    } else {
      output.append(cell: label, columns: labelColumns)
      for cell in cells { output.append(cell: cell, columns: valueColumns, isRight: true) }
    }
    output.end(style)
    output.append(UInt8(ascii: "\n"))
  }

  private func percent(_ rate: Double) -> String {
    ReportNumber.fixed(rate * 100, decimals: 1)
  }
}
