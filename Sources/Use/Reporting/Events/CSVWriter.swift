package import FencepostSession
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

  /// Appends the header, whose columns every row has.
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

  /// Appends a row; columns that another kind of event has stay empty.
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
    output.fields(
      encounter?.track ?? refresh?.track ?? summary?.track,
      encounter?.device ?? refresh?.device ?? summary?.device)
    output.fields(encounter?.segment ?? refresh?.segment, encounter?.fix ?? refresh?.fix)
    output.fields(encounter?.fraction ?? refresh?.fraction, decimals: Decimals.fraction)
    output.fields(instants: encounter?.timeMilliseconds ?? refresh?.timeMilliseconds)
    let coordinate = event.coordinate
    output.fields(
      coordinate?.latitudeDegrees, coordinate?.longitudeDegrees, decimals: Decimals.degrees)
    if hasEncounters {
      output.fields(encounter?.placeID, encounter?.title)
      output.fields(encounter?.distanceMeters, decimals: Decimals.meters)
      output.fields(encounter?.isAcrossBreak == true ? "break" : nil, event.reason)
      output.fields(instants: alert?.deliveryMilliseconds)
      output.fields(
        alert?.group.joined(separator: ";"), encounter?.url, encounter?.blurb, encounter?.category)
      if hasCrossed { output.fields(instants: encounter?.crossed?.timeMilliseconds) }
    }
    if hasRefreshes {
      output.fields(refresh?.monitored, refresh?.added, refresh?.removed)
      output.fields(refresh?.radiusMeters, refresh?.reachMeters, decimals: Decimals.meters)
      output.fields(refresh?.failure)
    }
    if hasSummaries {
      output.fields(summary?.fixes, summary?.segments)
      output.field(counts: summary?.rejected)
      output.fields(instants: summary?.firstMilliseconds, summary?.lastMilliseconds)
      output.fields(summary?.lengthMeters, decimals: Decimals.meters)
      output.fields(summary?.refreshes, summary?.enters, summary?.exits, summary?.alerts)
      output.field(counts: summary?.suppressed)
      output.fields(summary?.neverMonitored)
      output.fields(summary?.certified)
      output.fields(
        summary?.certified == nil ? nil : summary?.uncertifiedMeters, decimals: Decimals.meters)
      output.fields(summary?.error)
      if hasCrossed { output.fields(summary?.dwells) }
    }
    output.append("\r\n")
  }
}
