import FencepostGeodesy

/// Follows a path, decides which circles to monitor, and finds where the path crosses their edges.
///
/// The engine is a value without clock, file or store. Feed it vertices with
/// ``advance(along:from:into:)``, which asks a ``PlaceSource`` which places are near:
///
/// ```swift
/// var events: [EngineEvent] = []
/// engine.advance(along: [point], from: places, into: &events)
/// ```
///
/// Where the answer takes time, ``advance(to:into:)`` returns a ``CandidateRequest`` instead; pass the answer to
/// ``resume(with:into:)``, until that returns nil.
///
/// Events come in order along the path, ties by ascending key, all on the segment that ends at the
/// last vertex. No region is entered twice without an exit in between, except that the fixed rule
/// forgets a region that leaves the set: when it is added again, it silently takes its side from
/// there.
public struct Engine: Sendable {
  /// The rule it follows.
  public let options: MonitoringOptions
  /// Number of vertices taken so far.
  public var fixCount: Int { path.fixCount }
  /// Length of the joined path so far, in metres.
  public var lengthMeters: Double { path.lengthMeters }
  /// Whether the last vertex is joined to the one before.
  public var isJoined: Bool { path.isJoined }
  /// The stretches where an unmonitored edge may have been crossed unseen, in order; complete after
  /// ``finish()``.
  ///
  /// No stretch begins where another ends. Outside them the events equal those of a run with every
  /// place monitored. A missed exit is reported at the end of its stretch at the latest, so that no
  /// region is entered twice without an exit in between. Always empty under the fixed rule with a
  /// limit, which cannot know.
  public internal(set) var uncertified: [UncertifiedSpan] = []

  var monitored: MonitoredSet
  /// Unmonitored circles that contain the device, by key.
  ///
  /// Their edges are too far away to matter now, but their side must be known when they come near,
  /// and across a break.
  var containing: [Int64: Circle] = [:]
  var path: FollowedPath
  var shortcut = Shortcut()
  var anchor: Anchor?
  /// The piece of path being walked; kept while the engine awaits an answer.
  var leg: Leg?
  /// The state before the vertex, while a request is open.
  var before: Before?
  var exposure: Exposure?
  /// Circles whose side is uncertain after an exposure, by key: the device is between the edge and
  /// the exit edge, and which of the two it crossed last went unseen.
  var doubtful: [Int64: Circle] = [:]
  /// How many edges a request for the neighbourhood asks for.
  var neighbourhoodCount = 64
  /// The store's last answer about the neighbourhood, if it has more than is monitored.
  var neighbourhood: Neighbourhood?
  /// Crossings on the leg that are not yet reported.
  var crossings: [FoundCrossing] = []
  /// The stage behind the crossing; nil if crossings are reported where they happen.
  var confirmation: Confirmation?
  /// Whether there is such a stage: quicker to ask.
  let hasStage: Bool
  /// The circles that left the set on this leg, whose side is judged where it ends, by key.
  var passed: [Int64: Circle] = [:]
  #if DEBUG
    /// Regions whose last event was an enter.
    var entered: Set<Int64> = []
  #endif

  /// Makes an engine at the beginning of a path.
  ///
  /// - Parameter options: The rule to follow.
  public init(options: MonitoringOptions = MonitoringOptions()) {
    self.options = options
    path = FollowedPath(options)
    monitored = MonitoredSet(options)
    confirmation = Confirmation(options)
    hasStage = confirmation != nil
    shortcut.isUseful = !options.dependsOnAccuracy
  }

  /// How far from the last refresh the path goes before the set is renewed, in metres; nil before the
  /// first refresh.
  ///
  /// The fixed rule renews at the first fix that is so far away, the adaptive rule at that very distance.
  package var renewalMeters: Double? { anchor?.tripMeters }

  /// Keys of the monitored regions, ascending.
  public var monitoredKeys: [Int64] { monitored.regions.map(\.key) }

  /// Whether certainly nothing was missed; nil if the rule cannot know.
  ///
  /// Valid after ``finish()``.
  public var isCertified: Bool? {
    options.followsReach ? uncertified.isEmpty && exposure == nil : nil
  }

  /// Whether the engine may skip the walk on steps where nothing can happen.
  ///
  /// Events and snapshots are the same either way; tests switch it off to prove that.
  package var takesShortcut: Bool {
    get { shortcut.isEnabled }
    set { shortcut.isEnabled = newValue }
  }

  /// Takes the path's next vertex.
  ///
  /// - Parameters:
  ///   - point: The vertex. A time before that of the previous vertex breaks the path; a vertex
  ///     without time may come anywhere.
  ///   - events: Receives what happened on the way to it.
  /// - Returns: What the store must be asked before the next vertex, or nil.
  /// - Precondition: The last request was answered.
  public mutating func advance(
    to point: PathPoint, into events: inout [EngineEvent]
  ) -> CandidateRequest? {
    takeShortcut(to: point) ? nil : walk(to: point, into: &events)
  }

