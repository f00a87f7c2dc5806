/// Why a story did or did not alert on a track.
///
/// If the path enters a story several times, the first case that fits any entry applies.
package enum Verdict: String, CaseIterable, Sendable {
  case alerted
  /// The circle was watched, but the alert rules held back every alert.
  case suppressed
  /// The circle was not watched on arrival, and a later lookup found the phone inside.
  case late
  /// The circle was not watched, and the phone left it unnoticed.
  case missed
  /// The track began inside the circle and never came in from outside.
  case insideAtStart = "inside-at-start"
  /// The path was never inside the circle.
  case neverCrossed = "never-crossed"
}

package struct VerdictCounts: Equatable, Sendable {
  // A plain integer, because almost every story on almost every track has this verdict.
  private var neverCrossed = 0
  private var crossed: [Verdict: Int] = [:]

  package init() {}

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

  /// The number of verdicts other than `neverCrossed`.
  var crossedCount: Int { crossed.values.reduce(0, +) }

  package static func += (counts: inout VerdictCounts, other: VerdictCounts) {
    counts.neverCrossed += other.neverCrossed
    for (verdict, count) in other.crossed { counts.crossed[verdict, default: 0] += count }
  }
}
