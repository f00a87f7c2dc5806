/// Why a story did, or did not, alert on a track.
///
/// A story that the path enters several times gets the first of these, in order of declaration, that holds for
/// any of its entries.
package enum Verdict: String, CaseIterable, Sendable {
  /// At least one entry alerted.
  case alerted
  /// It was entered while monitored, and the policy suppressed every such entry.
  case suppressed
  /// It was entered while not monitored, and a later refresh found the device inside.
  case late
  /// It was entered while not monitored, and the device left again unnoticed.
  case missed
  /// The device was inside when the track began, and never came in from outside.
  case insideAtStart = "inside-at-start"
  /// The path was never inside.
  case neverCrossed = "never-crossed"
}

/// How often there was each verdict.
package struct VerdictCounts: Equatable, Sendable {
  // A plain number, because nearly every story has this verdict on nearly every track.
  private var neverCrossed = 0
  private var crossed: [Verdict: Int] = [:]

  /// Makes counts of zero.
  package init() {}

  /// How often there was one verdict.
  package subscript(verdict: Verdict) -> Int {
    get { verdict == .neverCrossed ? neverCrossed : crossed[verdict, default: 0] }
    set {
      if verdict == .neverCrossed {
        neverCrossed = newValue
      } else {
        crossed[verdict] = newValue == 0 ? nil : newValue
      }
    }
  }

  /// The number of all verdicts but never-crossed.
  var crossedCount: Int { crossed.values.reduce(0, +) }

  /// Adds the other's counts.
  package static func += (counts: inout VerdictCounts, other: VerdictCounts) {
    counts.neverCrossed += other.neverCrossed
    counts.crossed.merge(other.crossed, uniquingKeysWith: +)
  }
}
