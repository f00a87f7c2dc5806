package import FencepostFixes

/// A track's fixes in memory, so that it can be followed repeatedly.
///
/// Advice and the studio follow the same tracks hundreds of times, and reading the files would take
/// most of that time.
package struct RecordedTrack: Sendable {
  /// The track's name in reports, usually its file.
  package let name: String
  /// The accepted fixes, in the order in which they are followed.
  package let fixes: [Fix]
  /// Rejected fixes by reason, and notes about the track.
  package let account: TrackAccount
  let hull: PathHull

  /// Creates a track from fixes; without an account, one that knows only the name.
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
