import FencepostAnalysis
import FencepostFixes
import FencepostFormats
package import FencepostGeodesy

/// A walk at a constant speed from point to point, with a fix every second and at each point.
package struct Waypoints: Hashable, Sendable {
  /// At least two points.
  package let points: [Coordinate]
  package let metersPerSecond: Double
  /// The time at the first point, in milliseconds since 1970-01-01T00:00:00Z.
  package let startMilliseconds: Int64

  private static let walkingMetersPerSecond = 1.4
  /// The longest walk: more than a day of fixes.
  private static let mostSeconds = 100_000.0

  init(_ node: JSONNode) throws(JSONPathError) {
    try node.check(keys: ["points", "speed", "start"])
    let list = try node.member("points")
    var points: [Coordinate] = []
    for point in try list.elements() { points.append(try point.coordinate()) }
    guard points.count > 1 else { throw list.error("a walk needs at least two points") }
    let speed = try node.optionalMember("speed")
    let metersPerSecond =
      try speed.map { (speed) throws(JSONPathError) in
        Quantity.metersPerSecond(try speed.text()) ?? 0
      } ?? Self.walkingMetersPerSecond
    guard metersPerSecond > 0 else {
      throw (speed ?? node).error("must be a speed above 0, such as 1.4m/s or 30km/h")
    }
    let meters = zip(points, points.dropFirst()).reduce(0) {
      $0 + Geodesic.distanceMeters($1.0, $1.1)
    }
    guard meters / metersPerSecond <= Self.mostSeconds else {
      throw node.error("takes longer than a day; use fewer points or a higher speed")
    }
    self.points = points
    self.metersPerSecond = metersPerSecond
    startMilliseconds = try node.member("start").instantMilliseconds()
  }

  /// The walk as a track.
  func track() -> RecordedTrack {
    var fixes = [Fix(coordinate: points[0], timeMilliseconds: startMilliseconds)]
    var passedSeconds = 0.0
    for (start, end) in zip(points, points.dropFirst()) {
      let segment = GeodesicSegment(from: Position(start), to: Position(end))
      let seconds = segment.lengthMeters / metersPerSecond
      guard seconds > 0 else { continue }
      var next = passedSeconds.rounded(.down) + 1
      while next < passedSeconds + seconds {
        let position = segment.position(atFraction: (next - passedSeconds) / seconds)
        append(position.coordinate, atSeconds: next, to: &fixes)
        next += 1
      }
      passedSeconds += seconds
      append(end, atSeconds: passedSeconds, to: &fixes)
    }
    return RecordedTrack(name: "waypoints", fixes: fixes)
  }

  /// Appends a fix, unless it would have the time of the one before it.
  private func append(
    _ coordinate: Coordinate, atSeconds seconds: Double, to fixes: inout [Fix]
  ) {
    let time = startMilliseconds + Int64((seconds * 1000).rounded())
    if fixes.last?.timeMilliseconds == time { fixes.removeLast() }
    fixes.append(Fix(coordinate: coordinate, timeMilliseconds: time))
  }
}
