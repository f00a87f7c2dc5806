import FencepostMonitoring
package import FencepostNotifications

/// Shows what a phone holds at one moment, and what waits for a slot.
///
/// It answers what the phone would list as its pending notifications just then. The strategy runs
/// from the start of the period up to that moment. What waits is what its last plan left out; a
/// strategy that does not plan has no reasons.
package struct SchedulePlan: Sendable {
  private let strategy: ScheduleStrategy
  private let milliseconds: Int64
  private let report: ScheduleReport
  private let kinds: KindRegistry
  private let pending: [NotificationRequest]
  private let plan: BudgetPlan

  /// Plans for a time in milliseconds since 1970; the report has the phone and the time zone.
  package init(
    of simulation: ScheduleSimulation, under strategy: ScheduleStrategy,
    atMilliseconds milliseconds: Int64, kinds: KindRegistry, in report: ScheduleReport
  ) {
    (self.strategy, self.milliseconds) = (strategy, milliseconds)
    (self.kinds, self.report) = (kinds, report)
    (pending, plan) = simulation.plan(under: strategy, atMilliseconds: milliseconds)
  }

  /// A request that is pending or waits, as all formats show it.
  private struct Line {
    var isPending: Bool
    var request: NotificationRequest
    /// In milliseconds since 1970; nil for a circle.
    var fires: Int64?
    var kind: String
    var reason: String
    var displacedBy: String?

    /// The type of the line in NDJSON.
    var state: String { isPending ? "pending" : "waiting" }
  }

  /// The pending requests, the soonest first, then those that wait in the order of their ranks.
  ///
  /// Those without a time, such as requests at a circle, come first.
  private var lines: [Line] {
    let reasons = Dictionary(
      plan.scheduled.map { ($0.request.identifier, $0.reason.rawValue) }, uniquingKeysWith: { $1 })
    let held = pending.map { request in
      line(request, isPending: true, reasons[request.identifier] ?? "added")
    }.sorted {
      ($0.fires ?? .min, $0.request.identifier) < ($1.fires ?? .min, $1.request.identifier)
    }
    return held
      + plan.waiting.map { item in
        line(item.request, isPending: false, item.reason.rawValue, behind: item.displacedBy)
      }
  }

  /// Makes the line of a request, with the next time that it fires.
  private func line(
    _ request: NotificationRequest, isPending: Bool, _ reason: String, behind other: String? = nil
  ) -> Line {
    var fires: Int64?
    let next = request.nextFire(afterMilliseconds: milliseconds, in: report.zone)
    if case .at(let time) = next { fires = time }
    return Line(
      isPending: isPending, request: request, fires: fires,
      kind: kinds.kind(ofIdentifier: request.identifier).name, reason: reason, displacedBy: other)
  }

  /// The heading of CSV, before the plans.
  package static let csvHeader: StaticString =
    "strategy,state,request,kind,fires,reason,displacedBy\r\n"

  /// Writes the plan in a format; the caller writes the CSV header once and finishes the output.
  package func write(
    as format: ScheduleReport.Format, layout: TextLayout, to output: inout OutputFile
  ) throws(OutputFailure) {
    switch format {
    case .text: writeText(layout, to: &output.buffer)
    case .ndjson:
      for line in lines {
        output.buffer.appendLine {
          $0.member("type", line.state)
          $0.member("strategy", strategy.rawValue)
          $0.member("request", line.request.identifier)
          $0.member("title", line.request.content.title)
          $0.member("kind", line.kind)
          $0.member("fires", jsonTime: line.fires)
          $0.member("reason", line.reason)
          if let other = line.displacedBy { $0.member("displacedBy", other) }
        }
        try output.flushIfFull()
      }
    case .csv:
      for line in lines {
        output.buffer.append(csv: strategy.rawValue)
        output.buffer.fields(line.state, line.request.identifier, line.kind)
        output.buffer.fields(instants: line.fires)
        output.buffer.fields(line.reason, line.displacedBy)
        output.buffer.append("\r\n")
        try output.flushIfFull()
      }
    }
  }

  /// Appends a heading with the counts, and a table of the requests.
  private func writeText(_ layout: TextLayout, to output: inout OutputBuffer) {
    let time = LocalTime(atMilliseconds: milliseconds, in: report.zone)
    let limit = report.slots.map { " of \($0)" } ?? ""
    layout.writeHeading(
      "\(strategy.rawValue) at \(time): \(pending.count)\(limit) pending, "
        + "\(plan.waiting.count) waiting", to: &output)
    let rows = lines.map { line in
      let fires = line.fires.map { "\(LocalTime(atMilliseconds: $0, in: report.zone))" }
      let behind = line.displacedBy.map { ", behind \($0)" } ?? ""
      return [
        line.request.identifier, line.kind, fires ?? "at its circle",
        (line.isPending ? "" : "waits: ") + line.reason + behind,
      ]
    }
    guard !rows.isEmpty else { return }
    TextTable([.left("REQUEST"), .left("KIND"), .left("FIRES"), .left("WHY")], rows)
      .write(to: &output, layout: layout)
  }
}
