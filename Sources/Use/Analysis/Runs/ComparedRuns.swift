import FencepostSession
import FencepostFiles
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// Follows a track with every place watched, and as phones with limits, and compares them.
///
/// Analyses, sweeps, explanations and what-ifs all follow tracks through it. Fixes come in batches,
/// each followed with every place watched first, so that the phones know what is due.
struct ComparedRuns: ~Copyable {
  /// A crossing or dwell with every place watched.
  struct Happening {
    /// The fix that ends the path segment, from 0, counted over the whole track.
    var fix: Int
    var story: Int
    /// What happened, with the alert policy's decision.
    var notice: PathRun.Notice
  }

  /// The run with every place watched.
  private var unlimited: PathRun
  /// The runs of phones, in the order given.
  private(set) var limited: [LimitedRun]
  /// The stories whose circles contain the first fix, ascending.
  private(set) var insideAtStart: [Int] = []
  /// How many circles contain the phone at once.
  private(set) var overlaps: OverlapTracker
  /// One story's crossings without confirmation; nil if not requested.
  private(set) var unconfirmed: UnconfirmedCrossings?
  /// The track's summary, with only its fixes, path and times filled in.
  var account: TrackAccount
  /// All edge crossings in path order; nil if not requested.
  var edges: [TrackRun.Edge]?

  /// The track's file, for messages, and the stories that can be named.
  let path: String
  let index: StoryIndex
  private let source: any PlaceSource
  private var batch = PathBatch()
  private var times = PathTimes()
  /// The store's last error message; nil if it never failed.
  private var failure: String?
  var selector: FixSelector

  /// Starts a track with every place watched, ignoring the limit in `rule`, and for phones.
  ///
  /// `memory` is that of the alert policy with every place watched.
  init(
    _ path: String, _ index: StoryIndex, source: any PlaceSource, rule: TrackSessionOptions,
    limited: [LimitedRun], unconfirmed: UnconfirmedCrossings? = nil,
    memory: AlertPolicy.State = AlertPolicy.State(),
    selection: TrackSelection = TrackSelection()
  ) {
    selector = FixSelector(selection)
    (self.path, self.index, self.source) = (path, index, source)
    (self.limited, self.unconfirmed) = (limited, unconfirmed)
    unlimited = rule.withoutLimit.run(memory: memory)
    overlaps = OverlapTracker(slots: rule.monitoring.slots)
    account = TrackAccount(track: path == "-" ? "stdin" : path.shownFileName)
  }

  /// What the alert policy remembers with every place watched.
  var memory: AlertPolicy.State { unlimited.memory }

  /// The length of the path so far in meters, without gaps.
  var lengthMeters: Double { unlimited.engine.lengthMeters }

  /// Follows a track in memory; false if the task was canceled.
  ///
  /// - Throws: ``TrackFailure`` if the store fails.
  mutating func follow(
    _ track: RecordedTrack, onVertex: (PathPoint, Bool) -> Void
  ) throws(TrackFailure) -> Bool {
    account = track.account
    let isWhole = track.forEachPiece { fixes in
      take(fixes, onVertex: onVertex)
      return !Task.isCancelled
    }
    guard isWhole else { return false }
    try finish()
    return true
  }

  /// Follows the next fixes; `onVertex` receives each vertex and whether it is joined.
  mutating func take(_ fixes: [Fix], onVertex: (PathPoint, Bool) -> Void) {
    account.extent.take(fixes)
    batch.prepare(fixes)
    if batch.firstFix == 0, let first = batch.points.first { begin(at: first.coordinate) }
    var happenings: [Happening] = []
    for offset in batch.points.indices {
      _ = unlimited.follow(batch.points[offset..<offset + 1], from: source)
      if unlimited.hasFound { note(at: offset, in: &happenings) }
      unlimited.pass(offset, of: batch)
      let (point, isJoined) = (batch.points[offset], unlimited.engine.isJoined)
      times.take(point.timeMilliseconds, isJoined: isJoined)
      onVertex(point, isJoined)
    }
    for happening in happenings where happening.notice.kind != .dwell {
      edges?.append(
        TrackRun.Edge(
          story: happening.story, fix: happening.fix,
          fraction: happening.notice.crossing.fraction,
          isEntry: happening.notice.kind == .enter))
    }
    for index in limited.indices { limited[index].take(batch, happenings) }
    unconfirmed?.take(batch)
  }

