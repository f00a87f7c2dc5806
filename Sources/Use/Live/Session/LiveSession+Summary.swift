#if Command
import FencepostSession
import FencepostFixes
import FencepostMonitoring
import FencepostReporting
import FencepostNotifications
import FencepostTracks

extension LiveSession {
  /// A sentence about a stream without fixes, and whether that is normal, as without reception.
  var emptiness: (sentence: String, isSound: Bool)? {
    guard !devices.values.contains(where: { $0.session.fixCount > 0 }) else { return nil }
    var rejected = unattributed
    for device in devices.values { rejected.add(device.account.rejectionCounts) }
    let counts = rejected.byName
    let reasons = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return (
      "no fix" + (reasons.isEmpty ? "" : "; rejected: \(reasons.joined(separator: ", "))"),
      FixLoss(track: options.track, accepted: 0, rejected: counts) == nil
    )
  }

  /// Delivers the summaries; returns a sentence for each device that lost most of its fixes.
  ///
  /// Lines that name no device get their own summary, as does a stream without any device.
  func summarize(error: String?) -> [String] {
    var summaries: [TrackSummary] = []
    if devices.isEmpty, !hasDevices { devices[""] = makeDevice("") }
    for name in devices.keys.sorted() {
      guard var session = devices[name]?.session, let device = devices[name] else { continue }
      if options.fixes.reorderMilliseconds != nil {
        session.summary.lateness = device.account.finalLateness
      }
      session.finish(rejected: rejected(of: device, name).byName, error: error) { event in
        if case .summary(let summary) = event { summaries.append(summary) }
      }
    }
    let losses = losses(summaries)
    if hasDevices, unattributed.total > 0 || (devices.isEmpty && !options.isIntake) {
      var summary = TrackSummary(track: options.track)
      summary.rejected = unattributed.byName
      summary.error = error
      summaries.append(summary)
    }
    outlet.sendUnrecorded(summaries.map { .summary($0) })
    for summary in summaries { observer?(.event(.summary(summary))) }
    return losses
  }

  /// The rejections of a device, including held fixes, as at the end of a file.
  private func rejected(of device: Device, _ name: String) -> RejectionCounts {
    var counts = device.account.rejectionCounts
    if !hasDevices { counts.add(unattributed) }
    for rejection in device.account.heldRejections {
      counts.add(rejection.reason)
      onRejection?(rejection, own(name))
    }
    return counts
  }

  /// More devices than this are counted, not named.
  private static var mostNamed: Int { 5 }

  private func losses(_ summaries: [TrackSummary]) -> [String] {
    // A fix without a time counts only in a stream of one device.
    let devices = summaries.compactMap { $0.loss(keepsUntimed: !hasDevices)?.sentence }
    // The state keeps the counts of all sessions.
    let span = isResumed ? ", in all sessions of the state" : ""
    var losses = devices.prefix(Self.mostNamed).map { $0 + span }
    if devices.count > Self.mostNamed {
      let count = devices.count - Self.mostNamed
      losses.append("\(options.track): \(count) more devices lost more fixes than they kept")
    }
    let unnamed = FixLoss(
      track: "\(options.track), lines without a device",
      accepted: summaries.reduce(0) { $0 + $1.fixes }, rejected: unattributed.byName,
      keepsUntimed: false)
    if hasDevices, let unnamed { losses.append(unnamed.sentence + span) }
    return losses
  }

  // MARK: Repetitions

  /// A restart alone repeats fewer fixes than this.
  private static var leastNoticed: Int { 10 }

  /// A sentence if a resumed source sends only what was seen before; else nil.
  var repetition: String? {
    guard isResumed, !options.isIntake, !hasNewFix, seenCount >= Self.leastNoticed else {
      return nil
    }
    return "the input is no newer than the last fix in the state\(lastTime) and counts as seen. "
      + "To follow it again, use another --state file."
  }

  /// A sentence for the end about what was repeated after the restart, if anything.
  var repeatedAccount: String? {
    guard isResumed, !options.isIntake else { return nil }
    let count = seenCount
    guard count > 0 else { return nil }
    let fixes = count == 1 ? "1 fix" : "\(count) fixes"
    guard hasNewFix else {
      return
        "nothing new: \(fixes) no newer than the last one in the state\(lastTime). To follow the "
        + "input again, use another --state file, or none."
    }
    // A clock that was ahead makes fixes look old that nobody has seen.
    return "skipped \(fixes) no newer than the last one before the restart"
  }

  /// A sentence for the end if the saved format matched nothing in the input.
  var unreadSentence: String? {
    guard isResumed, !options.isIntake, senseCount == 0, consumedCount > resumedCount + 1 else {
      return nil
    }
    let format = decoder.format.map { " as \($0.name)" } ?? ""
    return
      "no fixes since the restart; the input was read\(format) like before. To follow another "
      + "format, use another --state file."
  }

  private var hasNewFix: Bool { devices.values.contains { $0.seenBefore?.hasNew ?? true } }

  /// How many fixes were repeated, treating held ones as if the source ended here.
  private var seenCount: Int {
    devices.values.reduce(0) { sum, device in
      guard var seen = device.seenBefore else { return sum }
      seen.note(device.account.heldRejections)
      return sum + seen.count
    }
  }

  /// The time of the last fix in parentheses; empty without times.
  private var lastTime: String {
    let last = devices.values.compactMap { $0.session.summary.lastMilliseconds }.max()
    return last.map { " (\(options.zone.text(milliseconds: $0)))" } ?? ""
  }
}

/// Counts fixes repeated to a resumed session: late ones, and those before the first new one.
///
/// A receiver or a file that is read again sends them, and nobody needs a message about each.
struct SeenBefore {
  private(set) var count = 0
  private(set) var hasNew = false
  /// The line of the first new fix; nil before it, and in formats without lines.
  private var firstNewLine: Int?
  /// How many fixes from before the restart are held and may still be refused.
  private var oldHeldCount: Int

  /// Starts after a restart that left this many fixes held.
  init(heldCount: Int) { oldHeldCount = heldCount }

  mutating func note(_ batch: FixBatch) {
    if !hasNew, let first = batch.fixes.first {
      firstNewLine = first.line > 0 ? Int(first.line) : nil
      note(batch.rejections)
      hasNew = true
    } else {
      note(batch.rejections)
    }
  }

  /// Adds refused fixes, some of which came long ago.
  mutating func note(_ rejections: [Rejection]) {
    for rejection in rejections where rejection.reason == .late || rejection.reason == .duplicate {
      if rejection.line == nil, oldHeldCount > 0 {
        oldHeldCount -= 1
      } else if let line = rejection.line, let firstNewLine {
        if line < firstNewLine { count += 1 }
      } else if !hasNew {
        count += 1
      }
    }
  }
}
#endif
