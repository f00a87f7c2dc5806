package import FencepostFiles
package import FencepostFixes
import FencepostFormats

/// Puts a source's fixes in chronological order by reversing one that has its newest fix first.
///
/// The first fixes are held until the order is clear. If they run backward, all fixes go to a
/// temporary file until the end, because only then is it certain that all of them do.
package struct FixOrder {
  /// How many timed fixes decide whether the others must wait.
  private static var tellingCount: Int { 16 }

  /// What happens with the next fixes.
  private enum Stage {
    /// They are held until the order is clear.
    case looking
    /// They pass at once.
    case passing
    /// They go to the temporary file.
    case spooling
  }

  private let name: String
  private var stage = Stage.looking
  private var first: [Fix] = []
  private var steps = TimeSteps()
  private var spool: FixSpool?

  /// Creates an order for one source, whose name is for messages.
  package init(name: String) { self.name = name }

  /// Whether fixes pass at once because they are not newest first.
  package var isPassing: Bool { stage == .passing }
  var isSpooling: Bool { stage == .spooling }
  /// Whether all fixes so far run backward in time.
  package var isNewestFirst: Bool { !isPassing && steps.areBackwards }

  /// Holds the next fixes until the order is known; leaves those in `fixes` that may pass.
  package mutating func hold(_ fixes: inout [Fix]) throws(ByteSourceError) {
    for fix in fixes { steps.note(fix) }
    if stage == .looking {
      first += fixes
      fixes.removeAll(keepingCapacity: true)
      guard let areBackwards = firstAreBackwards else { return }
      stage = areBackwards ? .spooling : .passing
      swap(&fixes, &first)
    }
    guard stage == .spooling else { return }
    let held = fixes
    fixes.removeAll(keepingCapacity: true)
    if spool == nil { spool = try FixSpool(name: name) }
    try spool?.append(held)
  }

  /// Whether the first fixes run backward, however they were batched; nil if more are needed.
  private var firstAreBackwards: Bool? {
    var steps = TimeSteps()
    for fix in first.prefix(FixReader.batchCount) {
      steps.note(fix)
      if steps.timedCount == Self.tellingCount { return steps.areBackwards }
    }
    return first.count < FixReader.batchCount ? nil : steps.areBackwards
  }

  /// Removes and returns held fixes in chronological order at the end; empty if none are left.
  package mutating func takeHeld() throws(ByteSourceError) -> [Fix] {
    var fixes = first
    first = []
    if let spool {
      fixes =
        isNewestFirst
        ? try spool.takeLast(FixReader.batchCount) : try spool.takeFirst(FixReader.batchCount)
    }
    return isNewestFirst ? reversed(fixes) : fixes
  }

  /// Reverses fixes, and renumbers their segments and tracks.
  private func reversed(_ fixes: [Fix]) -> [Fix] {
    fixes.reversed().map { fix in
      var fix = fix
      fix.trackIndex = steps.trackIndex - fix.trackIndex
      fix.segmentIndex = steps.segmentIndex - fix.segmentIndex
      return fix
    }
  }
}

/// Counts steps forward and backward in time between successive fixes of a track.
private struct TimeSteps {
  /// The number of fixes with a time.
  private(set) var timedCount = 0
  /// The track and segment of the last fix.
  private(set) var trackIndex: Int32 = 0
  private(set) var segmentIndex: Int32 = 0
  private var forwardCount = 0
  private var backwardCount = 0
  private var lastMilliseconds = Fix.noTime

  /// True for at least two backward steps, and four for each forward step.
  var areBackwards: Bool { backwardCount >= 2 && backwardCount / 4 >= forwardCount }

  /// Counts the step to a fix; fixes without a time make none.
  mutating func note(_ fix: Fix) {
    if fix.trackIndex != trackIndex { lastMilliseconds = Fix.noTime }
    trackIndex = fix.trackIndex
    segmentIndex = fix.segmentIndex
    let time = fix.rawTimeMilliseconds
    guard time != Fix.noTime else { return }
    timedCount += 1
    if lastMilliseconds != Fix.noTime, time != lastMilliseconds {
      if time > lastMilliseconds { forwardCount += 1 } else { backwardCount += 1 }
    }
    lastMilliseconds = time
  }
}
