/// Whether the times of some fixes run forwards or backwards.
///
/// What is counted are steps from one fix with a time to the next of the same `trk`.
struct TimeOrder: Sendable {
  /// How many fixes with a time there have been.
  private(set) var timedCount = 0
  private var forwardCount = 0
  private var backwardCount = 0
  /// The last fix.
  private(set) var trackIndex: Int32 = 0
  private(set) var segmentIndex: Int32 = 0
  private var lastMilliseconds = Fix.noTime

  /// Whether the newest come first: at least two steps go back, and four for each that goes forward.
  ///
  /// Single wrong times must not hide it, in a short file either.
  var isNewestFirst: Bool { backwardCount >= 2 && backwardCount / 4 >= forwardCount }

  /// Takes note of the next fix.
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
