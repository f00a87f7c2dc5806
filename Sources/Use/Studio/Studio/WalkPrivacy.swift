#if Command
import FencepostAnalysis
import FencepostFixes
import FencepostGeodesy

/// What to hide in a page that is sent to others, to protect the people who recorded the walks.
///
/// Many walks begin and end at a home, and their times tell when nobody was there.
package struct WalkPrivacy: Sendable {
  /// Fixes at most this far from the first or the last one are removed, in meters; 0 removes none.
  package var endsMeters: Double
  /// Each walk begins at a multiple of this time, in milliseconds; 0 leaves the clock as it is.
  package var clockMilliseconds: Int64

  /// Hides nothing unless a value is above 0.
  package init(endsMeters: Double = 0, clockMilliseconds: Int64 = 0) {
    self.endsMeters = endsMeters
    self.clockMilliseconds = clockMilliseconds
  }

  /// Whether anything is left out.
  var isActive: Bool { endsMeters > 0 || clockMilliseconds > 0 }

  /// The walks with what must not be seen removed, and the index that each has in `tracks`.
  ///
  /// Without anything to hide, the walks keep their files' names. Otherwise they are numbered,
  /// because a name may tell a time or a person. A walk that never leaves its ends is removed.
  /// - Complexity: O(n) for n fixes.
  func apply(to tracks: [RecordedTrack]) -> [(index: Int, track: RecordedTrack)] {
    var kept: [(index: Int, track: RecordedTrack)] = []
    for (index, track) in tracks.enumerated() {
      guard isActive else {
        let name = track.name.split(separator: "/").last.map(String.init) ?? track.name
        kept.append((index, RecordedTrack(name: name, fixes: track.fixes, account: track.account)))
        continue
      }
      let fixes = withRoundClock(withoutEnds(track.fixes))
      if !fixes.isEmpty {
        kept.append((index, RecordedTrack(name: "Walk \(kept.count + 1)", fixes: fixes)))
      }
    }
    return kept
  }

  /// What the page leaves out, in sentences; empty if nothing.
  func words(removed: Int) -> String {
    var sentences: [String] = []
    if endsMeters > 0 {
      let meters = Int(endsMeters.rounded())
      sentences.append("Everything within \(meters) m of each walk’s start and end is left out.")
    }
    if clockMilliseconds > 0 { sentences.append("The clock is rounded.") }
    if removed > 0 {
      sentences.append(
        removed == 1 ? "1 walk is left out entirely." : "\(removed) walks are left out entirely.")
    }
    return sentences.joined(separator: " ")
  }

  /// Fixes far enough from the first and the last one; where some are removed, the path breaks.
  private func withoutEnds(_ fixes: [Fix]) -> [Fix] {
    guard endsMeters > 0, let first = fixes.first?.coordinate, let last = fixes.last?.coordinate
    else { return fixes }
    var kept: [Fix] = []
    var breaks: Int32 = 0
    var wasRemoved = false
    for fix in fixes {
      let here = fix.coordinate
      let nearest = min(
        Geodesic.distanceMeters(first, here), Geodesic.distanceMeters(last, here))
      if nearest <= endsMeters {
        wasRemoved = true
        continue
      }
      if wasRemoved, !kept.isEmpty { breaks += 1 }
      wasRemoved = false
      var fix = fix
      fix.segmentIndex += breaks
      kept.append(fix)
    }
    return kept
  }

  /// Moves a whole walk in time, so that speeds and the time between fixes stay as they are.
  private func withRoundClock(_ fixes: [Fix]) -> [Fix] {
    guard clockMilliseconds > 0, let first = fixes.lazy.compactMap(\.timeMilliseconds).first
    else { return fixes }
    let past = ((first % clockMilliseconds) + clockMilliseconds) % clockMilliseconds
    let shift = past * 2 < clockMilliseconds ? -past : clockMilliseconds - past
    return fixes.map { fix in
      var fix = fix
      fix.timeMilliseconds = fix.timeMilliseconds.map { $0 + shift }
      return fix
    }
  }
}
#endif
