package import FencepostTracks
package import FencepostFixes
import FencepostFiles
import FencepostFormats

/// A track's fixes in memory, so that it can be followed repeatedly.
package struct RecordedTrack: Sendable {
  package let name: String
  package let fixes: [Fix]
  /// Rejected fixes by reason, and notes about the track.
  package let account: TrackAccount
  let hull: PathHull

  /// Reads a whole track from a file, or from standard input if `path` is `-`.
  ///
  /// - Throws: ``TrackFailure`` if the track cannot be read to its end or has no fixes.
  package init(
    path: String, name: String? = nil, options: FixStream.Options = FixStream.Options()
  ) throws(TrackFailure) {
    try self.init(name: name ?? (path == "-" ? "stdin" : path.shownFileName)) {
      () throws(FixSourceError) in try FixReader(path: path, options: options)
    }
  }

  /// Reads a whole track from the bytes of a file.
  ///
  /// - Throws: ``TrackFailure`` if the track cannot be read to its end or has no fixes.
  package init(bytes: [UInt8], name: String, options: FixStream.Options) throws(TrackFailure) {
    try self.init(name: name) { () throws(FixSourceError) in
      FixReader(ByteSource(bytes: bytes, name: name), options: options)
    }
  }

  private init(
    name: String, _ open: () throws(FixSourceError) -> FixReader
  ) throws(TrackFailure) {
    var account = TrackAccount(track: name)
    var fixes: [Fix] = []
    do throws(FixSourceError) {
      var reader = try open()
      var batch = FixBatch()
      while try reader.read(into: &batch) { fixes += batch.fixes }
      account.note(reader)
    } catch {
      throw TrackFailure(path: name, kind: .fixes(error))
    }
    guard !fixes.isEmpty else {
      throw TrackFailure(path: name, kind: .empty(rejected: account.rejectedByReason))
    }
    self.init(name: name, fixes: fixes, account: account)
  }

  package init(name: String, fixes: [Fix], account: TrackAccount? = nil) {
    self.name = name
    self.fixes = fixes
    self.account = account ?? TrackAccount(track: name)
    hull = PathHull(fixes)
  }

  /// Calls `body` with up to 1,000 fixes at a time, so that a false result can interrupt the work.
  func forEachPiece(_ body: ([Fix]) -> Bool) -> Bool {
    var start = 0
    while start < fixes.count {
      let end = min(start + FixReader.batchCount, fixes.count)
      guard body(Array(fixes[start..<end])) else { return false }
      start = end
    }
    return true
  }
}
