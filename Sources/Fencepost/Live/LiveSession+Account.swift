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
    return (
      "no fix" + (reasons.isEmpty ? "" : "; rejected: \(reasons.joined(separator: ", "))"),
      FixLoss(track: options.track, accepted: 0, rejected: counts) == nil
    )
  }

  /// Ends the account and delivers the summaries; the sessions go on as if it had not been asked for.
  ///
  /// - Returns: What each device lost that lost more fixes than it kept.
  func summarize(error: String?) -> [FixLoss] {
    var summaries: [Event] = []
    if devices.isEmpty, options.deviceField == nil { devices[""] = makeDevice("") }
    for name in devices.keys.sorted() {
      guard var session = devices[name]?.session, let device = devices[name] else { continue }
      let rejected = stream?.hygiene.rejectionCounts ?? device.rejected
      session.finish(rejected: rejected.byName, error: error) { summaries.append($0) }
    }
    outlet.sendUnrecorded(summaries)
    for summary in summaries { observer?.take(.event(summary)) }
    return summaries.compactMap { event in
      guard case .summary(let summary) = event else { return nil }
      return summary.loss
    }
  }
}
