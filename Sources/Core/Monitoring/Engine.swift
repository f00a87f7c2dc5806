import FencepostGeodesy

/// Follows a path, decides which circles to monitor, and finds where the path crosses their edges.
///
/// The engine is a value without a clock, files or a store. Feed it vertices with
/// ``advance(along:from:into:)``, which asks a ``PlaceSource`` for the places nearby:
///
/// ```swift
/// var events: [EngineEvent] = []
/// engine.advance(along: [point], from: places, into: &events)
/// ```
///
/// If answers take time, use ``advance(to:into:)``. It returns a ``CandidateRequest``; pass the
/// answer to ``resume(with:into:)`` until that returns nil.
///
/// Events come in order along the path, then by key, all on the segment that ends at the last
/// vertex. No region is entered twice without an exit in between, except that the fixed rule
/// forgets a region that leaves the set. If added again, it takes its side without an event.
public struct Engine: Sendable {
  /// The rule that the engine follows.
  public let options: MonitoringOptions
  /// The number of vertices so far.
  public var fixCount: Int { path.fixCount }
  /// The length of the joined path so far in meters.
  public var lengthMeters: Double { path.lengthMeters }
  /// Where the path was not followed since this engine began or was restored.
  package var breaks: BreakCounts { path.breaks }
  /// Whether the last vertex is joined to the one before.
  package var isJoined: Bool { path.isJoined }
  /// The stretches where an unmonitored edge may have been crossed unseen.
  ///
  /// They are complete after ``finish()``, in order, and never touch. Outside them, the events
  /// equal those of a run with every place monitored. A missed exit is reported no later than the
  /// end of its stretch. Always empty under the fixed rule with a limit, which cannot know.
  public internal(set) var uncertified: [UncertifiedSpan] = []

  var monitored: MonitoredSet
  /// Unmonitored circles that contain the device, by key.
  ///
  /// Their sides must be known when their edges come near, and across a break.
  var containing: [Int64: Circle] = [:]
  var path: FollowedPath
  var shortcut = Shortcut()
  var anchor: Anchor?
  /// The piece of path being walked, kept while a request is open.
  var leg: Leg?
  var before: Before?
  var exposure: Exposure?
  /// Circles by key with the device between both edges, one of which was crossed unseen.
  var doubtful: [Int64: Circle] = [:]
  /// The number of edges to ask for in the neighborhood, which does not change the events.
  var neighborhoodCount = 64
  /// The last answer about edges if every place is monitored.
  var nearEdges: NearEdges?
  /// How far around a step to ask for edges, in meters, which does not change the events.
  var nearEdgesMeters = 100.0
  /// The last answer about the neighborhood, if it has more than is monitored.
  var neighborhood: Neighborhood?
  var crossings: [FoundCrossing] = []
  /// Nil if crossings are reported where they happen.
  var confirmation: Confirmation?
  /// Whether there is a ``confirmation``, which is quicker to check.
  let confirmsCrossings: Bool
  /// Circles that left the set on this leg and are judged at its end, by key.
  var passed: [Int64: Circle] = [:]
  #if DEBUG
  /// Regions whose last event was an entry.
  var entered: Set<Int64> = []
  #endif

  /// Creates an engine at the beginning of a path.
  public init(options: MonitoringOptions = MonitoringOptions()) {
    self.options = options
    path = FollowedPath(options)
    monitored = MonitoredSet(options)
    confirmation = Confirmation(options)
    confirmsCrossings = confirmation != nil
    shortcut.isUseful = !options.dependsOnAccuracy
  }

  /// The distance from the last refresh to the next in meters, or nil before the first.
  ///
  /// The adaptive rule refreshes at that distance, the fixed rule at the first fix beyond it.
  package var nextRefreshMeters: Double? { anchor?.tripMeters }

  /// The keys of the monitored regions in ascending order.
  package var monitoredKeys: [Int64] { monitored.regions.map { $0.key } }

