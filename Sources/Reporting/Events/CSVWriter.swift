package import Fencepost
import FencepostGeodesy

/// Writes a CSV table with a header and a row for each event (RFC 4180, CR LF).
///
/// The columns depend only on the selected kinds of events, so that tables of runs with the same
/// options fit together. Missing fields are empty. The reason of a reminder is the edge that fired
/// it. No text can run as a formula; see `OutputBuffer.append(csv:)`.
package struct CSVWriter: EventWriter {
  private let hasEncounters: Bool
  private let hasRefreshes: Bool
  private let hasSummaries: Bool
  private let hasCrossed: Bool

  /// Creates a writer with columns for the selection and, if wanted, for the time at the edge.
  package init(selection: EventSelection, hasCrossed: Bool = false) {
    self.hasCrossed = hasCrossed
    hasEncounters = !selection.isDisjoint(with: .encounters)
    (hasRefreshes, hasSummaries) = (selection.contains(.refresh), selection.contains(.summary))
  }

  package func begin(_ output: inout OutputBuffer) {
    output.append("type,track,device,segment,fix,fraction,time,lat,lon")
    if hasEncounters {
      output.append(",place,title,distance,across,reason,delivery,group,url,blurb,category")
      if hasCrossed { output.append(",crossed") }
    }
    if hasRefreshes { output.append(",monitored,added,removed,radius,reach,failure") }
    if hasSummaries {
      output.append(",fixes,segments,rejected,first,last,lengthMeters,refreshes,enters,exits")
      output.append(",alerts,suppressed,neverMonitored,certified,uncertifiedMeters,error")
      if hasCrossed { output.append(",dwells") }
    }
    output.append("\r\n")
  }

  package func write(_ event: Event, to output: inout OutputBuffer) {
    let encounter = event.encounter
    var (alert, refresh, summary): (Alert?, RefreshEvent?, TrackSummary?)
    switch event {
    case .alert(_, let it): alert = it
    case .refresh(let it): refresh = it
    case .summary(let it): summary = it
    default: break
    }
    output.append(verbatim: event.typeName)
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
      output.field(event.reason)
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
      output.field(summary?.certified)
      output.field(
        summary?.certified == nil ? nil : summary?.uncertifiedMeters, decimals: Decimals.meters)
      output.field(summary?.error)
      if hasCrossed { output.field(summary?.dwells) }
    }
    output.append("\r\n")
  }
}
