import FencepostTracks
import Fencepost
import FencepostFixes
import FencepostMonitoring
import FencepostReporting

/// The account of a session at its end.
extension LiveSession {
  /// A sentence about a stream without a single fix, and whether it is sound nevertheless, like that of a
  /// receiver without reception; nil if there was a fix.
  var emptiness: (sentence: String, isSound: Bool)? {
    guard fixCount == 0 else { return nil }
    let counts = allRejections.byName
    let reasons = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return (
      "no fix" + (reasons.isEmpty ? "" : "; rejected: \(reasons.joined(separator: ", "))"),
      FixLoss(track: options.track, accepted: 0, rejected: counts) == nil
    )
  }

  /// The number of fixes of all devices.
  private var fixCount: Int {
    lines == nil ? acceptedCount : devices.values.reduce(0) { $0 + $1.session.fixCount }
  }

  /// The rejections of all devices and of lines without one.
  private var allRejections: RejectionCounts {
    guard lines != nil else { return stream?.hygiene.rejectionCounts ?? RejectionCounts() }
    var all = unattributed
    for device in devices.values { all.add(device.rejected) }
    return all
  }

  /// Delivers the summaries; the sessions themselves are unchanged.
  ///
  /// Lines that name no device get their own summary, and so does a stream without any device.
  ///
  /// - Returns: A sentence for each device that lost more fixes than it kept.
  func summarize(error: String?) -> [String] {
    var summaries: [TrackSummary] = []
    if devices.isEmpty, lines == nil { devices[""] = makeDevice("") }
    for name in devices.keys.sorted() {
      guard var session = devices[name]?.session, let device = devices[name] else { continue }
      let rejected = rejected(of: device, name)
      if options.fixes.reorderMilliseconds != nil {
        session.summary.lateness = stream?.hygiene.finalLateness ?? device.filter.finalLateness
      }
      session.finish(rejected: rejected.byName, error: error) { event in
        if case .summary(let summary) = event { summaries.append(summary) }
      }
    }
    let losses = losses(summaries)
    if unattributed.total > 0 || (lines != nil && devices.isEmpty && !options.isIntake) {
      var summary = TrackSummary(track: options.track)
      (summary.rejected, summary.error) = (unattributed.byName, error)
      summaries.append(summary)
    }
    outlet.sendUnrecorded(summaries.map { .summary($0) })
    for summary in summaries { observer?(.event(.summary(summary))) }
    return losses
  }

  /// The rejections of a device; fixes still held count as rejected, as at the end of a file.
  private func rejected(of device: Device, _ name: String) -> RejectionCounts {
    let hygiene = stream?.hygiene
    var counts = hygiene?.rejectionCounts ?? device.rejected
    for rejection in hygiene?.heldRejections ?? device.filter.heldRejections {
      counts.add(rejection.reason)
      onRejection?(rejection, options.deviceField == nil ? nil : name)
    }
    return counts
  }

  // MARK: Losses

  /// More devices than this are counted instead of named.
  private static var mostNamed: Int { 5 }

  private func losses(_ summaries: [TrackSummary]) -> [String] {
    // A fix without a time counts only in a stream of one device.
    let devices = summaries.compactMap { $0.loss(keepsUntimed: lines == nil)?.sentence }
    var losses = Array(devices.prefix(Self.mostNamed))
    if devices.count > Self.mostNamed {
      let count = devices.count - Self.mostNamed
      losses.append("\(options.track): \(count) more devices lost more fixes than they kept")
    }
    let unnamed = FixLoss(
      track: "\(options.track), lines that name no device",
      accepted: summaries.reduce(0) { $0 + $1.fixes }, rejected: unattributed.byName,
      keepsUntimed: false)
    if let unnamed { losses.append(unnamed.sentence) }
    return losses
  }
}
