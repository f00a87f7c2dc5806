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
}

/// How often there was each verdict.
public struct VerdictCounts: Equatable, Sendable {
  // Plain numbers and no SIMD vector: a vector of eight asks for an alignment that values on their way
  // between tasks are not given.
  private var alerted = 0
  private var suppressed = 0
  private var late = 0
  private var missed = 0
  private var insideAtStart = 0
  private var neverCrossed = 0

  /// Makes counts of zero.
  public init() {}

  /// How often there was one verdict.
  public subscript(verdict: Verdict) -> Int {
    get {
      switch verdict {
      case .alerted: alerted
      case .suppressed: suppressed
      case .late: late
      case .missed: missed
      case .insideAtStart: insideAtStart
      case .neverCrossed: neverCrossed
      }
    }
    set {
      switch verdict {
      case .alerted: alerted = newValue
      case .suppressed: suppressed = newValue
      case .late: late = newValue
      case .missed: missed = newValue
      case .insideAtStart: insideAtStart = newValue
      case .neverCrossed: neverCrossed = newValue
      }
    }
  }

  /// Adds the other's counts.
  public static func += (counts: inout VerdictCounts, other: VerdictCounts) {
    counts.alerted += other.alerted
    counts.suppressed += other.suppressed
    counts.late += other.late
    counts.missed += other.missed
    counts.insideAtStart += other.insideAtStart
    counts.neverCrossed += other.neverCrossed
  }
}
