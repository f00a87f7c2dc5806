public import Analysis
public import Fencepost

/// A track that lost more fixes than it kept.
///
/// Fixes that a receiver itself calls void, repetitions, and times that could not be read (their fixes
/// are kept) are not counted as losses.
public struct FixLoss: Equatable, Sendable {
  /// The reasons for which something may be rejected without a fix being lost.
  public static let harmlessReasons: Set<String> = ["void", "duplicate", "time"]

  /// Name of the track.
  public let track: String
  /// Number of accepted fixes.
  public let accepted: Int
  /// Number of lost fixes by reason, harmless reasons left out.
  public let lost: [String: Int]

  /// Makes a loss of a track's counts; nil where no more was lost than kept.
  ///
  /// - Parameters:
  ///   - track: Name of the track.
  ///   - accepted: Number of accepted fixes.
  ///   - rejected: Number of rejected ones by the reason's name.
  ///   - keepsUntimed: Whether a fix whose time cannot be read is kept, without its time.
  public init?(
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
  public var lostCount: Int { lost.values.reduce(0, +) }

  /// One sentence that begins with the track, without a full stop.
  public var sentence: String {
    let kept = accepted == 0 ? "none" : "only \(accepted)"
    return "\(track): \(TextNumber.count(lostCount, "fix was", "fixes were")) refused "
      + "(\(TextNumber.list(lost))), \(kept) accepted"
  }
}

extension TrackSummary {
  /// What the track lost, where that is more than it kept; else nil.
  public var loss: FixLoss? { loss(keepsUntimed: true) }

  /// What the track lost, where that is more than it kept; else nil.
  ///
  /// - Parameter keepsUntimed: Whether a fix whose time cannot be read is kept, without its time.
  /// - Returns: The loss, or nil.
  public func loss(keepsUntimed: Bool) -> FixLoss? {
    let name = device.map { "\(track), \($0)" } ?? track
    return FixLoss(
      track: name, accepted: fixes, rejected: rejected, keepsUntimed: keepsUntimed)
  }
}

extension TrackAccount {
  /// What the track lost, where that is more than it kept; else nil.
  public var loss: FixLoss? {
    FixLoss(track: track, accepted: fixes, rejected: rejectedByReason)
  }
}