  /// Whether certainly nothing was missed, once finished; nil if the rule cannot know.
  public var isCertified: Bool? {
    options.followsReach || monitorsEveryPlace ? uncertified.isEmpty && exposure == nil : nil
  }

  /// Whether the engine may skip the walk on steps where nothing can happen.
  ///
  /// Events and snapshots must not depend on it; tests switch it off to verify that.
  package var takesShortcut: Bool {
    get { shortcut.isEnabled }
    set { shortcut.isEnabled = newValue }
  }

  /// Takes the next vertex of the path.
  ///
  /// - Parameters:
  ///   - point: The vertex. A time before the previous vertex's breaks the path; a vertex without a
  ///     time may come anywhere.
  ///   - events: Receives the events on the way to it.
  /// - Returns: A request to answer before the next vertex, or nil.
  /// - Precondition: No request is open.
  public mutating func advance(
    to point: PathPoint, into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    takeShortcut(to: point) ? nil : walk(to: point, keepsBefore: true, into: &events)
  }

  /// Takes the next vertices of the path until something happens.
  ///
  /// The result is that of ``advance(to:into:)`` for each vertex, but takes less time.
  ///
  /// - Parameters:
  ///   - points: One or more vertices.
  ///   - events: Receives the events on the way to the last vertex taken.
  /// - Returns: The number of vertices taken, and a request to answer before the next one, or nil.
  /// - Precondition: No request is open.
  public mutating func advance(
    along points: ArraySlice<PathPoint>, into events: inout [EngineEvent]
  ) -> (count: Int, request: CandidateRequest?) {
    advance(along: points, keepsBefore: true, into: &events)
  }

  /// `keepsBefore` is needed only if the engine may be saved or copied while a request is open.
  private mutating func advance(
    along points: ArraySlice<PathPoint>, keepsBefore: Bool, into events: inout [EngineEvent]
  ) -> (count: Int, request: CandidateRequest?) {
    let eventCount = events.count
    var rest = points
    while !rest.isEmpty {
      if shortcut.isEnabled, !confirmsCrossings || isIdle {
        rest = rest.dropFirst(path.append(rest, within: shortcut.quiet))
      }
      guard let point = rest.popFirst(), !takeShortcut(to: point) else { continue }
      let request = walk(to: point, keepsBefore: keepsBefore, into: &events)
      if request != nil || events.count > eventCount {
        return (rest.startIndex - points.startIndex, request)
      }
    }
    return (points.count, nil)
  }

  /// Takes the next vertices of the path until something happens.
  ///
  /// - Parameters:
  ///   - points: One or more vertices.
  ///   - source: Finds the places nearby.
  ///   - events: Receives the events on the way to the last vertex taken.
  /// - Returns: The number of vertices taken.
  @discardableResult
  public mutating func advance(
    along points: ArraySlice<PathPoint>, from source: some PlaceSource,
    into events: inout [EngineEvent]
  ) -> Int {
    let eventCount = events.count
    var rest = points
    while !rest.isEmpty {
      let (count, request) = advance(along: rest, keepsBefore: false, into: &events)
      rest = rest.dropFirst(count)
      answer(request, from: source, into: &events)
      // An answer need not have led to an event.
      if events.count > eventCount { break }
    }
    return points.count - rest.count
  }

  /// Refreshes the monitored set at the last vertex, as ``refresh(into:)`` does.
  public mutating func refresh(from source: some PlaceSource, into events: inout [EngineEvent]) {
    answer(refresh(into: &events), from: source, into: &events)
  }

  private mutating func answer(
    _ request: CandidateRequest?, from source: some PlaceSource, into events: inout [EngineEvent]
  ) {
    var request = request
    while let asked = request { request = resume(with: source.answer(asked), into: &events) }
  }

  /// Ends the path and any uncertified stretch.
  ///
  /// Call it after the last vertex, when no request is open.
  public mutating func finish() {
    guard let previous = path.previous else { return }
    closeExposure(
      at: previous.coordinate, timeMilliseconds: previous.timeMilliseconds,
      pathMeters: lengthMeters)
  }
}

