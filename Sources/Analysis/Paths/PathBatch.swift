import Fencepost
import FencepostFixes
import FencepostMonitoring

/// Some fixes of a track, prepared once for all rules that follow them.
struct PathBatch {
  /// The vertices.
  private(set) var points: [PathPoint] = []
  /// The speed on the way to each vertex in metres a second, NaN if unknown; empty if not needed.
  private var speeds: [Double] = []
  /// Index of the first vertex, counted over the track.
  private(set) var firstFix = 0

  private let watchesSpeed: Bool
  private var fixes: [Fix] = []
  /// The last fix before these.
  private var before: Fix?
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
    (self.fixes, before) = (fixes, last)
    for fix in fixes {
      let startsSegment = last.map { $0.segmentIndex != fix.segmentIndex } ?? false
      points.append(
        PathPoint(
          coordinate: fix.coordinate, timeMilliseconds: fix.timeMilliseconds,
          startsSegment: startsSegment, accuracyMeters: fix.knownAccuracyMeters))
      if watchesSpeed { speeds.append(fix.arrivalSpeedMetersPerSecond(from: last)) }
      last = fix
    }
  }

  /// The speed on the way to a vertex in metres a second, NaN if unknown or not needed.
  func speed(at offset: Int) -> Double {
    speeds.isEmpty ? .nan : speeds[offset]
  }

  /// The speed on the way to a vertex in metres a second, worked out if need be; nil if unknown.
  func arrivalSpeed(at offset: Int) -> Double? {
    let speed = fixes[offset].arrivalSpeedMetersPerSecond(
      from: offset > 0 ? fixes[offset - 1] : before)
    return speed.isNaN ? nil : speed
  }
}
