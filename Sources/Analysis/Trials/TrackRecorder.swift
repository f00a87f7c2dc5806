public import Fencepost
public import FencepostMonitoring
import FencepostFixes
import FencepostNotifications

/// Follows tracks as a phone would, and as the oracle, and records all that happens.
public struct TrackRecorder {
  private let index: StoryIndex
  private let source: any PlaceSource
  private let options: TrackSession.Options

  /// Makes a recorder.
  ///
  /// - Parameters:
  ///   - index: All places.
  ///   - source: Finds the near ones; its keys are those of the index.
  ///   - options: The rules of the device.
  public init(index: StoryIndex, source: any PlaceSource, options: TrackSession.Options) {
    self.index = index
    self.source = source
    self.options = options
  }

  /// Follows a track.
  ///
  /// - Returns: What happened; nil if the task was cancelled.
  /// - Throws: ``TrackFailure`` if the source fails.
  public func record(_ track: RecordedTrack) throws(TrackFailure) -> TrackRun? {
    var oracle = OracleRun(index, source: source, options: options)
    var device = DeviceRun(index, source: source, options: options, ranksMisses: false)
    // Without a limit the engine's set is its own affair: every place is monitored at every moment.
    if options.monitoring.limit != nil { device.log = RenewalLog() }
    var batch = PathBatch(watchesSpeed: options.alerts.maxAlertSpeedMetersPerSecond != nil)
    var run = TrackRun()
    var vertex = 0
    let isWhole = track.forEachPiece { fixes in
      batch.prepare(fixes)
      oracle.take(batch) { _, isJoined in
        if !isJoined, vertex > 0 { run.breaks.append(vertex) }
        vertex += 1
      }
      for meeting in oracle.meetings where meeting.kind != .dwell {
        run.edges.append(
          TrackRun.Edge(
            story: meeting.story, fix: meeting.fix, fraction: meeting.crossing.fraction,
            isEnter: meeting.kind == .enter))
      }
      device.take(batch, meetings: oracle.meetings)
      return !Task.isCancelled
    }
    guard isWhole else { return nil }
    oracle.finish()
    device.finish()
    if let failure = oracle.failure { throw TrackFailure(path: track.name, kind: .store(failure)) }
    run.entries = device.entries
    for entry in device.entries { run.counts.add(entry) }
    run.renewals = device.log?.renewals ?? []
    run.insideAtStart = oracle.insideAtStart
    run.lengthMeters = oracle.lengthMeters
    run.isCertified = device.isCertified
    return run
  }
}
