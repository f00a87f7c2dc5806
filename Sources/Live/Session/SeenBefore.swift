import FencepostFixes

/// Counts the fixes that a session which goes on is given again: late ones and repetitions ahead of the first new one.
struct SeenBefore {
  /// How many have come again.
  private(set) var count = 0
  /// Whether a new fix has come.
  private(set) var hasNew = false
  /// The line of the first new fix; nil before it, and in formats without lines.
  private var firstNewLine: Int?
  /// How many fixes came before the restart, without a line since, and may still be refused.
  private var oldHeldCount: Int

  /// Begins after a restart.
  ///
  /// - Parameter heldCount: How many fixes were held then.
  init(heldCount: Int) { oldHeldCount = heldCount }

  /// Takes what the filter has accepted and refused since the last call.
  mutating func note(_ batch: FixBatch) {
    if !hasNew, let first = batch.fixes.first {
      firstNewLine = first.line > 0 ? Int(first.line) : nil
      note(batch.rejections)
      hasNew = true
    } else {
      note(batch.rejections)
    }
  }

  /// Takes refused fixes, some of them long after they came.
  mutating func note(_ rejections: [Rejection]) {
    for rejection in rejections where rejection.reason == .late || rejection.reason == .duplicate {
      if rejection.line == nil, oldHeldCount > 0 {
        oldHeldCount -= 1
      } else if isAheadOfNew(rejection) {
        count += 1
      }
    }
  }

  private func isAheadOfNew(_ rejection: Rejection) -> Bool {
    guard let line = rejection.line, let firstNewLine else { return !hasNew }
    return line < firstNewLine
  }
}
