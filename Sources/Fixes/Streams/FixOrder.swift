import FencepostFormats

/// Puts the fixes of a source in time's order: as they come, or from the last to the first where the source
/// has its newest fixes first.
///
/// The first fixes are held until they show the order. If they run backwards, all fixes wait in a
/// temporary file until the source has ended, because only then is it known whether all do.
struct FixOrder {
  /// How many fixes with a time show whether the others must be put aside.
  private static var tellingCount: Int { 16 }

  private enum Stage {
    /// The first fixes do not show the order yet.
    case looking
    /// Fixes pass as they come.
    case passing
    /// The first fixes run backwards: all are put aside.
    case spooling
  }

  private let name: String
  private var stage = Stage.looking
  /// The first fixes, while the order is not known.
  private var first: [Fix] = []
  private var steps = TimeSteps()
  private var spool: FixSpool?

  /// - Parameter name: What messages call the source.
  init(name: String) { self.name = name }

  /// Whether fixes pass as they come.
  var isPassing: Bool { stage == .passing }
  /// Whether fixes wait in a temporary file.
  var isSpooling: Bool { stage == .spooling }
  /// Whether the times of all fixes so far run backwards.
  var isNewestFirst: Bool { !isPassing && steps.areBackwards }

  /// Holds the next fixes of the source.
  ///
  /// - Parameter fixes: The fixes; receives all that were held once they may pass, else none.
  /// - Throws: `ByteSourceError` where the temporary file cannot be written.
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

  /// Whether the first fixes run backwards; nil where more are needed, no matter how they come in batches.
  private var firstAreBackwards: Bool? {
    var steps = TimeSteps()
    for fix in first.prefix(FixReader.batchCount) {
      steps.note(fix)
      if steps.timedCount == Self.tellingCount { return steps.areBackwards }
    }
    return first.count < FixReader.batchCount ? nil : steps.areBackwards
  }

  /// Takes some of the held fixes, in time's order, after the source has ended.
  ///
  /// - Returns: The fixes; empty when none is left.
  /// - Throws: `ByteSourceError` where the temporary file cannot be read.
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

  /// Fixes in the order in which they were travelled, with segments and tracks numbered in that order.
  private func reversed(_ fixes: [Fix]) -> [Fix] {
    fixes.reversed().map { fix in
      var fix = fix
      fix.trackIndex = steps.trackIndex - fix.trackIndex
      fix.segmentIndex = steps.segmentIndex - fix.segmentIndex
      return fix
    }
  }
}

/// Counts the steps in time from one fix to the next of the same `trk`, forwards and backwards.
private struct TimeSteps {
  /// How many fixes have had a time.
  private(set) var timedCount = 0
  /// The track and segment of the last fix.
  private(set) var trackIndex: Int32 = 0
  private(set) var segmentIndex: Int32 = 0
  private var forwardCount = 0
  private var backwardCount = 0
  private var lastMilliseconds = Fix.noTime

  /// Whether at least two steps go back, and four for each that goes forward, so that single wrong times
  /// do not hide the order even in a short file.
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