  /// Takes the path's next vertices until something happens on the way to one of them.
  ///
  /// It does what ``advance(to:into:)`` does for each vertex, in less time.
  ///
  /// - Parameters:
  ///   - points: The vertices, at least one.
  ///   - events: Receives what happened on the way to the last vertex taken.
  /// - Returns: How many vertices were taken, and what the store must be asked before the next one.
  /// - Precondition: The last request was answered.
  public mutating func advance(
    along points: ArraySlice<PathPoint>, into events: inout [EngineEvent]
  ) -> (count: Int, request: CandidateRequest?) {
    let eventCount = events.count
    var rest = points
    while !rest.isEmpty {
      if !hasStage || isIdle {
        rest = rest.dropFirst(path.append(rest, within: shortcut.quiet))
      }
      guard let point = rest.popFirst(), !takeShortcut(to: point) else { continue }
      let request = walk(to: point, into: &events)
      if request != nil || events.count > eventCount {
        return (rest.startIndex - points.startIndex, request)
      }
    }
    return (points.count, nil)
  }

  /// Takes the path's next vertices until something happens on the way to one of them.
  ///
  /// - Parameters:
  ///   - points: The vertices, at least one.
  ///   - source: Finds the places that are near.
  ///   - events: Receives what happened on the way to the last vertex taken.
  /// - Returns: How many vertices were taken.
  @discardableResult
  public mutating func advance(
    along points: ArraySlice<PathPoint>, from source: some PlaceSource,
    into events: inout [EngineEvent]
  ) -> Int {
    let (count, request) = advance(along: points, into: &events)
    answer(request, from: source, into: &events)
    return count
  }

  /// Renews the monitored set at the last vertex, as ``renew(into:)`` does.
  public mutating func renew(from source: some PlaceSource, into events: inout [EngineEvent]) {
    answer(renew(into: &events), from: source, into: &events)
  }

  private mutating func answer(
    _ request: CandidateRequest?, from source: some PlaceSource, into events: inout [EngineEvent]
  ) {
    var request = request
    while let asked = request { request = resume(with: source.answer(asked), into: &events) }
  }

  /// Ends the path and any uncertified stretch.
  public mutating func finish() {
    guard let previous = path.previous else { return }
    closeExposure(
      at: previous.coordinate, timeMilliseconds: previous.timeMilliseconds,
      pathMeters: lengthMeters)
  }
}

extension Engine {
  /// Where and when the store was last asked, and what follows from the answer.
  struct Anchor: Sendable {
    var position: Position
    var timeMilliseconds: Int64?
    /// Distance to the nearest unmonitored edge, in metres; infinite if the rule does not ask for
    /// it.
    var reachMeters: Double
    /// What was subtracted from the reach for the accuracy of the fixes, in metres.
    var blurMeters = 0.0
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

    /// The segment; nil if the path begins or breaks here.
    let segment: GeodesicSegment?
    /// The previous vertex; nil at the first.
    let start: PathPoint?
    let point: PathPoint
    /// Where ``point`` is.
    let position: Position
    /// Length of the segment in metres, as the path counts it; 0 without a segment.
    let lengthMeters: Double
    /// Length of the path up to the segment's start, in metres.
    let pathMetersAtStart: Double
    /// How much of the segment has been walked.
    var fraction = 0.0
    /// Whether all of it has been walked.
    var hasArrived = false
    var awaiting: Awaiting?
    /// Whether the store has failed on the way, so that it is not asked again on this leg.
    var hasFailed = false
    /// Whether the path has not moved and only the store may have changed.
    var isRenewal = false

    /// A joined piece of path if `joinedStepMeters` is given, else a break or the beginning.
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

    /// Whether the path is broken before the leg's vertex.
    var isBreak: Bool { segment == nil && start != nil }

    /// Where the piece has been walked to.
    var here: Position { position(at: fraction) }

    /// Length of the path up to ``here``, in metres.
    var pathMeters: Double { pathMetersAtStart + fraction * lengthMeters }

    /// The time at a fraction of the piece, interpolated; nil if an end has none.
    func timeMilliseconds(at fraction: Double) -> Int64? {
      if fraction == 1 { return point.timeMilliseconds }
      guard let begin = start?.timeMilliseconds, let end = point.timeMilliseconds else {
        return nil
      }
      return begin + Int64((fraction * Double(end - begin)).rounded())
    }

    /// Where a fraction of the piece is.
    func position(at fraction: Double) -> Position {
      guard let segment, fraction < 1 else { return position }
      return segment.position(atFraction: fraction)
    }

    /// A crossing at a fraction of the piece.
    func crossing(
      of region: Region, isEnter: Bool, at fraction: Double, distanceMeters: Double,
      isAcrossBreak: Bool = false
    ) -> FoundCrossing {
      let time = timeMilliseconds(at: fraction)
      let crossing = Crossing(
        key: region.key, isEnter: isEnter, coordinate: position(at: fraction).coordinate,
        timeMilliseconds: time, fraction: fraction, distanceMeters: distanceMeters,
        isAcrossBreak: isAcrossBreak, crossedMilliseconds: time)
      return FoundCrossing(crossing: crossing, circle: region.circle)
    }
  }

  /// A stretch, not yet over, where an unmonitored edge is within reach.
  struct Exposure: Sendable {
    var start: UncertifiedSpan.End
    var lengthMetersAtStart: Double
    /// Whether only the ``Engine/doubtful`` circles keep the stretch open: nothing else is within
    /// reach any more.
    var isSettling = false
    /// Whether the stretch lasts to the end of the path: what is missed from here on is not known.
    var isLasting = false
  }
}
