public import Fixes

/// What a session made of the lines that were offered to a ``FixIntake`` together.
public struct IntakeAccount: Sendable {
  /// A line that the session refused.
  public struct Refusal: Sendable, Equatable {
    /// The place of the line among those that were offered with it, from 0.
    public var index: Int
    /// Why it was refused.
    public var reason: Rejection.Reason
  }

  /// How many fixes count.
  public internal(set) var acceptedCount = 0
  /// How many were refused, by reason.
  public internal(set) var refusedCounts = RejectionCounts()
  /// What was refused, the first thousand of them, in the order of the lines.
  public internal(set) var refusals: [Refusal] = []
  /// How many the session has and has not judged yet.
  public internal(set) var heldCount = 0
  /// Whether what the session has is in its state file; true where it keeps none.
  public internal(set) var isSaved = true

  static var mostRefusals: Int { 1000 }

  mutating func add(_ verdict: LineVerdict, index: Int) {
    switch verdict {
    case .accepted: acceptedCount += 1
    case .held: heldCount += 1
    case .refused(let reason):
      refusedCounts.add(reason)
      guard refusals.count < Self.mostRefusals else { return }
      refusals.append(Refusal(index: index, reason: reason))
    }
  }
}

/// What a session made of one line of its input.
enum LineVerdict {
  /// It is a fix that counts.
  case accepted
  /// It is refused.
  case refused(Rejection.Reason)
  /// It is kept and not judged yet; another verdict for the same line may follow.
  case held
}
