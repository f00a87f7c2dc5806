public import Fencepost
import FencepostGeodesy

/// Writes a table: a header, then a row for each event (RFC 4180, lines end in CR LF).
///
/// The columns depend only on the selected kinds of events, so that the tables of two runs with the same
/// options fit together. A field that an event lacks is empty; a reminder's reason is the edge that fired
/// it. No text can run as a formula; see ``OutputBuffer/append(csv:)``.
public struct CSVWriter: EventWriter {
  private let hasEncounters: Bool
  private let hasRefreshes: Bool
  private let hasSummaries: Bool
  private let hasCrossed: Bool

  /// Makes a writer with the columns that the selected kinds of events need.
  ///
  /// - Parameters:
  ///   - selection: The kinds of events.
  ///   - hasCrossed: Whether events say when the path met the edge, and summaries count dwells.
  public init(selection: EventSelection, hasCrossed: Bool = false) {
    self.hasCrossed = hasCrossed
    self.hasEncounters = !selection.isDisjoint(with: .encounters)
    self.hasRefreshes = selection.contains(.refresh)
    self.hasSummaries = selection.contains(.summary)
  }

  /// Appends the header.
  public func begin(_ output: inout OutputBuffer) {
    output.append("type,track,device,segment,fix,fraction,time,lat,lon")
    if hasEncounters {
      output.append(",place,title,distance,across,reason,delivery,group,url,blurb,category")
      if hasCrossed { output.append(",crossed") }
    }
    if hasRefreshes {
      output.append(",monitored,added,removed,radius,reach,failure")
    }
    if hasSummaries {
      output.append(",fixes,segments,rejected,first,last,lengthMeters,refreshes,enters,exits")
      output.append(",alerts,suppressed,neverMonitored,certified,uncertifiedMeters,error")
      if hasCrossed { output.append(",dwells") }
    }
    output.append("\r\n")
  }

  /// Appends the event's row.
  public func write(_ event: Event, to output: inout OutputBuffer) {
    let encounter = event.encounter
    var alert: Alert?
    var reason: String?
    var refresh: RefreshEvent?
    var summary: TrackSummary?
    switch event {
    case .alert(_, let given): alert = given
    case .suppressed(_, let rule): reason = rule
    case .reminder(_, let edge): reason = edge.rawValue
    case .refresh(let found): refresh = found
    case .summary(let found): summary = found
    case .enter, .exit, .dwell: break
    }
    output.append(event.kind)
    output.field(encounter?.track ?? refresh?.track ?? summary?.track)
    output.field(encounter?.device ?? refresh?.device ?? summary?.device)
    output.field(encounter?.segment ?? refresh?.segment)
    output.field(encounter?.fix ?? refresh?.fix)
    output.field(encounter?.fraction ?? refresh?.fraction, decimals: Decimals.fraction)
    output.field(instant: encounter?.timeMilliseconds ?? refresh?.timeMilliseconds)
    let coordinate = encounter?.coordinate ?? refresh?.coordinate
    output.field(coordinate?.latitudeDegrees, decimals: Decimals.degrees)
    output.field(coordinate?.longitudeDegrees, decimals: Decimals.degrees)
    if hasEncounters {
      output.field(encounter?.placeID)
      output.field(encounter?.title)
      output.field(encounter?.distanceMeters, decimals: Decimals.meters)
      output.field(encounter?.acrossBreak == true ? "break" : nil)
      output.field(reason)
      output.field(instant: alert?.deliveryMilliseconds)
      output.field(alert?.group.joined(separator: ";"))
      output.field(encounter?.url)
      output.field(encounter?.blurb)
      output.field(encounter?.category)
      if hasCrossed { output.field(instant: encounter?.crossed?.timeMilliseconds) }
    }
    if hasRefreshes {
      output.field(refresh?.monitored)
      output.field(refresh?.added)
      output.field(refresh?.removed)
      output.field(refresh?.radiusMeters, decimals: Decimals.meters)
      output.field(refresh?.reachMeters, decimals: Decimals.meters)
      output.field(refresh?.failure)
    }
    if hasSummaries {
      output.field(summary?.fixes)
      output.field(summary?.segments)
      output.field(counts: summary?.rejected)
      output.field(instant: summary?.firstMilliseconds)
      output.field(instant: summary?.lastMilliseconds)
      output.field(summary?.lengthMeters, decimals: Decimals.meters)
      output.field(summary?.refreshes)
      output.field(summary?.enters)
      output.field(summary?.exits)
      output.field(summary?.alerts)
      output.field(counts: summary?.suppressed)
      output.field(summary?.neverMonitored)
      output.field(summary?.certified.map { $0 ? "true" : "false" })
      output.field(
        summary?.certified == nil ? nil : summary?.uncertifiedMeters, decimals: Decimals.meters)
      output.field(summary?.error)
      if hasCrossed { output.field(summary?.dwells) }
    }
    output.append("\r\n")
  }
}
