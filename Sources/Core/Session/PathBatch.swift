package import FencepostFixes
import FencepostGeodesy
package import FencepostMonitoring
package import FencepostNotifications

/// Fixes of a track and the path vertices made from them, shared by all runs along it.
///
/// Prepare it with each chunk of fixes in turn. An offset counts from the first fix of the chunk.
package struct PathBatch {
  /// The fixes of the chunk.
  package private(set) var fixes: [Fix] = []
  /// The vertices of ``fixes``, at the same offsets.
  package private(set) var points: [PathPoint] = []
  /// The index of the first vertex within the track.
  package private(set) var firstFix = 0
  /// The fix before these; nil at the start of the track.
  package private(set) var before: Fix?

  /// Creates an empty batch; `last` is the fix before the first chunk, nil at the start of a track.
  package init(after last: Fix? = nil) { before = last }

  /// Replaces the points by those of the next fixes, which follow the last ones.
  package mutating func prepare(_ next: [Fix]) {
    firstFix += fixes.count
    before = fixes.last ?? before
    fixes = next
    points.removeAll(keepingCapacity: true)
    var last = before
    for fix in next {
      points.append(PathPoint(fix, after: last))
      last = fix
    }
  }

  /// The receiver's speed in meters per second, or else that of the path; NaN if unknown.
  package func speedMetersPerSecond(at offset: Int) -> Double {
    let fix = fixes[offset]
    if !fix.speedMetersPerSecond.isNaN { return Double(fix.speedMetersPerSecond) }
    guard let last = offset > 0 ? fixes[offset - 1] : before, let start = last.timeMilliseconds,
      let end = fix.timeMilliseconds, end > start
    else { return .nan }
    return Geodesic.distanceMeters(last.coordinate, fix.coordinate) * 1000 / Double(end - start)
  }
}

extension PathRun {
  /// The speed on the way to a fix in meters per second; NaN if unknown or if no rule uses it.
  package func speed(at offset: Int, of batch: PathBatch) -> Double {
    watchesSpeed ? batch.speedMetersPerSecond(at: offset) : .nan
  }

  /// Tells the policy the speed at a fix, after the decisions there.
  package mutating func pass(_ offset: Int, of batch: PathBatch) {
    guard watchesSpeed, let time = batch.points[offset].timeMilliseconds else { return }
    pass(speedMetersPerSecond: batch.speedMetersPerSecond(at: offset), atMilliseconds: time)
  }
}

extension PathPoint {
  init(_ fix: Fix, after last: Fix?) {
    // A missing or invalid accuracy counts as 0.
    let isAccuracyKnown = fix.accuracyMeters > 0 && fix.accuracyMeters.isFinite
    self.init(
      coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
      startsSegment: fix.segmentIndex != last?.segmentIndex,
      accuracyMeters: isAccuracyKnown ? fix.accuracyMeters : 0)
  }
}
