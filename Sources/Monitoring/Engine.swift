import Geodesy

/// Follows a path and finds where it crosses the circles that are monitored, and what is
/// monitored when: the rule of the design contract, as a value.
///
/// The engine knows no clock, no file and no store. Feed it one vertex at a time with
/// ``advance(to:into:)``. When it needs to know which places are near, it returns a
/// ``CandidateRequest``; ask the store and hand the answer to ``resume(with:into:)`` until
/// nothing more is asked:
///
/// ```swift
/// var events: [EngineEvent] = []
/// var request = engine.advance(to: point, into: &events)
/// while let asked = request {
///   request = engine.resume(with: store.answer(asked), into: &events)
/// }
/// ```
///
/// Events come in order along the path, ties by ascending key, all of them on the segment that
/// ends at the vertex given last. No region is entered twice without an exit between, except that
/// the fixed rule forgets what leaves the set: what it adds again takes its side anew, silently. Most vertices cost a few nanoseconds: as long as the path stays
/// within a disc that no edge and no refresh touches, nothing can have happened.
public struct Engine: Sendable {
  /// The rule it follows.
  public let options: MonitoringOptions
  /// Number of vertices taken so far.
  public var fixCount: Int { path.fixCount }
  /// Length of the joined path so far, in metres.
  public var lengthMeters: Double { path.lengthMeters }
  /// Whether the path runs on from the vertex before the last to the last one, unbroken.
  public var isJoined: Bool { path.isJoined }
  /// Where edges that were not monitored may have been crossed unseen, in order; complete after
  /// ``finish()``.
  ///
  /// No stretch begins where another ends. Outside of them the events are those of a run with every
  /// place monitored; an exit that was missed is reported at the end of its stretch at the latest, so
  /// that no region is entered twice without an exit between. Only the adaptive rule and that
  /// without a limit know; empty for the others.
  public internal(set) var uncertified: [UncertifiedSpan] = []

  var monitored: MonitoredSet
  /// Regions that contain the device and are not monitored, by key: their edges are too far away
  /// to matter now, but their side must be known when they come near, and across a break.
  var containing: [Int64: Circle] = [:]
  @usableFromInline var path: FollowedPath
  /// The position of the last vertex that was more than taken note of.
  var settled: Position?
  var anchor: Anchor?
  /// The piece of path being walked while an answer is awaited.
  var leg: Leg?
  var exposure: Exposure?
  /// Circles whose side is not certain after an exposure, by key: the device is between the edge
  /// and the exit edge, and which of the two it crossed last went unseen.
  var doubtful: [Int64: Circle] = [:]
  /// How many edges a request for the whole neighbourhood asks for.
  var neighbourhoodCount = 64
  /// What the store last said of the neighbourhood, where more was asked for than is monitored.
  var neighbourhood: Neighbourhood?
  #if DEBUG
    /// Regions whose last event was an enter.
    var entered: Set<Int64> = []
  #endif
  var crossings: [MonitoredSet.EdgeCrossing] = []

  /// Makes an engine that has seen nothing yet.
  ///
  /// - Parameter options: The rule to follow.
  public init(options: MonitoringOptions = MonitoringOptions()) {
    self.options = options
    path = FollowedPath(options)
    monitored = MonitoredSet(options)
  }

  /// Keys of the monitored regions, ascending.
  public var monitoredKeys: [Int64] { monitored.regions.map(\.key) }

  /// Whether nothing can have been missed; nil where the rule cannot know.
  ///
  /// Valid after ``finish()``.
  public var isCertified: Bool? {
    options.followsReach ? uncertified.isEmpty && exposure == nil : nil
  }

  /// Takes the path's next vertex.
  ///
  /// - Parameters:
  ///   - point: The vertex. A time before that of the previous vertex breaks the path; a vertex
  ///     without time may come anywhere.
  ///   - events: Receives what happened on the way to it.
  /// - Returns: What the store must be asked before the next vertex, or nil.
  /// - Precondition: The last request was answered.
  @inlinable
  public mutating func advance(
    to point: PathPoint, into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    path.glides(to: point) ? nil : act(on: point, into: &events)
  }

  /// Takes the first of some vertices, as many as nothing can have happened on the way to: what
  /// ``advance(to:into:)`` does with each of them, in less time.
  ///
  /// - Parameters:
  ///   - count: How many vertices there are.
  ///   - point: The vertex with a number, from 0; nil for one that is to be left to the caller.
  /// - Returns: How many were taken; the next is for ``advance(to:into:)``, which may find that
  ///   nothing has happened there either.
  /// - Precondition: The last request was answered.
  @inlinable
  public mutating func glide(along count: Int, _ point: (Int) -> PathPoint?) -> Int {
    path.glide(along: count, point)
  }

