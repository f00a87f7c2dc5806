import FencepostFiles
import FencepostFixes
import FencepostFormats
package import FencepostTracks

extension RecordedTrack {
  /// Reads a whole track from a file, or from standard input if `path` is `-`.
  ///
  /// - Throws: ``TrackFailure`` if the track cannot be read to its end or has no fixes.
  package init(
    path: String, name: String? = nil, options: FixStreamOptions = FixStreamOptions()
  ) throws(TrackFailure) {
    try self.init(name: name ?? (path == "-" ? "stdin" : path.shownFileName)) {
      () throws(FixSourceError) in try FixReader(path: path, options: options)
    }
  }

  /// Reads a whole track from the bytes of a file.
  ///
  /// - Throws: ``TrackFailure`` if the track cannot be read to its end or has no fixes.
  package init(bytes: [UInt8], name: String, options: FixStreamOptions) throws(TrackFailure) {
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
      throw TrackFailure(
        path: name, kind: .empty(rejected: account.rejectedByReason, notices: account.notices))
    }
    self.init(name: name, fixes: fixes, account: account)
  }
}
