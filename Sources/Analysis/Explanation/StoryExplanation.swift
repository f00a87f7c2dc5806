public import Fencepost
import FencepostFixes
public import FencepostGeodesy
public import FencepostMonitoring
public import FencepostNotifications
public import FencepostTracks

/// Why one story alerted on one track, or why not.
public struct StoryExplanation: Sendable {
  /// The story's rank at one refresh.
  public struct Refreshing: Equatable, Sendable {
    /// The fix at which, or on the way to which, the refresh happened.
    public var fix: Int
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?
    /// Where.
    public var coordinate: Coordinate
    /// Whether the story was monitored from then on.
    public var isMonitored: Bool
    /// Its rank; nil where nothing is monitored, or everything is.
    public var ranking: EntryRecord.Ranking?
  }

  /// A crossing of the circle's edge, or a dwell inside it.
  public struct Edge: Equatable, Sendable {
    /// Index of the fix that ends the path's segment.
    public var fix: Int
    /// How far along that segment, 0 … 1.
    public var fraction: Double
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?
    /// Where.
    public var coordinate: Coordinate
    /// Whether the path came in, left, or had stayed for a dwell.
    public var kind: AlertTrigger
    /// Whether the path was broken, so that only the states at both ends are known.
    public var acrossBreak: Bool
    /// When the path met the edge, in milliseconds since 1970; nil without times.
    public var crossedMilliseconds: Int64?
    /// Whether it lasted long enough to count.
    public var isConfirmed = true
  }

  /// Where the path came nearest to the centre.
  public struct Approach: Equatable, Sendable {
    /// The distance in metres.
    public var distanceMeters: Double
    /// Index of the fix that ends the path's segment.
    public var fix: Int
    /// How far along that segment, 0 … 1.
    public var fraction: Double
    /// When, in milliseconds since 1970; nil without times.
    public var timeMilliseconds: Int64?
    /// Where on the path.
    public var coordinate: Coordinate
  }

  /// The story.
  public var story: Place
  /// The numbers of the track.
  public var account: TrackAccount
  /// The verdict and the counts.
  public var verdict: StoryVerdict
  /// Where the path came nearest; nil without a fix.
  public var approach: Approach?
  /// The story's rank at every refresh, in order along the path.
  public var refreshes: [Refreshing]
  /// The crossings of its edge, in order along the path.
  public var edges: [Edge]
  /// Its entries, in order along the path.
  public var entries: [EntryRecord]
  /// How the policy decided on each entry; nil if it did not.
  public var explanations: [AlertExplanation?]
  /// How many places are monitored at a time; nil for all.
  public var slots: Int?
  /// Which event alerts.
  public var alertsOn = AlertTrigger.enter
  /// Whether crossings may be reported elsewhere than where they happen.
  public var showsCrossed = false
  /// What simulated phones make of it; empty if none is simulated.
  public var predictions: [StoryPrediction] = []

  /// Whether every place is monitored.
  public var monitorsAll: Bool { slots == nil }
}

/// Follows one track and explains why one story alerted on it, or why not.
public struct StoryExplainer {
  private let index: StoryIndex
  private let source: any PlaceSource
  private let session: TrackSession.Options
  private let fixes: FixStream.Options
  private let simulator: TrackSimulator?

  /// Makes an explainer.
  ///
  /// - Parameters:
  ///   - index: All places of the store.
  ///   - source: The store.
  ///   - session: The rules of the device.
  ///   - fixes: How bytes become fixes.
  ///   - chance: The phones to simulate; nil for none.
  public init(
    index: StoryIndex, source: any PlaceSource, session: TrackSession.Options,
    fixes: FixStream.Options, chance: ChanceOptions? = nil
  ) {
    simulator = chance.map {
      TrackSimulator($0, index, source: source, rule: session.monitoring)
    }
    self.index = index
    self.source = source
    self.session = session
    self.fixes = fixes
  }

  /// Explains a story on a track.
  ///
  /// - Parameters:
  ///   - story: Index of the story.
  ///   - path: The track's file.
  /// - Returns: The explanation; nil if the task was cancelled.
  /// - Throws: ``TrackFailure``.
  public func explain(
    _ story: Int, on path: String
  ) throws(TrackFailure) -> StoryExplanation? {
    try explain(story, on: .file(path))
  }

