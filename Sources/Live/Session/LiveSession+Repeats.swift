import Fencepost
import FencepostFixes
import FencepostTime
import FencepostTracks

/// What a session that goes on is given again, or cannot read.
extension LiveSession {
  /// A restart alone repeats fewer fixes than this.
  private static var leastNoticed: Int { 10 }

  /// A sentence for a source that goes on and sends only what was seen before; nil if it does not.
  var repetition: String? {
    guard isResumed, !options.isIntake, !hasNewFix,
      seenCount >= Self.leastNoticed
    else { return nil }
    return "what comes is no newer than the last fix of the state\(lastTime) and counts as seen; "
      + "another --state file follows it anew"
  }

  /// A sentence, at the end, about what came again since the restart; nil if nothing did.
  var repeatedAccount: String? {
    guard isResumed, !options.isIntake else { return nil }
    let count = seenCount
    guard count > 0 else { return nil }
    let fixes = count == 1 ? "1 fix" : "\(count) fixes"
    guard hasNewFix else {
      return
        "nothing new: \(fixes) no newer than the last one of the state\(lastTime) count as seen; "
        + "another --state file, or none, follows them anew"
    }
    return "\(fixes) had been seen before the restart and were passed over"
  }

  /// A sentence, at the end, about input in which the format of the state found nothing; nil if it did.
  var unreadSentence: String? {
    guard isResumed, !options.isIntake, senseCount == 0, consumedCount > resumedCount + 1 else {
      return nil
    }
    let format = stream?.format.map { " as \($0.name)" } ?? ""
    return
      "no fix in what came since the restart; the state has it read\(format), and input of another "
      + "kind needs another --state file"
  }

  private var hasNewFix: Bool { devices.values.contains { $0.seenBefore?.hasNew ?? true } }

  /// How many fixes have come again; those still held as if the source ended here.
  private var seenCount: Int {
    devices.values.reduce(0) { sum, device in
      guard var seen = device.seenBefore else { return sum }
      seen.note(lines == nil ? stream?.hygiene.heldRejections ?? [] : device.filter.heldRejections)
      return sum + seen.count
    }
  }

  /// The time of the last fix, in brackets; empty without times.
  private var lastTime: String {
    let last = devices.values.compactMap { $0.session.summary.lastMilliseconds }.max()
    return last.map { " (\(ISO8601.string(milliseconds: $0)))" } ?? ""
  }
}
