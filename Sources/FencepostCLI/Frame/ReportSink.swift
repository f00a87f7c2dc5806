import Fencepost
import Formats
import Reporting

/// Where the events of a command's tracks go: into the report, and into the closing account.
final class ReportSink {
  private var report: EventReport
  private var failure: OutputFailure?

  /// The account of all tracks so far.
  private(set) var account = ReplayAccount()
  /// The summary that came last.
  private(set) var lastSummary: TrackSummary?

  init(_ report: consuming EventReport) {
    self.report = report
  }

  /// Whether nothing more should be read: the user interrupted, or the report cannot be written.
  var shouldStop: Bool { Task.isCancelled || failure != nil }

  /// The kinds of events that the report holds.
  var selection: EventSelection { report.selection }

  /// Whether the report ends with all that the closing account would say again.
  var includesAccount: Bool {
    account.tracks == 1 && report.format == .text && report.selection.contains(.summary)
  }

  /// Takes an event.
  func take(_ event: Event) {
    if case .summary(let summary) = event {
      account.add(summary)
      lastSummary = summary
    }
    guard failure == nil else { return }
    do throws(OutputFailure) {
      try report.write(event)
    } catch {
      failure = error
    }
  }

  /// Completes the report, or says why it could not be written.
  func finish() throws(OutputFailure) {
    if let failure { throw failure }
    try report.finish()
  }

  /// A progress bar for one track.
  func progress(of track: String, isWanted: Bool) -> TrackProgress {
    TrackProgress(track: track, isWanted: isWanted)
  }
}

/// The progress bar of one track, shared by the closures that advance it.
final class TrackProgress {
  private var bar: ProgressBar?

  init(track: String, isWanted: Bool) {
    bar = ProgressBar(
      title: track.shownFileName, unit: .things("fixes"), total: nil, isWanted: isWanted)
  }

  /// Says how many fixes have been read.
  func advance(to count: Int) {
    bar?.advance(to: count)
  }

  /// Takes the bar away.
  func end() {
    bar = nil
  }
}