  /// Explains a story on a track that has been read.
  ///
  /// - Parameters:
  ///   - story: Index of the story.
  ///   - track: The track.
  /// - Returns: The explanation; nil if the task was cancelled.
  /// - Throws: ``TrackFailure`` if the store fails.
  public func explain(
    _ story: Int, on track: RecordedTrack
  ) throws(TrackFailure) -> StoryExplanation? {
    try explain(story, on: .recorded(track))
  }

  private func explain(_ story: Int, on track: TrackInput) throws(TrackFailure) -> StoryExplanation?
  {
    var device = DeviceRun(index, source: source, options: session, ranksMisses: true)
    device.history = StoryHistory(story: story)
    var pass = TrackPass(
      track, index, source: source, rule: session, devices: [device],
      unconfirmed: UnconfirmedCrossings(story, index, source: source, options: session))
    var approach = NearestApproach(index, only: story)
    var times: [Int64?] = []
    var recorder = PathRecorder()
    let isWhole = try pass.follow(fixes) { point, isJoined in
      approach.take(point.coordinate, isJoined: isJoined)
      times.append(point.timeMilliseconds)
      recorder.take(point, isJoined: isJoined)
    }
    guard isWhole else { return nil }
    approach.finish()
    var account = pass.account
    account.numbers.add(pass.devices[0])
    account.isCertified = pass.devices[0].isCertified
    var explanation = assemble(
      story, account, pass, approach.found.map { Self.approach($0, times) })
    if let simulator {
      explanation.predictions = simulator.predictions(
        of: story, radiusMeters: index.stories[story].radiusMeters, explanation.verdict,
        account.track, recorder.fixes)
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
      explanations: indices.map { device.history?.explanations[$0] },
      slots: session.monitoring.slots, alertsOn: session.alertsOn,
      showsCrossed: session.showsCrossed)
  }

  private static func approach(
    _ found: NearestApproach.Found, _ times: [Int64?]
  ) -> StoryExplanation.Approach {
    var time = times[found.fix]
    if let end = time, found.fraction < 1, found.fix > 0, let start = times[found.fix - 1] {
      time = start + Int64((found.fraction * Double(end - start)).rounded())
    }
    return StoryExplanation.Approach(
      distanceMeters: found.distanceMeters, fix: found.fix, fraction: found.fraction,
      timeMilliseconds: time, coordinate: found.coordinate)
  }
}

/// What a run records of one story for its explanation.
struct StoryHistory {
  let story: Int
  /// Its rank at every refresh.
  private(set) var refreshes: [StoryExplanation.Refreshing] = []
  /// The crossings of its edge, in order along the path.
  private(set) var edges: [StoryExplanation.Edge] = []
  /// How the policy decided, by index of the entry.
  var explanations: [Int: AlertExplanation] = [:]

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

/// Finds the crossings of one story that were never confirmed, by following the path without confirmation.
struct UnconfirmedCrossings {
  private var oracle: OracleRun
  private var history: StoryHistory

  /// Begins a track; nil if the rule reports crossings where they happen.
  init?(
    _ story: Int, _ index: StoryIndex, source: any PlaceSource, options: TrackSession.Options
  ) {
    guard options.monitoring.confirmation.isNeeded else { return nil }
    var options = options
    options.monitoring.confirmation = ConfirmationOptions()
    oracle = OracleRun(index, source: source, options: options)
    history = StoryHistory(story: story)
  }

  /// Follows the path through a batch.
  mutating func take(_ batch: PathBatch) {
    oracle.take(batch) { _, _ in }
    for meeting in oracle.meetings { history.note(meeting) }
  }

  /// The crossings with a time that are not among the confirmed ones.
  func edges(besides confirmed: [StoryExplanation.Edge]) -> [StoryExplanation.Edge] {
    history.edges.filter { edge in
      edge.timeMilliseconds != nil
        && !confirmed.contains {
          $0.kind == edge.kind && $0.crossedMilliseconds == edge.crossedMilliseconds
        }
    }.map { edge in
      var edge = edge
      edge.isConfirmed = false
      return edge
    }
  }
}
