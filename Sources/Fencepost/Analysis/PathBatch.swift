import Fixes
import Geodesy
import Monitoring

/// Some fixes of a track, prepared once for every rule that is to follow them.
struct PathBatch {
  /// The vertices.
  private(set) var points: [PathPoint] = []
  /// The speed on the way to each vertex in metres a second, NaN where it is not known; empty
  /// where no rule asks for it.
  private(set) var speeds: [Double] = []
  /// Index of the first vertex, counted over the track.
  private(set) var firstFix = 0

  private let watchesSpeed: Bool
  private var last: Fix?

  /// Begins a track.
  init(watchesSpeed: Bool) {
    self.watchesSpeed = watchesSpeed
  }

  /// Replaces the vertices with the next ones.
  mutating func prepare(_ fixes: [Fix]) {
    firstFix += points.count
    points.removeAll(keepingCapacity: true)
    speeds.removeAll(keepingCapacity: true)
    for fix in fixes {
      let startsSegment = last.map { $0.segmentIndex != fix.segmentIndex } ?? false
      points.append(
        PathPoint(
          coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
          startsSegment: startsSegment))
      if watchesSpeed { speeds.append(speed(at: fix)) }
      last = fix
    }
  }

  /// The speed on the way to a fix: what the receiver said, else what the path implies.
  private func speed(at fix: Fix) -> Double {
    if !fix.speedMetersPerSecond.isNaN { return Double(fix.speedMetersPerSecond) }
    guard let last, let start = last.timeMilliseconds, let end = fix.timeMilliseconds,
      end > start
    else { return .nan }
    return Geodesic.distanceMeters(last.coordinate, fix.coordinate) * 1000 / Double(end - start)
  }
}
