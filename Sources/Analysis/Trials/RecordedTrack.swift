package import FencepostTracks
package import FencepostFixes
import FencepostFiles
import FencepostFormats

/// The fixes of a track in memory, for runs that are repeated.
package struct RecordedTrack: Sendable {
  /// The track's name in reports.
  package let name: String
  /// The accepted fixes.
  package let fixes: [Fix]
  /// The numbers of its fixes: how many were rejected and why, and what is to be said of the track.
  package let account: TrackAccount
  /// Where the path is, roughly.
  let hull: PathHull

  /// Reads a track.
  ///
  /// - Parameters:
  ///   - path: The track's file, `-` for standard input.
  ///   - name: The track's name in reports; nil for that of the file.
  ///   - options: How bytes become fixes.
  /// - Throws: ``TrackFailure`` if the track cannot be read to its end or has no fix.
  package init(
    path: String, name: String? = nil, options: FixStream.Options = FixStream.Options()
  ) throws(TrackFailure) {
    try self.init(name: name ?? (path == "-" ? "stdin" : path.shownFileName)) {
      () throws(FixSourceError) in try FixReader(path: path, options: options)
    }
  }

  /// Reads a track from the bytes of a file.
  ///
  /// - Throws: ``TrackFailure`` if the track cannot be read to its end or has no fix.
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

  /// Makes a track of its fixes.
  package init(name: String, fixes: [Fix], account: TrackAccount? = nil) {
    self.name = name
    self.fixes = fixes
    self.account = account ?? TrackAccount(track: name)
    hull = PathHull(fixes)
  }

  /// Every piece of a thousand fixes, in order: work is interrupted only between pieces.
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
