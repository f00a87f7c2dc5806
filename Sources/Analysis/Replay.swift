package import Fencepost
package import FencepostTracks
package import FencepostMonitoring
import FencepostFiles
package import FencepostFixes
import FencepostFormats
import Glibc

/// Replays recorded tracks through a session, as fast as possible or by their own clock.
package struct Replay {
  /// How tracks are read and followed.
  package struct Options: Sendable {
    /// The rules of the session.
    package var session = TrackSession.Options()
    /// How bytes become fixes.
    package var fixes = FixStream.Options()
    /// Reminders that share the phone with the places; each track begins with all of them.
    package var reminders: ReminderWatch.Options?
    /// How many times faster than the track's own clock; nil for as fast as possible.
    package var pace: Double?

    /// Makes the defaults.
    package init() {}
  }

  /// How the replay of one track ended.
  package enum Outcome: Sendable {
    /// At the end of the track.
    case finished
    /// Early, at an input error; events up to there were reported.
    case failed(FixSourceError)
    /// Early, because the observer asked to stop.
    case stopped
  }

  /// The callbacks of a replay.
  package struct Observer {
    /// Receives the events, in order along the path, the summary last.
    package var onEvent: (Event) -> Void
    /// The kinds of events to receive, besides the summary, which always comes.
    package var selection = EventSelection.all
    /// Receives the path, in pieces of accepted fixes, each before the events on it.
    package var onPath: ([Fix]) -> Void = { _ in }
    /// Receives every rejection with its position in the source.
    package var onRejection: (Rejection) -> Void = { _ in }
    /// Receives sentences without full stops about the track as a whole, when it has ended.
    package var onNotice: (String) -> Void = { _ in }
    /// Receives the number of fixes read so far, a batch at a time.
    package var onProgress: (Int) -> Void = { _ in }
    /// Called between fixes; true stops the replay.
    package var shouldStop: () -> Bool = { false }

    /// Makes an observer of events; set the other callbacks afterwards.
    package init(onEvent: @escaping (Event) -> Void) {
      self.onEvent = onEvent
    }
  }

  private let options: Options

  /// Makes a replay with its rules.
  package init(options: Options = Options()) {
    self.options = options
  }

  /// Replays one track; each starts with nothing monitored and no alert given.
  ///
  /// - Parameters:
  ///   - path: The track's file, `-` for standard input; also its name in every event.
  ///   - source: Finds the places.
  ///   - observer: Receives the events.
  /// - Returns: How the replay ended; the summary was reported either way.
  /// - Throws: `FixSourceError` if the file cannot be opened; nothing was reported then.
  package func run(
    path: String, source: any PlaceSource, observer: Observer
  ) throws(FixSourceError) -> Outcome {
    var reader = try FixReader(path: path, options: options.fixes)
    let watch = options.reminders.map {
      ReminderWatch(options: $0, source: source, monitoring: options.session.monitoring)
    }
    var rules = options.session
    if let watch { rules.monitoring = watch.monitoring }
    var session = TrackSession(
      name: path == "-" ? "stdin" : path.shownFileName, source: watch?.source ?? source,
      options: rules)
    session.observer = watch
    session.selection = observer.selection
    session.watchForMisses(in: source, collects: false)
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
    if options.fixes.reorderMilliseconds != nil { session.summary.lateness = reader.lateness }
    session.finish(
      rejected: reader.rejectionCounts.byName, error: outcome.sentence, emit: observer.onEvent)
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
        session.take(batch.fixes, emit: observer.onEvent)
      } else {
        for fix in batch.fixes {
          pacer?.wait(for: fix, unless: observer.shouldStop)
          if observer.shouldStop() { return .stopped }
          observer.onPath([fix])
          session.take(fix, emit: observer.onEvent)
        }
      }
      observer.onProgress(reader.acceptedCount)
      if observer.shouldStop() { return .stopped }
    }
    return .finished
  }
}

extension Replay.Outcome {
  /// The summary's `error`; nil at the end of the track.
  fileprivate var sentence: String? {
    switch self {
    case .finished: nil
    case .failed(let error): error.description
    case .stopped: "interrupted"
    }
  }
}

/// Slows a replay down to a multiple of the track's own clock.
private struct Pacer {
  private let pace: Double
  private var start: (clock: ContinuousClock.Instant, trackMilliseconds: Int64)?

  /// - Parameter pace: How many times faster than the track's clock, above 0.
  init(pace: Double) {
    self.pace = pace
  }

  /// Waits until a fix is due, in steps short enough for `isStopped` to take effect soon.
  ///
  /// A fix without time is due at once. When the track's clock jumps back, pacing starts anew.
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
      sleep(min(left, .milliseconds(50)))
    }
  }

  private func sleep(_ duration: Duration) {
    let parts = duration.components
    var time = timespec(
      tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    // A signal may end the sleep early; the caller's loop sleeps again.
    unsafe nanosleep(&time, nil)
  }
}
