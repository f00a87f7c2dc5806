package import FencepostFixes

/// A track's fixes in memory, so that it can be followed repeatedly.
package struct RecordedTrack: Sendable {
  package let name: String
  package let fixes: [Fix]
  /// Rejected fixes by reason, and notes about the track.
  package let account: TrackAccount
  let hull: PathHull

  package init(name: String, fixes: [Fix], account: TrackAccount? = nil) {
    self.name = name
    self.fixes = fixes
    self.account = account ?? TrackAccount(track: name)
    hull = PathHull(fixes)
  }

  private static let pieceCount = 1024

  /// Calls `body` with up to 1,024 fixes at a time, so that a false result can interrupt the work.
  func forEachPiece(_ body: ([Fix]) -> Bool) -> Bool {
    var start = 0
    while start < fixes.count {
      let end = min(start + Self.pieceCount, fixes.count)
      guard body(Array(fixes[start..<end])) else { return false }
      start = end
    }
    return true
  }
}
