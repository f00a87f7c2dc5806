public import Geodesy

/// The path an engine has followed so far, and where around its end nothing can happen.
///
/// Kept apart from what acts on the path because most vertices end here, in code that is inlined
/// into the loop over them.
@usableFromInline
struct FollowedPath: Sendable {
  /// Number of vertices taken.
  @usableFromInline var fixCount = 0
  /// Length of the joined path in metres.
  @usableFromInline var lengthMeters = 0.0
  /// Whether the path runs on from the vertex before the last to the last one.
  @usableFromInline var isJoined = false
  /// The last vertex.
  @usableFromInline var previous: PathPoint?
  /// Where neither an edge nor a refresh can be met; contains nothing while that is not known.
  @usableFromInline var quiet = SafeDisc.nothing
  @usableFromInline var ruler = StepRuler()
  /// The edges that can be met within a wider disc, where that is known.
  var surroundings = NearEdges()
  /// One of its own: it moves between the path and the circles.
  private var edgeRuler = StepRuler()

  /// Whether segments of the source are joined.
  @usableFromInline let joinsSegments: Bool
  /// The longest time between two joined vertices.
  @usableFromInline let maxGapMilliseconds: Int64
  /// The highest speed between two joined vertices; infinite where there is none.
  @usableFromInline let maxSpeedMetersPerSecond: Double

  init(_ options: MonitoringOptions) {
    joinsSegments = options.joinsSegments
    maxGapMilliseconds = options.maxGapMilliseconds ?? .max
    maxSpeedMetersPerSecond = options.maxSpeedMetersPerSecond ?? .infinity
  }

  /// Takes a vertex on the way to which nothing can have happened.
  ///
  /// - Returns: Whether it was one; if not, nothing has changed.
  @inlinable @inline(__always)
  mutating func glides(to point: PathPoint) -> Bool {
    guard quiet.contains(point.coordinate), let previous else { return false }
    let step = ruler.stepMeters(from: previous.coordinate, to: point.coordinate)
    guard joins(previous, point, stepMeters: step) else { return false }
    take(point, stepMeters: step)
    return true
  }

  /// Takes a vertex that comes near some edges and meets none, by the distances from just these.
  ///
  /// - Returns: Whether it was one; if not, nothing has changed.
  mutating func passes(_ point: PathPoint) -> Bool {
    guard let previous, surroundings.disc.contains(point.coordinate) else { return false }
    let step = ruler.stepMeters(from: previous.coordinate, to: point.coordinate)
    guard joins(previous, point, stepMeters: step) else { return false }
    let here = point.coordinate
    var clearance =
      surroundings.radiusMeters
      - edgeRuler.stepMeters(from: surroundings.center, to: here)
    for index in 0..<surroundings.count {
      let edge = surroundings.edges[index]
      let distance = edgeRuler.stepMeters(from: edge.center, to: here)
      let apart = abs(distance - edge.radiusMeters)
      // An edge that is farther away than the step was long cannot have been met on it.
      guard apart > step + NearEdges.toleranceMeters else { return false }
      clearance = min(clearance, apart)
    }
    quiet = surroundings.disc.about(
      here, radiusMeters: clearance - NearEdges.toleranceMeters)
    take(point, stepMeters: step)
    return true
  }

  /// Forgets what is known of the surroundings.
  mutating func forgetSurroundings() {
    quiet = .nothing
    surroundings.disc = .nothing
  }

  /// Takes a joined vertex.
  @inlinable @inline(__always)
  mutating func take(_ point: PathPoint, stepMeters: Double) {
    fixCount &+= 1
    lengthMeters += stepMeters
    isJoined = true
    previous = point
  }

  /// Whether the path from one vertex to the next is joined.
  @inlinable @inline(__always)
  func joins(_ from: PathPoint, _ to: PathPoint, stepMeters: Double) -> Bool {
    if to.startsSegment && !joinsSegments { return false }
    guard let start = from.timeMilliseconds, let end = to.timeMilliseconds else { return true }
    let (gap, isBeyondAll) = end.subtractingReportingOverflow(start)
    // The tracks of a file need not be in order; backwards in time there is no path.
    if isBeyondAll || gap < 0 || gap > maxGapMilliseconds { return false }
    // Receivers that stamp whole seconds report several fixes at one time: less than a second
    // apart, so that the speed is at least the step in one second.
    let seconds = gap > 0 ? Double(gap) / 1000 : 1
    return !(stepMeters > maxSpeedMetersPerSecond * seconds)
  }
}
