import FencepostGeodesy

/// Fixes that come late or shuffled, put in order before they are judged.
extension FixFilter {
  /// Sets how much later than a newer one a fix may come and still be put in order.
  ///
  /// - Parameter milliseconds: The length; nil takes fixes as they come, once what waits has been released.
  public mutating func reorder(withinMilliseconds milliseconds: Int64?) {
    if let milliseconds {
      if window == nil { window = ReorderWindow(windowMilliseconds: milliseconds) }
      window?.windowMilliseconds = milliseconds
    } else if waiting.count == 0 {
      window = nil
    } else {
      window?.windowMilliseconds = 0
    }
  }

  /// Judges all that waits in the ``ReorderWindow``; call when the source is over, or idle for the window's length.
  ///
  /// - Parameter batch: Receives accepted fixes and rejections.
  public mutating func release(into batch: inout FixBatch) {
    let start = batch.fixes.count
    window?.finish(into: &batch.fixes)
    judgeReleased(&batch, from: start)
  }

  /// Forgets on which lines of the source the fixes ended that are not decided yet, as after a restart.
  public mutating func forgetLines() {
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
        // A fix that does not count moves no time; it is rejected at once.
        batch.fixes.append(fix)
      }
      judgeReleased(&batch, from: first)
    }
  }

  private mutating func judgeReleased(_ batch: inout FixBatch, from start: Int) {
    guard batch.fixes.count > start else { return }
    judge(&batch, from: start)
    // The clock ran ahead if times are no longer believed that were handed on.
    window?.takeBack(to: newestMilliseconds)
  }
}
