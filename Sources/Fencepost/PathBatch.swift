package import FencepostFixes
import FencepostGeodesy
package import FencepostMonitoring

/// Fixes of a track and the path vertices made from them, shared by all followers.
package struct PathBatch {
  package private(set) var fixes: [Fix] = []
  package private(set) var points: [PathPoint] = []
  /// The index of the first vertex within the track.
  package private(set) var firstFix = 0
  /// The fix before these; nil at the start of the track.
  package private(set) var before: Fix?

  package init(after last: Fix? = nil) { before = last }

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

  /// The vertex before these, as the start of a path; nil at the start of the track.
  var pointBefore: PathPoint? { before.map { PathPoint($0, after: $0) } }

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

extension PathPoint {
  fileprivate init(_ fix: Fix, after last: Fix?) {
    // A missing or invalid accuracy counts as 0.
    let isAccuracyKnown = fix.accuracyMeters > 0 && fix.accuracyMeters.isFinite
    self.init(
      coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
      startsSegment: fix.segmentIndex != last?.segmentIndex,
      accuracyMeters: isAccuracyKnown ? fix.accuracyMeters : 0)
  }
}
