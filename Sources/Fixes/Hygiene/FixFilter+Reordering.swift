import FencepostGeodesy

extension FixFilter {
  /// Sets how much later than a newer fix a fix may arrive and still be sorted.
  ///
  /// With nil, waiting fixes are released first, and later ones are taken as they come.
  package mutating func reorder(withinMilliseconds milliseconds: Int64?) {
    if let milliseconds {
      if window == nil { window = ReorderWindow(windowMilliseconds: milliseconds) }
      window?.windowMilliseconds = milliseconds
    } else if waiting.count == 0 {
      window = nil
    } else {
      window?.windowMilliseconds = 0
    }
  }

  /// Judges all fixes in the `ReorderWindow` and appends the results to a batch.
  ///
  /// Call it at the end of the source, or when the source has been idle for the window's length.
  package mutating func release(into batch: inout FixBatch) {
    let start = batch.fixes.count
    window?.finish(into: &batch.fixes)
    judgeReleased(&batch, from: start)
  }

  /// Clears the source lines of undecided fixes, which mean nothing after a restart.
  package mutating func forgetLines() {
    window?.forgetLines()
    held.forgetLines()
  }

  func isAcceptable(_ fix: Fix) -> Bool {
    let coordinate = fix.coordinate
    guard coordinate.isValid else { return false }
    return keepsNullIsland || coordinate.latitudeDegrees != 0 || coordinate.longitudeDegrees != 0
  }

  mutating func reorder(_ batch: inout FixBatch, from start: Int) {
    let arrived = batch.fixes[start...]
    batch.fixes.removeSubrange(start...)
    for fix in arrived {
      let first = batch.fixes.count
      if isAcceptable(fix) {
        window?.take(fix, into: &batch.fixes)
      } else {
        // A fix that does not count moves no time, so it is rejected at once.
        batch.fixes.append(fix)
      }
      judgeReleased(&batch, from: first)
    }
  }

  private mutating func judgeReleased(_ batch: inout FixBatch, from start: Int) {
    guard batch.fixes.count > start else { return }
    judge(&batch, from: start)
    // If released times are no longer believed, the clock ran ahead.
    window?.takeBack(to: newestMilliseconds)
  }
}