  /// Takes a vertex on the way to which something may have happened.
  @usableFromInline
  mutating func act(
    on point: PathPoint, into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    precondition(leg == nil, "the engine still awaits an answer")
    switch path.approach(point) {
    case .passes: return nil
    case .mayMeet(let edges, let step, let clearance):
      cross(edges, to: point, stepMeters: step, clearanceMeters: clearance, into: &events)
      return nil
    case .leaves: break
    }
    guard let previous = path.previous else {
      path.fixCount += 1
      return begin(Leg(arrivingAt: point, from: nil), into: &events)
    }
    let step = path.ruler.stepMeters(from: previous.coordinate, to: point.coordinate)
    guard path.joins(previous, point, stepMeters: step) else {
      path.fixCount += 1
      path.isJoined = false
      // An edge beyond reach may have been crossed unseen, and is compared at the break.
      if exposure == nil, containing.isEmpty, path.quiet.contains(point.coordinate) {
        path.leap(to: point)
        return nil
      }
      return begin(Leg(arrivingAt: point, from: position(of: previous)), into: &events)
    }
    let from = position(of: previous)
    let leg = Leg(from: from, at: previous, to: point, lengthMeters: step)
    if strides(along: leg, into: &events) { return nil }
    path.fixCount += 1
    path.isJoined = true
    return begin(leg, into: &events)
  }

  func position(of point: PathPoint) -> Position {
    if let settled, settled.coordinate == point.coordinate { return settled }
    return Position(point.coordinate)
  }

  /// Closes the books at the end of the path.
  public mutating func finish() {
    guard let previous = path.previous else { return }
    closeExposure(
      at: previous.coordinate, fix: fixCount - 1, timeMilliseconds: previous.timeMilliseconds,
      lengthMeters: lengthMeters)
  }
}

extension Engine {
  /// Where and when the store was last asked, and what follows from the answer.
  struct Anchor: Sendable {
    var position: Position
    var timeMilliseconds: Int64?
    /// Distance to the nearest edge that is not monitored, in metres; infinite where the rule
    /// does not ask for it.
    var reachMeters: Double
    /// Distance after which the set is refreshed, in metres.
    var tripMeters: Double
    /// Whether the last attempt to refresh failed, so that the next fix tries again.
    var mustRetry = false
  }

  /// The piece of path between the previous vertex and the one just given.
  struct Leg: Sendable {
    /// What the store's answer will be used for.
    enum Awaiting {
      /// Which circles contain the first vertex, or the one after a break.
      case containing
      /// The new monitored set.
      case candidates
    }

    /// The segment, or nil where the path is broken or begins.
    var segment: GeodesicSegment?
    /// The previous vertex's position, or nil at the first.
    var from: Position?
    var start: PathPoint?
    var point: PathPoint
    var position: Position
    /// Length of the segment in metres, as the path counts it; 0 where there is none.
    var lengthMeters = 0.0
    /// How much of the segment has been walked.
    var fraction = 0.0
    var awaiting: Awaiting?
    /// Whether the store has failed on the way, so that it is not asked again before the next piece.
    var hasFailed = false
    /// Whether the path stands still and only the store may have changed.
    var isRenewal = false

    /// A joined piece of path.
    init(from: Position, at start: PathPoint, to point: PathPoint, lengthMeters: Double) {
      self.from = from
      self.lengthMeters = lengthMeters
      self.start = start
      self.point = point
      position = Position(point.coordinate)
      segment = GeodesicSegment(from: from, to: position)
    }

    /// The first vertex, or one across a break from `from`.
    init(arrivingAt point: PathPoint, from: Position?) {
      self.from = from
      self.point = point
      position = Position(point.coordinate)
      fraction = 1
    }

    /// Where the piece has been walked to.
    var here: Position {
      guard let segment, fraction < 1 else { return position }
      return segment.position(atFraction: fraction)
    }

    /// The time at a fraction of the piece, interpolated; nil where an end has none.
    func timeMilliseconds(at fraction: Double) -> Int64? {
      if fraction == 1 { return point.timeMilliseconds }
      guard let begin = start?.timeMilliseconds, let end = point.timeMilliseconds else {
        return nil
      }
      return begin + Int64((fraction * Double(end - begin)).rounded())
    }
  }

  /// A stretch, still going on, where an unmonitored edge is within reach.
  struct Exposure: Sendable {
    var start: UncertifiedSpan.End
    var lengthMetersAtStart: Double
    /// Whether nothing is within reach any more and only the ``Engine/doubtful`` circles keep the
    /// stretch open.
    var isSettling = false
  }
}
