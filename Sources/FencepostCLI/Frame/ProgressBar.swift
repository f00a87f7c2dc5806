import Reporting


/// The progress of a long task, on standard error where that is a terminal, nowhere else.
///
/// Disappears with the value, so that it never stands between the lines of a report.
struct ProgressBar: ~Copyable {
  private var line: ProgressLine
  private let isShown: Bool
  private let begin: ContinuousClock.Instant
  private var nextShow: ContinuousClock.Instant

  /// Begins a task.
  ///
  /// - Parameters:
  ///   - title: what the task is about, such as a file's name.
  ///   - unit: what is counted.
  ///   - total: how many there are; nil when nobody knows.
  ///   - isWanted: false where rows of a table go to the same terminal.
  init(title: String, unit: ProgressLine.Unit, total: Int?, isWanted: Bool = true) {
    line = ProgressLine(title: title, unit: unit, done: 0, total: total, elapsedSeconds: 0)
    isShown = isWanted && StandardError.isTerminal
    begin = .now
    // A task that is over at once needs no bar.
    nextShow = begin + .milliseconds(300)
  }

  deinit {
    if isShown { StandardError.show(progress: "") }
  }

  /// Says how many are done; costs next to nothing between two showings, of which there are ten a
  /// second at most.
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
