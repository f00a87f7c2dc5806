package import FencepostSession
import FencepostFixes
import FencepostMonitoring

extension Event {
  /// The `type` in NDJSON.
  package var typeName: String {
    switch self {
    case .enter: "enter"
    case .exit: "exit"
    case .dwell: "dwell"
    case .alert: "alert"
    case .suppressed: "suppressed"
    case .reminder: "reminder"
    case .refresh: "refresh"
    case .summary: "summary"
    }
  }
}

extension OutputBuffer {
  /// Appends the JSON object of an event, as in an NDJSON line but without the line end.
  ///
  /// `type` comes first. Members that would say nothing are left out; a time, distance or error
  /// that is unknown is `null`. Scripts read these members, so a new one is added, and none is
  /// renamed.
  package mutating func append(jsonObject event: Event) {
    appendObject {
      $0.member("type", event.typeName)
      switch event {
      case .enter(let encounter), .exit(let encounter), .dwell(let encounter):
        $0.members(of: encounter)
      case .alert(let encounter, let alert):
        $0.members(of: encounter)
        $0.members(of: alert, for: encounter)
      case .suppressed(let encounter, let reason):
        $0.members(of: encounter)
        $0.member("reason", reason)
      case .reminder(let encounter, let edge):
        $0.members(of: encounter, idKey: "reminder")
        $0.member("edge", edge.rawValue)
        if let other = encounter.displacedBy { $0.member("displacedBy", other) }
      case .refresh(let refresh): $0.members(of: refresh)
      case .summary(let summary): $0.members(of: summary)
      }
    }
  }

  /// Appends where, when and at which place something happened.
  ///
  /// `fraction` is the part of the way from the fix before to `fix`, 0 to 1. `distance` is measured
  /// to the center, in meters. A reminder has its id under another key than a place.
  private mutating func members(of encounter: Encounter, idKey: StaticString = "place") {
    members(track: encounter.track, device: encounter.device)
    member("segment", encounter.segment)
    member("fix", encounter.fix)
    member("fraction", encounter.fraction, decimals: Decimals.fraction)
    member("time", jsonTime: encounter.timeMilliseconds)
    members(of: encounter.coordinate)
    member(idKey, encounter.placeID)
    member("title", encounter.title)
    member("distance", encounter.distanceMeters, decimals: Decimals.meters)
    if encounter.isAcrossBreak { member("across", "break") }
    if let crossed = encounter.crossed { member("crossed", jsonTime: crossed.timeMilliseconds) }
  }

  /// Appends what only an alert has: details of the story, and a delayed delivery.
  private mutating func members(of alert: Alert, for encounter: Encounter) {
    if !encounter.url.isEmpty { member("url", encounter.url) }
    if !encounter.blurb.isEmpty { member("blurb", encounter.blurb) }
    if !encounter.category.isEmpty { member("category", encounter.category) }
    if alert.deliveryMilliseconds != encounter.timeMilliseconds {
      member("delivery", jsonTime: alert.deliveryMilliseconds)
    }
    if !alert.group.isEmpty { array("group", alert.group) { $0.append(json: $1) } }
  }

  /// Appends a lookup: the point, what changed, and how far it holds.
  ///
  /// `radius` and `reach` are in meters. `added` and `removed` count circles.
  private mutating func members(of refresh: RefreshEvent) {
    members(track: refresh.track, device: refresh.device)
    member("segment", refresh.segment)
    member("fix", refresh.fix)
    member("fraction", refresh.fraction, decimals: Decimals.fraction)
    member("time", jsonTime: refresh.timeMilliseconds)
    members(of: refresh.coordinate)
    member("monitored", refresh.monitored)
    member("added", refresh.added)
    member("removed", refresh.removed)
    member("radius", refresh.radiusMeters, decimals: Decimals.meters)
    if let reachMeters = refresh.reachMeters {
      member("reach", reachMeters, decimals: Decimals.meters)
    }
    if let failure = refresh.failure { member("failure", failure) }
  }

  /// Appends the track, and the device if a live source has several.
  private mutating func members(track: String, device: String?) {
    member("track", track)
    if let device { member("device", device) }
  }

  // MARK: Summaries

