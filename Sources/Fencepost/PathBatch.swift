package import FencepostFixes
import FencepostGeodesy
package import FencepostMonitoring

/// Some fixes of a track as the vertices of a path, prepared once for all that follow them.
package struct PathBatch {
  /// The fixes.
  package private(set) var fixes: [Fix] = []
  /// The vertices, one for each fix.
  package private(set) var points: [PathPoint] = []
  /// Index of the first vertex, counted over the track.
  package private(set) var firstFix = 0
  /// The fix before these; nil at the beginning of the track.
  package private(set) var before: Fix?

  /// Begins a track, or goes on behind a fix.
  package init(after last: Fix? = nil) { before = last }

  /// Replaces the fixes with the next ones.
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

  /// The vertex before these, as the first of its path; nil at the beginning of the track.
  var pointBefore: PathPoint? { before.map { PathPoint($0, after: $0) } }

  /// The speed on the way to a fix in metres a second: the receiver's, else the one that the path implies; NaN if
  /// neither is known.
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
    // An accuracy that is not stated or makes no sense counts as 0.
    let isAccuracyKnown = fix.accuracyMeters > 0 && fix.accuracyMeters.isFinite
    self.init(
      coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
      startsSegment: fix.segmentIndex != last?.segmentIndex,
      accuracyMeters: isAccuracyKnown ? fix.accuracyMeters : 0)
  }
}
