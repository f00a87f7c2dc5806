import FencepostFiles
import FencepostFormats
import FencepostReporting

/// The progress of a long task, shown only if standard error is a terminal.
///
/// It disappears with the value, so it never mixes with a report.
struct ProgressBar: ~Copyable {
  private var line: ProgressLine
  private let isShown: Bool
  private let begin: ContinuousClock.Instant
  private var nextShow: ContinuousClock.Instant

  /// Starts a task.
  ///
  /// - Parameters:
  ///   - title: The task's subject, such as a file name.
  ///   - unit: The unit of the count.
  ///   - total: The total count; nil if unknown.
  ///   - isWanted: False if a report goes to the same terminal.
  init(title: String, unit: ProgressLine.Unit, total: Int?, isWanted: Bool = true) {
    line = ProgressLine(title: title, unit: unit, done: 0, total: total, elapsedSeconds: 0)
    isShown = isWanted && StandardError.isTerminal
    begin = .now
    // A short task needs no bar.
    nextShow = begin + .milliseconds(300)
  }

  deinit {
    if isShown { StandardError.show(progress: "") }
  }

  /// Sets the count and updates the bar at most ten times a second.
  mutating func advance(to done: Int) {
    guard isShown else { return }
    line.done = done
    let now = ContinuousClock.now
    guard now >= nextShow else { return }
    nextShow = now + .milliseconds(100)
    line.elapsedSeconds = (now - begin) / .seconds(1)
    StandardError.show(progress: line.text(columns: Terminal.columns))
  }
}

/// The progress bar of one track, shared by the closures that advance it.
final class TrackProgress {
  private var bar: ProgressBar?

  init(track: String, isWanted: Bool) {
    bar = ProgressBar(
      title: track.shownFileName, unit: .things("fixes"), total: nil, isWanted: isWanted)
  }

  func advance(to count: Int) { bar?.advance(to: count) }

  func end() { bar = nil }
}
