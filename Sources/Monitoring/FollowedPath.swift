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

  /// Takes the first of some vertices, as many as nothing can have happened on the way to.
  ///
  /// What each of them needs stands in locals, which are kept in registers.
  @inlinable @inline(__always)
  mutating func glide(along count: Int, _ point: (Int) -> PathPoint?) -> Int {
    guard var last = previous else { return 0 }
    var quiet = quiet
    var taken = 0
    while taken < count, let next = point(taken) {
      if quiet.contains(next.coordinate) {
        let step = ruler.stepMeters(from: last.coordinate, to: next.coordinate)
        guard joins(last, next, stepMeters: step) else { break }
        fixCount &+= 1
        lengthMeters += step
      } else {
        previous = last
        guard passes(next) else { break }
        quiet = self.quiet
      }
      last = next
      taken &+= 1
    }
    guard taken > 0 else { return 0 }
    isJoined = true
    previous = last
    return taken
  }

  /// Takes a vertex that comes near some edges and meets none.
  ///
  /// - Returns: Whether it was one; if not, nothing has changed.
  @usableFromInline
  mutating func passes(_ point: PathPoint) -> Bool {
    if case .passes = approach(point) { return true }
    return false
  }

  /// What a vertex does that may come near some edges.
  enum Approach {
    /// It meets none of them, and was taken.
    case passes
    /// It may meet some of the ``surroundings``, and no other; nothing has changed.
    ///
    /// The step to it is so long, and from it the nearest edge so far.
    case mayMeet(NearEdges.Selection, stepMeters: Double, clearanceMeters: Double)
    /// More is needed to know; nothing has changed.
    case leaves
  }

  /// Takes a vertex that comes near some edges and meets none, by the distances from just these.
  mutating func approach(_ point: PathPoint) -> Approach {
    guard let previous, surroundings.disc.contains(point.coordinate) else { return .leaves }
    let step = ruler.stepMeters(from: previous.coordinate, to: point.coordinate)
    guard joins(previous, point, stepMeters: step) else { return .leaves }
    let here = point.coordinate
    let meters = lengthMeters + step
    let reach = step + NearEdges.toleranceMeters
    // What is known to be farther than this serves as it is known; what is nearer is measured.
    let close = 2 * reach
    var clearance = surroundings.withinUntilMeters - meters
    if clearance <= close {
      clearance =
        surroundings.radiusMeters - edgeRuler.stepMeters(from: surroundings.center, to: here)
      surroundings.withinUntilMeters = meters + clearance
    }
    var near = NearEdges.Selection()
    for index in 0..<surroundings.count {
      var apart = surroundings.edges[index].clearUntilMeters - meters
      if apart <= close {
        let edge = surroundings.edges[index]
        let beyond = edgeRuler.stepMeters(from: edge.center, to: here) - edge.radiusMeters
        apart = abs(beyond)
        surroundings.edges[index].clearUntilMeters = meters + apart
        // An edge that is farther away than the step was long cannot have been met on it.
        if apart <= reach, mayMeet(edge, from: previous.coordinate, beyond, reach) {
          near.insert(index)
        }
      }
      clearance = min(clearance, apart)
    }
    clearance -= NearEdges.toleranceMeters
    guard near.isEmpty else {
      return .mayMeet(near, stepMeters: step, clearanceMeters: clearance)
    }
    take(point, stepMeters: step)
    quiet = surroundings.disc.about(here, radiusMeters: clearance)
    return .passes
  }

  /// Whether a step may meet an edge, by how far beyond it both ends are.
  private mutating func mayMeet(
    _ edge: NearEdges.Edge, from start: Coordinate, _ endBeyondMeters: Double,
    _ reachMeters: Double
  ) -> Bool {
    let startBeyondMeters =
      edgeRuler.stepMeters(from: edge.center, to: start) - edge.radiusMeters
    let least = min(abs(startBeyondMeters), abs(endBeyondMeters))
    // Who comes to an edge and goes back has been as far from it as both ends are, at least.
    return least <= NearEdges.toleranceMeters
      || (startBeyondMeters > 0) != (endBeyondMeters > 0)
      || abs(startBeyondMeters) + abs(endBeyondMeters) <= reachMeters
  }

  /// Forgets what is known of the surroundings.
  mutating func forgetSurroundings() {
    quiet = .nothing
    surroundings.disc = .nothing
  }

  /// Takes a vertex across a break at which nothing can have changed.
  mutating func leap(to point: PathPoint) {
    // How long the path is tells no more how far it may have come.
    surroundings.disc = .nothing
    previous = point
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
