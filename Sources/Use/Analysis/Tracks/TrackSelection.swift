package import FencepostFixes
package import FencepostGeodesy

/// Which fixes to follow: those in a period, in a box, or both.
///
/// Other fixes are ignored as if they had not been recorded. A path that leaves the box has a gap
/// there, so nothing is interpolated until it returns.
package struct TrackSelection: Equatable, Sendable {
  /// The start of the period in milliseconds since 1970, included; nil for no start.
  package var fromMilliseconds: Int64?
  /// The end of the period in milliseconds since 1970, excluded; nil for no end.
  package var toMilliseconds: Int64?
  /// The box around the fixes to follow; nil for the whole Earth.
  package var box: CoordinateBox?

  /// Selects fixes by what is given; by default all of them.
  package init(
    fromMilliseconds: Int64? = nil, toMilliseconds: Int64? = nil, box: CoordinateBox? = nil
  ) {
    self.fromMilliseconds = fromMilliseconds
    self.toMilliseconds = toMilliseconds
    self.box = box
  }

  /// Whether all fixes are followed.
  package var isEverything: Bool { fromMilliseconds == nil && toMilliseconds == nil && box == nil }

  /// Returns whether a fix is selected; one without a time is in no period.
  package func contains(_ fix: Fix) -> Bool {
    if fromMilliseconds != nil || toMilliseconds != nil {
      guard let time = fix.timeMilliseconds else { return false }
      if let fromMilliseconds, time < fromMilliseconds { return false }
      if let toMilliseconds, time >= toMilliseconds { return false }
    }
    return box?.contains(fix.coordinate) ?? true
  }
}

/// Keeps the selected fixes of a track, with a gap where others are left out.
///
/// A fix that is left out begins a new segment, so that nothing is interpolated across it.
struct FixSelector {
  /// The number of fixes that were left out.
  private(set) var leftOut = 0

  private let selection: TrackSelection
  private var cuts: Int32 = 0
  private var hasKept = false
  private var isApart = false

  init(_ selection: TrackSelection) { self.selection = selection }

  /// Returns the fixes that are selected, with their segments counted on.
  mutating func select(_ fixes: [Fix]) -> [Fix] {
    if selection.isEverything { return fixes }
    var kept: [Fix] = []
    for fix in fixes {
      guard selection.contains(fix) else {
        leftOut += 1
        isApart = hasKept
        continue
      }
      if isApart { cuts += 1 }
      (isApart, hasKept) = (false, true)
      var fix = fix
      fix.segmentIndex += cuts
      kept.append(fix)
    }
    return kept
  }
}
