package import FencepostSession
import FencepostFixes
import FencepostGeodesy
package import FencepostMonitoring
package import FencepostNotifications

/// Follows one track and explains why a story did or did not alert on it.
///
/// It records what an analysis has no room for: each crossing of the circle, the story's rank at
/// each lookup, and which changes would bring the alert. An explainer can be reused for other
/// tracks.
package struct StoryExplainer {
  private let index: StoryIndex
  private let source: any PlaceSource
  private let session: TrackSessionOptions
  private let simulator: TrackSimulator?
  /// The alert policy's memory of earlier tracks.
  private let memory: AlertPolicy.State
  /// Whether to try on the simulated phone which changes would help.
  private let triesChanges: Bool

  /// Creates an explainer; `memory` is the alert policy's, of the person's earlier tracks.
  package init(
    index: StoryIndex, source: any PlaceSource, session: TrackSessionOptions,
    chance: ChanceOptions? = nil,
    memory: AlertPolicy.State = AlertPolicy.State(), triesChanges: Bool = true
  ) {
    (self.memory, self.triesChanges) = (memory, triesChanges)
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
    try explain(story, on: track.name) { (runs, onVertex) throws(TrackFailure) in
      try runs.follow(track, onVertex: onVertex)
    }
  }

  func explain(
    _ story: Int, on path: String,
    follow: (inout ComparedRuns, (PathPoint, Bool) -> Void) throws(TrackFailure) -> Bool
  ) throws(TrackFailure) -> StoryExplanation? {
    let phone = LimitedRun(
      index, source: source, options: session, ranksMisses: true,
      history: StoryHistory(story: story), memory: memory)
    var runs = ComparedRuns(
      path, index, source: source, rule: session, limited: [phone],
      unconfirmed: UnconfirmedCrossings(story, index, source: source, options: session))
    var approach = NearestApproach(index, only: story)
    var scene = simulator.map { _ in SceneRecorder(index) }
    var times: [Int64?] = []
    var first: Coordinate?
    let isWhole = try follow(&runs) { point, isJoined in
      approach.take(point.coordinate, isJoined: isJoined)
      scene?.take(point, isJoined: isJoined)
      if first == nil { first = point.coordinate }
      times.append(point.timeMilliseconds)
    }
    guard isWhole else { return nil }
    var account = runs.account
    runs.limited[0].note(in: &account)
    var explanation = assemble(
      story, account, runs, approach.finish().map { Self.approach($0, times) })
    explanation.startMeters = first.map {
      Geodesic.distanceMeters($0, index.stories[story].coordinate)
    }
    explanation.outdated =
      session.alerts.dateMilliseconds(ofEntryAt: explanation.approach?.timeMilliseconds)
      .flatMap { index.place(of: story).lifetime.obstacle(atMilliseconds: $0) }
    if let simulator, let scene = scene?.finish(entries: runs.limited[0].entries) {
      explanation.predictions = simulator.predictions(
        of: index.stories[story], story, nearest: explanation.approach?.coordinate, on: scene,
        triesChanges: triesChanges)
    }
    return explanation
  }

  private func assemble(
    _ story: Int, _ account: TrackAccount, _ runs: borrowing ComparedRuns,
    _ approach: StoryExplanation.Approach?
  ) -> StoryExplanation {
    let (entries, history) = (runs.limited[0].entries, runs.limited[0].history)
    let confirmed = history?.edges ?? []
    let edges = confirmed + (runs.unconfirmed?.edges(besides: confirmed) ?? [])
    let indices = entries.indices.filter { entries[$0].story == story }
    let verdict = StoryVerdict(
      story: story, entries: entries, indices: indices,
      isInsideAtStart: runs.insideAtStart.contains(story))
    return StoryExplanation(
      story: index.stories[story], account: account, verdict: verdict, approach: approach,
      refreshes: history?.refreshes ?? [],
      edges: edges.sorted { ($0.fix, $0.fraction) < ($1.fix, $1.fraction) },
      entries: indices.map { entries[$0] },
      explanations: indices.map { history?.decisions[$0] },
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
///
/// A ``LimitedRun`` fills it in while it follows the path.
struct StoryHistory {
  let story: Int
  /// The lookups, and whether each watched the story.
  private(set) var refreshes: [StoryExplanation.Refreshing] = []
  /// The crossings of its circle, and dwells in it, in path order.
  private(set) var edges: [StoryExplanation.Edge] = []
  /// The alert policy's decisions, by index of the entry.
  var decisions: [Int: AlertEntry] = [:]

  init(story: Int) {
    self.story = story
  }

  /// Records a crossing or dwell, if it is the story's.
  mutating func note(_ happening: ComparedRuns.Happening) {
    guard happening.story == story else { return }
    let crossing = happening.notice.crossing
    edges.append(
      StoryExplanation.Edge(
        fix: happening.fix, fraction: crossing.fraction,
        timeMilliseconds: crossing.timeMilliseconds, coordinate: crossing.coordinate,
        kind: happening.notice.kind, isAcrossBreak: crossing.isAcrossBreak,
        crossedMilliseconds: crossing.crossedMilliseconds))
  }

  /// Records a lookup and the story's rank at it; nil if no place was watched.
  mutating func note(
    _ refresh: Refresh, at fix: Int, isMonitored: Bool, ranking: EntryRecord.Ranking?
  ) {
    refreshes.append(
      StoryExplanation.Refreshing(
        fix: fix, timeMilliseconds: refresh.timeMilliseconds, coordinate: refresh.coordinate,
        isMonitored: isMonitored, ranking: ranking))
  }
}