  private mutating func begin(at coordinate: Coordinate) {
    guard
      case .found(let regions) = source.answer(
        CandidateRequest(question: .containing, coordinate: coordinate))
    else { return }
    insideAtStart = regions.compactMap { index.index(ofKey: $0.key) }.sorted()
    overlaps.begin(with: insideAtStart.count, at: coordinate)
  }

  /// Collects what happened on the way to a vertex, with every place watched.
  private mutating func note(at offset: Int, in happenings: inout [Happening]) {
    let first = happenings.count
    let steps = unlimited.steps(
      from: source, speedMetersPerSecond: unlimited.speed(at: offset, of: batch),
      asks: { [index] in index.index(ofKey: $0.key) != nil })
    for step in steps {
      switch step {
      case .refresh(let refresh):
        if refresh.hasFailed { failure = source.lastFailure ?? "the store did not answer" }
      case .notice(let notice):
        // Ignore places added to the store after the index was made.
        guard let story = index.index(ofKey: notice.key) else { continue }
        happenings.append(Happening(fix: batch.firstFix + offset, story: story, notice: notice))
      }
    }
    overlaps.take(happenings[first...])
  }

  /// Ends the path, and completes the account.
  ///
  /// - Throws: ``TrackFailure`` if the store failed on the way.
  mutating func finish() throws(TrackFailure) {
    overlaps.finish()
    for index in limited.indices { limited[index].finish() }
    if let failure { throw TrackFailure(path: path, kind: .store(failure)) }
    let breaks = unlimited.engine.breaks
    (account.sums.gaps, account.sums.jumps) = (breaks.gaps, breaks.jumps)
    account.remarks.breaks = breaks
    if unlimited.engine.lacksTimesToHold { account.notices.append(TrackSession.untimedNotice) }
    // An integer in a browser ends at 2,147 km, and no answer there has this sum.
    let millimeters = Int64((lengthMeters * 1000).rounded())
    account.sums.lengthMillimeters = Int(clamping: millimeters)
    account.sums.mostCircles = overlaps.mostCircles
    account.firstMilliseconds = times.firstMilliseconds
    account.lastMilliseconds = times.lastMilliseconds
    account.sums.travelMilliseconds = Int(clamping: times.travelMilliseconds)
  }
}

extension TrackAccount {
  /// Counts the verdicts; stories not in `crossed` count as never crossed.
  mutating func note(_ crossed: [StoryVerdict], of storyCount: Int) {
    sums.verdicts[.neverCrossed] = storyCount - crossed.count
    for verdict in crossed {
      sums.verdicts[verdict.verdict] += 1
      guard verdict.counts.dueAlerts > 0 else { continue }
      dueStories += 1
      if verdict.counts.alerts > 0 { foundStories += 1 }
    }
  }
}

/// The first and last time of a path, and the time between its joined vertices.
private struct PathTimes {
  private(set) var firstMilliseconds: Int64?
  private(set) var lastMilliseconds: Int64?
  private(set) var travelMilliseconds: Int64 = 0
  private var previous: Int64?

  mutating func take(_ time: Int64?, isJoined: Bool) {
    defer { previous = time }
    guard let time else { return }
    firstMilliseconds = min(firstMilliseconds ?? time, time)
    lastMilliseconds = max(lastMilliseconds ?? time, time)
    if isJoined, let previous { travelMilliseconds += max(0, time - previous) }
  }
}
