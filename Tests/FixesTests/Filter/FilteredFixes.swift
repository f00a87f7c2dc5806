import FencepostFixes
import FencepostGeodesy
import Testing

/// The result of filtering fixes, each identified by its line.
struct FilteredFixes: Equatable {
  /// The lines of the accepted fixes, in order of acceptance.
  var accepted: [Int] = []
  var rejected: [Int: Rejection.Reason] = [:]

  /// Filters fixes, a batch of the given size at a time, to the end of their source.
  init(_ fixes: [Fix], batchCount: Int = .max, filter: FixFilter = FixFilter()) {
    var filter = filter
    var start = 0
    repeat {
      let end = fixes.count - start <= batchCount ? fixes.count : start + batchCount
      var batch = FixBatch()
      batch.fixes = Array(fixes[start..<end])
      filter.filter(&batch)
      start = end
      if start == fixes.count { filter.finish(into: &batch) }
      take(batch)
    } while start < fixes.count
  }

  private mutating func take(_ batch: FixBatch) {
    accepted += batch.fixes.map { Int($0.line) }
    for rejection in batch.rejections {
      guard let line = rejection.line else { continue }
      #expect(rejected[line] == nil)
      rejected[line] = rejection.reason
    }
  }

  /// How many were rejected for a reason.
  func count(_ reason: Rejection.Reason) -> Int { rejected.values.count { $0 == reason } }

  /// Fixes of a path that moves on, with times in milliseconds, on the lines from 1.
  static func path(_ times: [Int64?], tracks: [Int32] = []) -> [Fix] {
    times.enumerated().map { step, time in
      Fix(
        coordinate: Coordinate(latitudeDegrees: 1 + Double(step) * 1e-4, longitudeDegrees: 2),
        timeMilliseconds: time, trackIndex: tracks.isEmpty ? 0 : tracks[step],
        line: Int32(step + 1))
    }
  }

  /// For each fix of a path in the order of its lines, why it was rejected; nil if accepted.
  static func verdicts(_ times: [Int64?], tracks: [Int32] = []) -> [Rejection.Reason?] {
    let fixes = path(times, tracks: tracks)
    let filtered = FilteredFixes(fixes)
    #expect(filtered.accepted.count + filtered.rejected.count == fixes.count)
    #expect(filtered == FilteredFixes(fixes, batchCount: 1))
    return fixes.map { filtered.rejected[Int($0.line)] }
  }
}
