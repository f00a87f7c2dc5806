import Fixes
import Monitoring
import Reporting

/// What a session says of itself at its end.
extension LiveSession {
  /// What is to be said of a stream that held not one fix, and whether it is sound nevertheless, as that
  /// of a receiver that has none; nil where there was one.
  var emptiness: (sentence: String, isSound: Bool)? {
    guard fixCount == 0 else { return nil }
    let counts = allRejections.byName
    let reasons = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let sound = [Rejection.Reason.void.rawValue, Rejection.Reason.nullIsland.rawValue]
    return (
      "no fix" + (reasons.isEmpty ? "" : "; rejected: \(reasons.joined(separator: ", "))"),
      counts.keys.allSatisfy { sound.contains($0) }
    )
  }

  /// How many fixes counted, of all devices.
  private var fixCount: Int {
    lines == nil ? acceptedCount : devices.values.reduce(0) { $0 + $1.session.engine.fixCount }
  }

  /// What was rejected, of all devices and of none.
  private var allRejections: RejectionCounts {
    guard lines != nil else { return stream?.hygiene.rejectionCounts ?? RejectionCounts() }
    var all = unattributed
    for device in devices.values { all.add(device.rejected) }
    return all
  }

  /// Ends the account and delivers the summaries; the sessions go on as if it had not been asked for.
  ///
  /// Lines that named no device have a summary of their own, and so has a stream that named none at all.
  /// - Returns: What more was refused of than kept, as sentences without the source's name.
  func summarize(error: String?) -> [String] {
    var summaries: [TrackSummary] = []
    if devices.isEmpty, lines == nil { devices[""] = makeDevice("") }
    for name in devices.keys.sorted() {
      guard var session = devices[name]?.session, let device = devices[name] else { continue }
      let rejected = rejected(of: device, name)
      session.finish(rejected: rejected.byName, error: error) { event in
        if case .summary(let summary) = event { summaries.append(summary) }
      }
    }
    let losses = losses(summaries)
    if unattributed.total > 0 || (lines != nil && devices.isEmpty && !options.isIntake) {
      summaries.append(
        TrackSummary(track: options.track, rejected: unattributed.byName, error: error))
    }
    outlet.sendUnrecorded(summaries.map { .summary($0) })
    for summary in summaries { observer?.take(.event(.summary(summary))) }
    return losses
  }

  // MARK: Losses

  /// So many devices that lost more than they kept are told one by one.
  private static var mostTold: Int { 5 }

  private func losses(_ summaries: [TrackSummary]) -> [String] {
    let devices = summaries.compactMap { summary in
      loss(summary.device.map { "\($0): " } ?? "", summary.fixes, summary.rejected)
    }
    var losses = Array(devices.prefix(Self.mostTold))
    if devices.count > Self.mostTold {
      losses.append(
        "\(devices.count - Self.mostTold) further devices lost more fixes than they kept")
    }
    let fixes = summaries.reduce(0) { $0 + $1.fixes }
    if let lost = loss("lines that name no device: ", fixes, unattributed.byName) {
      losses.append(lost)
    }
    return losses
  }

  /// What was lost where that is more than was kept.
  ///
  /// What a receiver itself calls void, and what it repeats, are no losses.
  private func loss(_ name: String, _ accepted: Int, _ rejected: [String: Int]) -> String? {
    // Where devices are told apart a fix without a readable time is refused; elsewhere it is kept.
    let harmless: Set<String> =
      lines == nil ? ["void", "duplicate", "time"] : ["void", "duplicate"]
    let lost = rejected.filter { !harmless.contains($0.key) }
    let count = lost.values.reduce(0, +)
    guard count > accepted else { return nil }
    let reasons = lost.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    return "\(name)more was refused (\(reasons)) than kept (\(accepted))"
  }

  /// What was rejected of a device; what is still held is late if nothing follows, as in a file.
  private func rejected(of device: Device, _ name: String) -> RejectionCounts {
    let hygiene = stream?.hygiene
    var counts = hygiene?.rejectionCounts ?? device.rejected
    for rejection in hygiene?.heldRejections ?? device.filter.heldRejections {
      counts.add(rejection.reason)
      onRejection?(rejection, options.deviceField == nil ? nil : name)
    }
    return counts
  }
}