  /// Appends the totals of a track.
  ///
  /// Counts that only some rules have, such as dwells, misses and certified stretches, are left out
  /// where the rule has none.
  private mutating func members(of summary: TrackSummary) {
    members(track: summary.track, device: summary.device)
    member("fixes", summary.fixes)
    member("segments", summary.segments)
    member("rejected", counts: summary.rejected)
    member("first", jsonTime: summary.firstMilliseconds)
    member("last", jsonTime: summary.lastMilliseconds)
    member("lengthMeters", summary.lengthMeters, decimals: Decimals.meters)
    let breaks = summary.remarks.breaks
    if breaks.gaps > 0 { member("gaps", breaks.gaps) }
    if breaks.jumps > 0 { member("jumps", breaks.jumps) }
    member("refreshes", summary.refreshes)
    member("enters", summary.enters)
    member("exits", summary.exits)
    if let dwells = summary.dwells { member("dwells", dwells) }
    member("alerts", summary.alerts)
    member("suppressed", counts: summary.suppressed)
    if let neverMonitored = summary.neverMonitored { member("neverMonitored", neverMonitored) }
    if let misses = summary.misses {
      member("missed", misses.missed)
      member("foundLate", misses.foundLate)
    }
    if let certified = summary.certified { member("certified", certified) }
    if !summary.uncertified.isEmpty { members(of: summary.uncertified) }
    if let order = summary.order { member("order", order.rawValue) }
    if let late = summary.lateness {
      object("late") {
        $0.member("fixes", late.count)
        $0.member("mostSeconds", late.greatestSeconds, decimals: 1)
      }
    }
    if let budget = summary.budget {
      key("budget")
      append(json: budget)
    }
    member("error", summary.error)
  }

  /// Appends the stretches along which an unwatched circle may have been entered, and their length.
  private mutating func members(of uncertified: [UncertifiedSpan]) {
    // Each length is what it adds to the rounded sum, so that rounded lengths add up to the total.
    var (meters, writtenMeters) = (0.0, 0.0)
    array("uncertified", uncertified) { output, span in
      meters += span.lengthMeters
      let rounded = (meters * 10).rounded() / 10
      output.appendObject {
        $0.object("from") { $0.members(of: span.start) }
        $0.object("to") { $0.members(of: span.end) }
        $0.member("lengthMeters", rounded - writtenMeters, decimals: Decimals.meters)
      }
      writtenMeters = rounded
    }
    member("uncertifiedMeters", writtenMeters, decimals: Decimals.meters)
  }

  /// Appends one end of such a stretch.
  private mutating func members(of end: UncertifiedSpan.End) {
    member("fix", end.fix)
    member("time", jsonTime: end.timeMilliseconds)
    members(of: end.coordinate)
  }
}

extension OutputBuffer {
  /// Appends how the phone's notification slots were shared between reminders and places.
  ///
  /// `slots` is `null` for a phone without a limit. The same object stands in summaries of tracks.
  package mutating func append(json budget: BudgetSummary) {
    appendObject {
      $0.member("slots", budget.slots)
      $0.member("plans", budget.plans)
      $0.member("mostRegions", budget.mostRegions)
      $0.member("mostReminders", budget.mostReminders)
      $0.member("due", budget.due)
      $0.member("onTime", budget.onTime)
      $0.member("late", budget.late)
      $0.member("dropped", budget.dropped)
      $0.member("circlesFired", budget.circlesFired)
      $0.member("circlesMissed", budget.circlesMissed)
      $0.member("droppedInSecond", budget.droppedInSecond)
      $0.array("displaced", budget.displacements) { $0.append(json: $1) }
    }
  }

  /// Appends what waited for a slot or lost it, and what held the slots meanwhile.
  private mutating func append(json displacement: BudgetSummary.Displacement) {
    appendObject {
      switch displacement.displaced {
      case .reminder(let id): $0.member("reminder", id)
      case .place(let id): $0.member("place", id)
      }
      $0.array("by", displacement.by) { $0.append(json: $1) }
      $0.member("times", displacement.times)
      if case .reminder = displacement.displaced { $0.member("dropped", displacement.dropped) }
    }
  }
}