extension Engine {
  /// The point and time of the last refresh, and what follows from it.
  struct Anchor: Sendable {
    var position: Position
    var timeMilliseconds: Int64?
    /// The distance to the nearest unmonitored edge in meters; infinite if the rule does not ask.
    var reachMeters: Double
    /// The part subtracted from the reach for the accuracy of the fixes, in meters.
    var blurMeters = 0.0
    /// The distance to the next refresh in meters.
    var tripMeters: Double
    /// Whether the last refresh failed, so that the next fix tries again.
    var mustRetry = false
  }

  /// The piece of path from the previous vertex to the latest one.
  struct Leg: Sendable {
    enum Awaiting {
      /// Which circles contain the first vertex, or the first after a break.
      case containing
      /// The new monitored set.
      case candidates
      /// The edges near the leg, where every place is monitored.
      case edges
    }

    /// Nil if the path begins or breaks here.
    let segment: GeodesicSegment?
    let start: PathPoint?
    let point: PathPoint
    let position: Position
    /// The length of the segment in meters, as the path counts it; 0 without a segment.
    let lengthMeters: Double
    let pathMetersAtStart: Double
    var fraction = 0.0
    var hasArrived = false
    var awaiting: Awaiting?
    /// Whether the store has failed on this leg, so that it is not asked again.
    var hasFailed = false
    /// Whether only the store may have changed, not the position.
    var isRefresh = false
    /// What an earlier request on this leg found, where every place is monitored.
    var answered: [Region] = []

    /// Creates a joined leg if `joinedStepMeters` is given, or else a break or the beginning.
    init(
      from start: PathPoint?, to point: PathPoint, joinedStepMeters: Double?, pathMeters: Double
    ) {
      self.start = start
      self.point = point
      position = Position(point.coordinate)
      lengthMeters = joinedStepMeters ?? 0
      pathMetersAtStart = pathMeters
      if let start, joinedStepMeters != nil {
        segment = GeodesicSegment(from: Position(start.coordinate), to: position)
      } else {
        segment = nil
        fraction = 1
        hasArrived = true
      }
    }

    /// Whether the path breaks before the leg's vertex.
    var isBreak: Bool { segment == nil && start != nil }

    var here: Position { position(at: fraction) }

    /// The length of the path up to ``here`` in meters.
    var pathMeters: Double { pathMetersAtStart + fraction * lengthMeters }

    func timeMilliseconds(at fraction: Double) -> Int64? {
      if fraction == 1 { return point.timeMilliseconds }
      guard let begin = start?.timeMilliseconds, let end = point.timeMilliseconds else {
        return nil
      }
      return begin + Int64((fraction * Double(end - begin)).rounded())
    }

    func position(at fraction: Double) -> Position {
      guard let segment, fraction < 1 else { return position }
      return segment.position(atFraction: fraction)
    }

    /// A crossing of a region's edge, by default at the current point of the leg.
    func crossing(
      of region: Region, isEntry: Bool, at fraction: Double? = nil, distanceMeters: Double? = nil,
      isAcrossBreak: Bool = false
    ) -> FoundCrossing {
      let fraction = fraction ?? self.fraction
      let time = timeMilliseconds(at: fraction)
      let position = position(at: fraction)
      let crossing = Crossing(
        key: region.key, isEntry: isEntry, coordinate: position.coordinate,
        timeMilliseconds: time, fraction: fraction,
        distanceMeters: distanceMeters ?? region.circle.distanceMeters(from: position),
        isAcrossBreak: isAcrossBreak, crossedMilliseconds: time)
      return FoundCrossing(crossing: crossing, circle: region.circle)
    }
  }

  /// An unfinished stretch where an unmonitored edge is within reach.
  struct Exposure: Sendable {
    var start: UncertifiedSpan.End
    var lengthMetersAtStart: Double
    /// Whether only the ``Engine/doubtful`` circles keep the stretch open.
    var isSettling = false
    /// Whether it lasts to the end of the path, because it is unknown what is missed from here on.
    var isLasting = false
  }
}
