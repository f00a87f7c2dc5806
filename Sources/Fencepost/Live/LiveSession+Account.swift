import Fixes
import Reporting

/// What a session says of itself at its end.
extension LiveSession {
  /// What is to be said of a stream that held not one fix, and whether it is sound nevertheless, as that
  /// of a receiver that has none; nil where there was one.
  var emptiness: (sentence: String, isSound: Bool)? {
    guard let counts = stream?.hygiene.rejectionCounts.byName, acceptedCount == 0 else {
      return nil
    }
    let reasons = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let sound = [Rejection.Reason.void.rawValue, Rejection.Reason.nullIsland.rawValue]
    return (
      "no fix" + (reasons.isEmpty ? "" : "; rejected: \(reasons.joined(separator: ", "))"),
      counts.keys.allSatisfy { sound.contains($0) }
    )
  }

  /// Ends the account and delivers the summaries; the sessions go on as if it had not been asked for.
  func summarize(error: String?) {
    var summaries: [Event] = []
    if devices.isEmpty, options.deviceField == nil { devices[""] = makeDevice("") }
    for name in devices.keys.sorted() {
      guard var session = devices[name]?.session, let device = devices[name] else { continue }
      let rejected = rejected(of: device, name)
      session.finish(rejected: rejected.byName, error: error) { summaries.append($0) }
    }
    outlet.sendUnrecorded(summaries)
    for summary in summaries { observer?.take(.event(summary)) }
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
