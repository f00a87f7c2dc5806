/// Why a story did, or did not, alert on a track.
///
/// A story that the path enters several times has the first of these, in the order of the
/// declaration, that holds for any of its entries.
public enum Verdict: String, CaseIterable, Sendable {
  /// At least one entry alerted.
  case alerted
  /// It was entered while monitored, and the policy held every such entry back.
  case suppressed
  /// It was entered while not monitored, and a later refresh found the device inside.
  case late
  /// It was entered while not monitored, and nothing noticed before the device had left again.
  case missed
  /// The device was inside when the track began, and never came in from outside.
  case insideAtStart = "inside-at-start"
  /// The path never was inside.
  case neverCrossed = "never-crossed"

  /// The verdict's place in the order of precedence, from 0.
  public var index: Int {
    switch self {
    case .alerted: 0
    case .suppressed: 1
    case .late: 2
    case .missed: 3
    case .insideAtStart: 4
    case .neverCrossed: 5
    }
  }
}

/// How often there was each verdict.
public struct VerdictCounts: Equatable, Sendable {
  private var counts = SIMD8<Int>()

  /// Makes counts of zero.
  public init() {}

  /// How often there was one verdict.
  public subscript(verdict: Verdict) -> Int {
    get { counts[verdict.index] }
    set { counts[verdict.index] = newValue }
  }

  /// Adds the other's counts.
  public static func += (counts: inout VerdictCounts, other: VerdictCounts) {
    counts.counts &+= other.counts
  }
}
