import FencepostSession
import FencepostFiles
import FencepostFixes
import FencepostFormats
import FencepostMonitoring
import FencepostTracks

extension ComparedRuns {
  /// Reads and follows a track to its end; false if the task was canceled.
  ///
  /// - Throws: ``TrackFailure`` if the track cannot be read or has no fixes, or the store fails.
  mutating func follow(
    _ reader: consuming FixReader, onVertex: (PathPoint, Bool) -> Void
  ) throws(TrackFailure) -> Bool {
    do throws(FixSourceError) {
      var reader = reader
      var fixes = FixBatch()
      while try reader.read(into: &fixes) {
        if Task.isCancelled { return false }
        take(selector.select(fixes.fixes), onVertex: onVertex)
      }
      account.note(reader)
    } catch {
      if error.isInterruption { return false }
      throw TrackFailure(path: path, kind: .fixes(error))
    }
    if account.fixes == 0 {
      throw TrackFailure(
        path: path, kind: .empty(rejected: account.rejectedByReason, notices: account.notices))
    }
    if selector.leftOut == account.fixes {
      throw TrackFailure(path: path, kind: .outside(fixes: account.fixes))
    }
    account.fixesOutside = selector.leftOut
    account.fixes -= selector.leftOut
    try finish()
    return true
  }
}

extension FixReader {
  /// Opens a track; a failure names it `name`, or by its path.
  init(
    track path: String, named name: String? = nil, options: FixStreamOptions
  ) throws(TrackFailure) {
    do throws(FixSourceError) {
      self = try FixReader(path: path, options: options)
    } catch {
      throw TrackFailure(path: name ?? path, kind: .fixes(error))
    }
  }
}

extension TrackAccount {
  mutating func note(_ reader: borrowing FixReader) {
    sums.fixes = reader.acceptedCount
    sums.rejected = reader.rejectionCounts.total
    notices = reader.notices
    if !reader.isSorted { remarks.lateness = reader.lateness }
    title = reader.title
    sums.rejectedByReason = reader.rejectionCounts.byName
  }
}
