package import Fencepost
import FencepostFixes
package import FencepostMonitoring
package import FencepostNotifications

/// Follows one track and explains why a story did or did not alert on it.
package struct StoryExplainer {
  private let index: StoryIndex
  private let source: any PlaceSource
  private let session: TrackSession.Options
  private let simulator: TrackSimulator?
  /// The alert policy's memory of earlier tracks.
  private let state: AlertPolicy.State

  /// Creates an explainer; `state` is the alert policy's memory of the person's earlier tracks.
  package init(
    index: StoryIndex, source: any PlaceSource, session: TrackSession.Options,
    chance: ChanceOptions? = nil,
    state: AlertPolicy.State = AlertPolicy.State()
  ) {
    self.state = state
    simulator = chance.map {
      TrackSimulator($0, index, source: source, session: session)
    }
    self.index = index
    self.source = source
    self.session = session
  }

  /// Explains a story on a track in memory; nil if the task is canceled.
  ///
  /// - Throws: ``TrackFailure`` if the store fails.
  package func explain(
    _ story: Int, on track: RecordedTrack
  ) throws(TrackFailure) -> StoryExplanation? {
    try explain(story, on: track.name) { (pass, onVertex) throws(TrackFailure) in
      try pass.follow(track, onVertex: onVertex)
    }
  }

  func explain(
    _ story: Int, on path: String,
    follow: (inout TrackPass, (PathPoint, Bool) -> Void) throws(TrackFailure) -> Bool
  ) throws(TrackFailure) -> StoryExplanation? {
    var device = DeviceRun(
      index, source: source, options: session, ranksMisses: true, state: state)
    device.history = StoryHistory(story: story)
    var pass = TrackPass(
      path, index, source: source, rule: session, devices: [device],
      unconfirmed: UnconfirmedCrossings(story, index, source: source, options: session))
    var approach = NearestApproach(index, only: story)
    var approaches = TrackApproach(index, measuresAll: simulator != nil)
    var times: [Int64?] = []
    var recorder = PathRecorder()
    let isWhole = try follow(&pass) { point, isJoined in
      approach.take(point.coordinate, isJoined: isJoined)
      if simulator != nil { approaches.take(point.coordinate, isJoined: isJoined) }
      times.append(point.timeMilliseconds)
      recorder.take(point, isJoined: isJoined)
    }
    guard isWhole else { return nil }
    var account = pass.account
    account.note(pass.devices[0])
    var explanation = assemble(
      story, account, pass, approach.finish().map { Self.approach($0, times) })
    if let simulator {
      let scene = TrackScene(
        recorder, entries: pass.devices[0].entries,
        nearestMeters: approaches.finish().nearestMeters)
      explanation.predictions = simulator.predictions(
        of: index.stories[story], story, nearest: explanation.approach?.coordinate, on: scene)
    }
    return explanation
  }

  private func assemble(
    _ story: Int, _ account: TrackAccount, _ pass: TrackPass,
    _ approach: StoryExplanation.Approach?
  ) -> StoryExplanation {
    let (oracle, device) = (pass.oracle, pass.devices[0])
    let confirmed = device.history?.edges ?? []
    let edges = confirmed + (pass.unconfirmed?.edges(besides: confirmed) ?? [])
    let indices = device.entries.indices.filter { device.entries[$0].story == story }
    let verdict = StoryVerdict(
      story: story, entries: device.entries, indices: indices,
      isInsideAtStart: oracle.insideAtStart.contains(story))
    return StoryExplanation(
      story: index.stories[story], account: account, verdict: verdict, approach: approach,
      refreshes: device.history?.refreshes ?? [],
      edges: edges.sorted { ($0.fix, $0.fraction) < ($1.fix, $1.fraction) },
      entries: indices.map { device.entries[$0] },
      explanations: indices.map { device.history?.decisions[$0] },
      slots: session.monitoring.slots, alertsOn: session.alertsOn,
      isAdaptive: session.monitoring.refresh == .adaptive,
      dates: session.alerts.dates, showsCrossed: session.showsCrossed)
  }

  private static func approach(
    _ found: NearestApproach.Found, _ times: [Int64?]
  ) -> StoryExplanation.Approach {
    StoryExplanation.Approach(
      distanceMeters: found.distanceMeters, fix: found.fix, fraction: found.fraction,
      timeMilliseconds: time(of: found, times), coordinate: found.coordinate)
  }

  private static func time(of found: NearestApproach.Found, _ times: [Int64?]) -> Int64? {
    guard let end = times[found.fix] else { return nil }
    guard found.fraction < 1, found.fix > 0, let start = times[found.fix - 1] else { return end }
    return start + Int64((found.fraction * Double(end - start)).rounded())
  }
}

/// What a run records about one story so that it can be explained.
struct StoryHistory {
  let story: Int
  private(set) var refreshes: [StoryExplanation.Refreshing] = []
  private(set) var edges: [StoryExplanation.Edge] = []
  /// The alert policy's decisions, by index of the entry.
  var decisions: [Int: AlertPolicy.Entry] = [:]

  init(story: Int) {
    self.story = story
  }

  mutating func note(_ meeting: OracleRun.Meeting) {
    guard meeting.story == story else { return }
    edges.append(
      StoryExplanation.Edge(
        fix: meeting.fix, fraction: meeting.crossing.fraction,
        timeMilliseconds: meeting.crossing.timeMilliseconds,
        coordinate: meeting.crossing.coordinate, kind: meeting.kind,
        acrossBreak: meeting.crossing.isAcrossBreak,
        crossedMilliseconds: meeting.crossing.crossedMilliseconds))
  }

  mutating func note(
    _ refresh: Refresh, at fix: Int, isMonitored: Bool, ranking: EntryRecord.Ranking?
  ) {
    refreshes.append(
      StoryExplanation.Refreshing(
        fix: fix, timeMilliseconds: refresh.timeMilliseconds, coordinate: refresh.coordinate,
        isMonitored: isMonitored, ranking: ranking))
  }
}
