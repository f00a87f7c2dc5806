import FencepostFiles
import Fencepost
import FencepostFixes
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications

/// One pass over a track by the oracle and by one simulated phone per rule.
struct TrackPass {
  private(set) var oracle: OracleRun
  private(set) var devices: [DeviceRun]
  /// One story's crossings without confirmation; nil if not requested.
  private(set) var unconfirmed: UnconfirmedCrossings?
  /// The track's summary, with only its fixes, path and times filled in.
  var account: TrackAccount

  /// The oracle's crossings in path order; nil if not requested.
  var edges: [TrackRun.Edge]?

  let path: String
  private var batch = PathBatch()
  private var times = PathTimes()
  var selector: FixSelector

  /// Starts a track for the oracle, ignoring the limit in `rule`, and for simulated phones.
  init(
    _ path: String, _ index: StoryIndex, source: any PlaceSource, rule: TrackSession.Options,
    devices: [DeviceRun], unconfirmed: UnconfirmedCrossings? = nil,
    oracleState: AlertPolicy.State = AlertPolicy.State(),
    selection: TrackSelection = TrackSelection()
  ) {
    selector = FixSelector(selection)
    self.unconfirmed = unconfirmed
    self.path = path
    self.devices = devices
    oracle = OracleRun(index, source: source, options: rule, state: oracleState)
    account = TrackAccount(track: path == "-" ? "stdin" : path.shownFileName)
  }

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

  mutating func take(_ fixes: [Fix], onVertex: (PathPoint, Bool) -> Void) {
    account.extent.take(fixes)
    batch.prepare(fixes)
    // Moved out of `self`, which the oracle changes meanwhile.
    var times = times
    oracle.take(batch) { point, isJoined in
      times.take(point.timeMilliseconds, isJoined: isJoined)
      onVertex(point, isJoined)
    }
    self.times = times
    for meeting in oracle.meetings where meeting.kind != .dwell {
      edges?.append(
        TrackRun.Edge(
          story: meeting.story, fix: meeting.fix, fraction: meeting.crossing.fraction,
          isEnter: meeting.kind == .enter))
    }
    for index in devices.indices { devices[index].take(batch, meetings: oracle.meetings) }
    unconfirmed?.take(batch)
  }

  mutating func finish() throws(TrackFailure) {
    oracle.finish()
    for index in devices.indices { devices[index].finish() }
    if let failure = oracle.failure { throw TrackFailure(path: path, kind: .store(failure)) }
    if oracle.lacksTimesToHold { account.notices.append(TrackSession.untimedNotice) }
    // An integer in a browser ends at 2,147 km, and no answer there has this sum.
    let millimeters = Int64((oracle.lengthMeters * 1000).rounded())
    account.sums.lengthMillimeters = Int(clamping: millimeters)
    account.sums.mostCircles = oracle.overlaps.mostCircles
    account.firstMilliseconds = times.firstMilliseconds
    account.lastMilliseconds = times.lastMilliseconds
    account.sums.travelMilliseconds = Int(clamping: times.travelMilliseconds)
  }
}

extension TrackAccount {
  mutating func note(_ device: DeviceRun) {
    sums.refreshes = device.refreshes
    sums.failedRefreshes = device.failedRefreshes
    isCertified = device.isCertified
    for entry in device.entries { sums.counts.add(entry) }
  }

  /// Counts the verdicts; stories not in `crossed` count as never crossed.
  mutating func note(_ crossed: [StoryVerdict], of storyCount: Int) {
    sums.verdicts[.neverCrossed] = storyCount - crossed.count
    for verdict in crossed {
      sums.verdicts[verdict.verdict] += 1
      guard verdict.counts.oracleAlerts > 0 else { continue }
      oracleStories += 1
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
