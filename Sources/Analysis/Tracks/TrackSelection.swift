package import FencepostFixes
package import FencepostGeodesy

/// Which fixes of tracks are followed: those of a period, those in a box, or those of a period in a box.
///
/// The others are left out as if they had not been recorded. A path that leaves the box is broken there, so that
/// nothing is interpolated between where it left and where it came back.
package struct TrackSelection: Equatable, Sendable {
  /// The first millisecond of the period since 1970; nil if it has no beginning.
  package var fromMilliseconds: Int64?
  /// The first millisecond after the period since 1970; nil if it has no end.
  package var toMilliseconds: Int64?
  /// The box; nil for everywhere.
  package var box: CoordinateBox?

  /// Selects every fix.
  package init(
    fromMilliseconds: Int64? = nil, toMilliseconds: Int64? = nil, box: CoordinateBox? = nil
  ) {
    self.fromMilliseconds = fromMilliseconds
    self.toMilliseconds = toMilliseconds
    self.box = box
  }

  /// Whether every fix is selected.
  package var isEverything: Bool {
    fromMilliseconds == nil && toMilliseconds == nil && box == nil
  }

  /// Whether a fix is selected; one without time is in no period.
  package func contains(_ fix: Fix) -> Bool {
    if fromMilliseconds != nil || toMilliseconds != nil {
      guard let time = fix.timeMilliseconds else { return false }
      if let fromMilliseconds, time < fromMilliseconds { return false }
      if let toMilliseconds, time >= toMilliseconds { return false }
    }
    return box?.contains(fix.coordinate) ?? true
  }
}

/// Keeps the selected fixes of one track, and breaks it where fixes between them are left out.
struct FixSelector {
  /// The number of fixes that were left out.
  private(set) var leftOut = 0

  private let selection: TrackSelection
  private var cuts: Int32 = 0
  private var hasKept = false
  private var isApart = false

  init(_ selection: TrackSelection) {
    self.selection = selection
  }

  /// The selected fixes of the next ones of the track.
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
