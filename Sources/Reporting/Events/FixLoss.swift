package import FencepostAnalysis
package import Fencepost

/// A track that lost more fixes than it kept.
///
/// Void fixes, duplicates and unreadable times (if their fixes are kept) are not losses.
package struct FixLoss: Equatable, Sendable {
  /// The reasons that do not count as a loss.
  package static let harmlessReasons: Set<String> = ["void", "duplicate", "time"]

  package let track: String
  package let accepted: Int
  /// The number of lost fixes by reason, without harmless reasons.
  package let lost: [String: Int]

  /// Returns nil if the track kept at least as many fixes as it lost.
  ///
  /// `rejected` counts fixes by reason. `keepsUntimed` says whether fixes with unreadable times are
  /// kept, without a time.
  package init?(track: String, accepted: Int, rejected: [String: Int], keepsUntimed: Bool = true) {
    let lost = rejected.filter {
      !Self.harmlessReasons.contains($0.key) || ($0.key == "time" && !keepsUntimed)
    }
    guard lost.values.reduce(0, +) > accepted else { return nil }
    (self.track, self.accepted, self.lost) = (track, accepted, lost)
  }

  package var lostCount: Int { lost.values.reduce(0, +) }

  /// One sentence that begins with the track, without a final period.
  package var sentence: String {
    let kept = accepted == 0 ? "none" : "only \(accepted)"
    return "\(track): \(counted(lostCount, "fix was", "fixes were")) refused "
      + "(\(ReportNumber.list(lost, isGrouped: false))), \(kept) accepted"
  }
}

extension TrackSummary {
  package var loss: FixLoss? { loss(keepsUntimed: true) }

  /// The loss of fixes, including those with unreadable times unless they are kept.
  package func loss(keepsUntimed: Bool) -> FixLoss? {
    let name = device.map { "\(track), \($0)" } ?? track
    return FixLoss(track: name, accepted: fixes, rejected: rejected, keepsUntimed: keepsUntimed)
  }
}

extension TrackAccount {
  package var loss: FixLoss? {
    FixLoss(track: track, accepted: sums.fixes + sums.fixesOutside, rejected: sums.rejectedByReason)
  }
}
