import FencepostFiles
import FencepostFixes
import FencepostFormats

/// Puts the fixes of a source in chronological order, by reversing a source that has its newest fixes first.
///
/// The first fixes are held back until they show the order. If they run backwards, all fixes go to a
/// temporary file until the source ends, because only then is it known whether all of them do.
struct FixOrder {
  /// How many fixes with a time decide whether the others must wait.
  private static var tellingCount: Int { 16 }

  private enum Stage {
    /// The order is not known yet.
    case looking
    /// Fixes pass as they come.
    case passing
    /// The first fixes run backwards: all fixes wait.
    case spooling
  }

  private let name: String
  private var stage = Stage.looking
  /// The first fixes, while the order is not known.
  private var first: [Fix] = []
  private var steps = TimeSteps()
  private var spool: FixSpool?

  /// - Parameter name: The name of the source in messages.
  init(name: String) { self.name = name }

  /// Whether fixes pass as they come.
  var isPassing: Bool { stage == .passing }
  /// Whether fixes wait in a temporary file.
  var isSpooling: Bool { stage == .spooling }
  /// Whether the times of all fixes so far run backwards.
  var isNewestFirst: Bool { !isPassing && steps.areBackwards }

  /// Holds the next fixes of the source back, or lets all pass once the order is known.
  ///
  /// - Parameter fixes: The fixes; on return, those that pass.
  /// - Throws: `ByteSourceError` if the temporary file cannot be written.
  mutating func hold(_ fixes: inout [Fix]) throws(ByteSourceError) {
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

  /// Whether the first fixes run backwards, however they were batched; nil if more are needed.
  private var firstAreBackwards: Bool? {
    var steps = TimeSteps()
    for fix in first.prefix(FixReader.batchCount) {
      steps.note(fix)
      if steps.timedCount == Self.tellingCount { return steps.areBackwards }
    }
    return first.count < FixReader.batchCount ? nil : steps.areBackwards
  }

  /// Takes some of the fixes held back, in chronological order, after the source has ended.
  ///
  /// - Returns: The fixes; empty if none are left.
  /// - Throws: `ByteSourceError` if the temporary file cannot be read.
  mutating func takeHeld() throws(ByteSourceError) -> [Fix] {
    var fixes = first
    first = []
    if let spool {
      fixes =
        isNewestFirst
        ? try spool.takeLast(FixReader.batchCount) : try spool.takeFirst(FixReader.batchCount)
    }
    return isNewestFirst ? reversed(fixes) : fixes
  }

  /// Reverses fixes and numbers their segments and tracks in the new order.
  private func reversed(_ fixes: [Fix]) -> [Fix] {
    fixes.reversed().map { fix in
      var fix = fix
      fix.trackIndex = steps.trackIndex - fix.trackIndex
      fix.segmentIndex = steps.segmentIndex - fix.segmentIndex
      return fix
    }
  }
}

/// Counts the steps forwards and backwards in time between successive fixes of the same `trk`.
private struct TimeSteps {
  /// How many fixes have had a time.
  private(set) var timedCount = 0
  /// The track and segment of the last fix.
  private(set) var trackIndex: Int32 = 0
  private(set) var segmentIndex: Int32 = 0
  private var forwardCount = 0
  private var backwardCount = 0
  private var lastMilliseconds = Fix.noTime

  /// Whether at least two steps go back, and four for each that goes forward: even in a short file, a single
  /// wrong time does not hide the order.
  var areBackwards: Bool { backwardCount >= 2 && backwardCount / 4 >= forwardCount }

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
