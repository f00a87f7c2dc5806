public import Fencepost
import FencepostMonitoring

/// Writes a table: a header, then a row for each event (RFC 4180, lines end in CR LF).
///
/// The columns depend only on the selected kinds of events, so that the tables of two runs with the same
/// options fit together. A field that an event lacks is empty; a reminder's reason is the edge that fired
/// it. No text can run as a formula; see ``OutputBuffer/append(csv:)``.
public struct CSVWriter: EventWriter {
  private let hasEncounters: Bool
  private let hasRefreshes: Bool
  private let hasSummaries: Bool

  /// Makes a writer with the columns that the selected kinds of events need.
  public init(selection: EventSelection) {
    self.hasEncounters = !selection.isDisjoint(with: .encounters)
    self.hasRefreshes = selection.contains(.refresh)
    self.hasSummaries = selection.contains(.summary)
  }

  /// Appends the header.
  public func begin(_ output: inout OutputBuffer) {
    output.append("type,track,device,segment,fix,fraction,time,lat,lon")
    if hasEncounters {
      output.append(",place,title,distance,across,reason,delivery,group,url,blurb,category")
    }
    if hasRefreshes {
      output.append(",monitored,added,removed,radius,reach,failure")
    }
    if hasSummaries {
      output.append(",fixes,segments,rejected,first,last,lengthMeters,refreshes,enters,exits")
      output.append(",alerts,suppressed,neverMonitored,certified,uncertifiedMeters,error")
    }
    output.append("\r\n")
  }

  /// Appends the event's row.
  public func write(_ event: Event, to output: inout OutputBuffer) {
    switch event {
    case .enter(let encounter):
      output.append("enter")
      write(encounter, to: &output)
    case .exit(let encounter):
      output.append("exit")
      write(encounter, to: &output)
    case .alert(let encounter, let alert):
      output.append("alert")
      write(encounter, alert: alert, to: &output)
    case .suppressed(let encounter, let reason):
      output.append("suppressed")
      write(encounter, reason: reason, to: &output)
    case .reminder(let encounter, let edge):
      output.append("reminder")
      write(encounter, reason: edge.rawValue, to: &output)
    case .refresh(let refresh):
      output.append("refresh")
      write(refresh, to: &output)
    case .summary(let summary):
      output.append("summary")
      write(summary, to: &output)
    }
    output.append("\r\n")
  }

  private func write(
    _ encounter: Encounter, alert: Alert? = nil, reason: String = "", to output: inout OutputBuffer
  ) {
    output.field(encounter.track)
    output.field(encounter.device)
    output.field(encounter.segment)
    output.field(encounter.fix)
    output.field(encounter.fraction, decimals: Decimals.fraction)
    output.field(instant: encounter.timeMilliseconds)
    output.field(encounter.coordinate)
    if hasEncounters {
      output.field(encounter.placeID)
      output.field(encounter.title)
      output.field(encounter.distanceMeters, decimals: Decimals.meters)
      output.field(encounter.acrossBreak ? "break" : "")
      output.field(reason)
      output.field(instant: alert.map(\.deliveryMilliseconds) ?? nil)
      output.field(alert?.group.joined(separator: ";"))
      output.field(encounter.url)
      output.field(encounter.blurb)
      output.field(encounter.category)
    }
    if hasRefreshes { output.emptyFields(6) }
    if hasSummaries { output.emptyFields(15) }
  }

  private func write(_ refresh: RefreshEvent, to output: inout OutputBuffer) {
    output.field(refresh.track)
    output.field(refresh.device)
    output.field(refresh.segment)
    output.field(refresh.fix)
    output.field(refresh.fraction, decimals: Decimals.fraction)
    output.field(instant: refresh.timeMilliseconds)
    output.field(refresh.coordinate)
    if hasEncounters { output.emptyFields(10) }
    if hasRefreshes {
      output.field(refresh.monitored)
      output.field(refresh.added)
      output.field(refresh.removed)
      output.field(refresh.radiusMeters, decimals: Decimals.meters)
      output.field(refresh.reachMeters, decimals: Decimals.meters)
      output.field(refresh.failure)
    }
    if hasSummaries { output.emptyFields(15) }
  }

  private func write(_ summary: TrackSummary, to output: inout OutputBuffer) {
    output.field(summary.track)
    output.field(summary.device)
    output.emptyFields(6)
    if hasEncounters { output.emptyFields(10) }
    if hasRefreshes { output.emptyFields(6) }
    if hasSummaries {
      output.field(summary.fixes)
      output.field(summary.segments)
      output.field(counts: summary.rejected)
      output.field(instant: summary.firstMilliseconds)
      output.field(instant: summary.lastMilliseconds)
      output.field(summary.lengthMeters, decimals: Decimals.meters)
      output.field(summary.refreshes)
      output.field(summary.enters)
      output.field(summary.exits)
      output.field(summary.alerts)
      output.field(counts: summary.suppressed)
      output.field(summary.neverMonitored)
      output.field(summary.certified.map { $0 ? "true" : "false" })
      output.field(
        summary.certified == nil ? nil : summary.uncertifiedMeters, decimals: Decimals.meters)
      output.field(summary.error)
    }
  }
}
