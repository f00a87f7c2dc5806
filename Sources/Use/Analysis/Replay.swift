package import FencepostSession
package import FencepostTracks
package import FencepostMonitoring
import FencepostFiles
package import FencepostFixes
import FencepostFormats
import Glibc

/// Replays recorded tracks through a session, at full speed or at a multiple of real time.
///
/// Files and standard input are read as they come, so a replay also follows a pipe. It runs on the
/// caller's thread and blocks while it reads or waits.
package struct Replay {
  /// How a replay ended; in each case, all events up to then were reported.
  ///
  /// A command derives its exit status from it.
  package enum Outcome: Sendable {
    /// The source was read to its end.
    case finished
    /// An input error ended the replay. Events up to that point were reported.
    case failed(FixSourceError)
    /// The observer asked to stop, or a signal interrupted reading.
    case stopped
  }

  /// Receives what happens during a replay.
  ///
  /// Everything but the events may be ignored.
  package struct Observer {
    /// Receives events in path order; the summary comes last.
    package var onEvent: (Event) -> Void
    /// The kinds of events to receive, besides the summary, which always comes.
    package var selection = EventSelection.all
    /// Whether the summary is to say what was missed, which takes a second run along the path.
    package var countsMisses = true
    /// Receives batches of accepted fixes, each before the events on it.
    package var onPath: ([Fix]) -> Void = { _ in }
    /// Receives each rejection with its position in the source.
    package var onRejection: (Rejection) -> Void = { _ in }
    /// Receives notes about the whole track after it ends, without a final period.
    package var onNotice: (String) -> Void = { _ in }
    /// Receives the number of fixes read so far, after each batch.
    package var onProgress: (Int) -> Void = { _ in }
    /// Called after each batch, and between fixes if paced; return true to stop the replay.
    package var shouldStop: () -> Bool = { false }

    /// Creates an observer that receives events only; set the other closures as needed.
    package init(onEvent: @escaping (Event) -> Void) { self.onEvent = onEvent }
  }

  private let options: ReplayOptions

  /// Creates a replay, which can run any number of tracks under the same rules.
  package init(options: ReplayOptions = ReplayOptions()) { self.options = options }

  /// Replays one track, starting with no watched circles and no past alerts.
  ///
  /// - Parameters:
  ///   - path: File path, or `-` for standard input. It also names the track in events.
  ///   - source: Finds the places.
  ///   - observer: Receives the events, including a summary unless this method throws.
  /// - Returns: How the replay ended.
  /// - Throws: `FixSourceError` if the file cannot be opened. Nothing is reported then.
  package func run(
    path: String, source: any PlaceSource, observer: Observer
  ) throws(FixSourceError) -> Outcome {
    var reader = try FixReader(path: path, options: options.fixes)
    let watch = options.reminders.map {
      ReminderWatch(options: $0, source: source, monitoring: options.session.monitoring)
    }
    var session = TrackSession(
      name: path == "-" ? "stdin" : path.shownFileName, source: watch?.source ?? source,
      options: ReminderWatch.rules(options.session, beside: watch))
    session.observer = watch
    session.selection = observer.selection
    if observer.countsMisses { session.watchForMisses(in: source, collects: false) }
    var pacer = options.pace.map { Pacer(pace: $0) }
    var batch = FixBatch()
    let outcome: Outcome
    do throws(FixSourceError) {
      outcome = try follow(&reader, &batch, &session, &pacer, observer)
    } catch {
      outcome = error.isInterruption ? .stopped : .failed(error)
    }
    for notice in reader.notices { observer.onNotice(notice) }
    if session.lacksTimesToHold { observer.onNotice(TrackSession.untimedNotice) }
    if reader.isNewestFirst { session.summary.order = .newestFirst }
    if reader.isSorted {
      session.summary.lateness = reader.lateness
    } else {
      session.summary.remarks.lateness = reader.lateness
    }
    let sentence: String? =
      switch outcome {
      case .finished: nil
      case .failed(let error): error.description
      case .stopped: "interrupted"
      }
    session.finish(rejected: reader.rejectionCounts.byName, error: sentence, emit: observer.onEvent)
    return outcome
  }

  private func follow(
    _ reader: inout FixReader, _ batch: inout FixBatch, _ session: inout TrackSession,
    _ pacer: inout Pacer?, _ observer: Observer
  ) throws(FixSourceError) -> Outcome {
    while try reader.read(into: &batch) {
      for rejection in batch.rejections { observer.onRejection(rejection) }
      if pacer == nil {
        observer.onPath(batch.fixes)
        session.follow(batch.fixes, emit: observer.onEvent)
      } else {
        for fix in batch.fixes {
          pacer?.wait(for: fix, unless: observer.shouldStop)
          if observer.shouldStop() { return .stopped }
          observer.onPath([fix])
          session.follow(fix, emit: observer.onEvent)
        }
      }
      observer.onProgress(reader.acceptedCount)
      if observer.shouldStop() { return .stopped }
    }
    return .finished
  }
}

/// The rules of a replay, how tracks are read, and how fast time passes.
///
/// Places are not among them: each call of `Replay.run` is given its own
/// source.
package struct ReplayOptions: Sendable {
  /// The rules of monitoring and alerts.
  package var session = TrackSessionOptions()
  /// How the file is decoded, and which fixes are accepted.
  package var fixes = FixStreamOptions()
  /// Reminders that compete with places for slots, all active when a track begins.
  package var reminders: ReminderWatchOptions?
  /// Speed relative to the track's own clock; nil for full speed.
  package var pace: Double?

  /// Starts from the defaults: full speed, the default rules, and no reminders.
  package init() {}
}

/// Slows a replay down to a multiple of the track's own clock.
private struct Pacer {
  private let pace: Double
  private var start: (clock: ContinuousClock.Instant, trackMilliseconds: Int64)?

  init(pace: Double) { self.pace = pace }

  /// Waits until a fix is due, checking `isStopped` at least every 50 ms.
  ///
  /// A fix without a time is due at once. If the track's clock jumps back, pacing restarts there.
  mutating func wait(for fix: Fix, unless isStopped: () -> Bool) {
    guard let time = fix.timeMilliseconds else { return }
    guard let start, time >= start.trackMilliseconds else {
      self.start = (.now, time)
      return
    }
    let elapsed = Double(time - start.trackMilliseconds) / 1000 / pace
    let due = start.clock.advanced(by: .seconds(elapsed))
    while !isStopped() {
      let left = ContinuousClock.now.duration(to: due)
      guard left > .zero else { return }
      // A signal can cut the sleep short; then the loop sleeps again.
      usleep(UInt32(min(left, .milliseconds(50)) / .microseconds(1)) + 1)
    }
  }
}
