package import FencepostAnalysis
package import Fencepost

/// A track that lost more fixes than it kept.
///
/// Fixes that the receiver marked void, duplicates, and unreadable times (whose fixes are kept) do not count.
package struct FixLoss: Equatable, Sendable {
  /// The reasons that do not count as a loss.
  package static let harmlessReasons: Set<String> = ["void", "duplicate", "time"]

  /// Name of the track.
  package let track: String
  /// Number of accepted fixes.
  package let accepted: Int
  /// Number of lost fixes by reason, without the harmless reasons.
  package let lost: [String: Int]

  /// Makes a loss from a track's counts; nil if no more was lost than kept.
  ///
  /// - Parameters:
  ///   - track: Name of the track.
  ///   - accepted: Number of accepted fixes.
  ///   - rejected: Number of rejected ones by the reason's name.
  ///   - keepsUntimed: Whether a fix with an unreadable time is kept, without its time.
  package init?(
    track: String, accepted: Int, rejected: [String: Int], keepsUntimed: Bool = true
  ) {
    let lost = rejected.filter {
      !Self.harmlessReasons.contains($0.key) || ($0.key == "time" && !keepsUntimed)
    }
    guard lost.values.reduce(0, +) > accepted else { return nil }
    self.track = track
    self.accepted = accepted
    self.lost = lost
  }

  /// Number of lost fixes.
  package var lostCount: Int { lost.values.reduce(0, +) }

  /// One sentence that begins with the track, without a full stop.
  package var sentence: String {
    let kept = accepted == 0 ? "none" : "only \(accepted)"
    return "\(track): \(counted(lostCount, "fix was", "fixes were")) refused "
      + "(\(ReportNumber.list(lost, isGrouped: false))), \(kept) accepted"
  }
}

extension TrackSummary {
  /// The track's loss, if it lost more fixes than it kept.
  package var loss: FixLoss? { loss(keepsUntimed: true) }

  /// The track's loss, if it lost more fixes than it kept.
  ///
  /// - Parameter keepsUntimed: Whether a fix with an unreadable time is kept, without its time.
  /// - Returns: The loss; nil if it is small.
  package func loss(keepsUntimed: Bool) -> FixLoss? {
    let name = device.map { "\(track), \($0)" } ?? track
    return FixLoss(
      track: name, accepted: fixes, rejected: rejected, keepsUntimed: keepsUntimed)
  }
}

extension TrackAccount {
  /// The track's loss, if it lost more fixes than it kept.
  package var loss: FixLoss? {
    FixLoss(track: track, accepted: fixes + fixesOutside, rejected: rejectedByReason)
  }
}
