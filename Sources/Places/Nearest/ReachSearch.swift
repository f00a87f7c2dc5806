import CSpatiaLite
import Geodesy

/// A walk through the reach tree, best node first.
///
/// The cells' coordinates are rounded to 32 bits, so they bound and never decide: the walk gathers
/// every place that may belong to the answer, and its exact circle is read afterwards.
struct ReachWalk {
  /// What the walk is after.
  enum Goal {
    /// The `count` places of least rank distance and all up to `reach` of the last of them.
    case nearest(Rank, count: Int, reach: Reach)
    /// All places whose circle's edge is at most this many metres farther than the point.
    case circles(withinMeters: Double)
  }

  /// How far beyond the last of the nearest to gather, so that the answer serves neighbouring
  /// points too.
  struct Reach {
    var factor: Double
    var additionMeters: Double

    static let none = Reach(factor: 1, additionMeters: 0)

    @inline(__always)
    func meters(_ distance: Double) -> Double {
      max(factor * distance, distance + additionMeters)
    }
  }

  /// A place that may belong to the answer.
  struct Candidate {
    var key: Int64
    /// Its rank distance is at least this, in metres.
    var leastMeters: Double
  }

  private(set) var candidates: [Candidate] = []
  /// What lies farther than this is certainly not in the answer, in metres.
  private(set) var limitMeters = Double.infinity
  private var viewpoint = Viewpoint(Position(Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)))
  private var goal = Goal.circles(withinMeters: 0)
  /// The least upper bounds seen, at most as many as asked for.
  private var best = LeastBounds()
  private var isOver = false

  /// Begins a walk.
  mutating func begin(from viewpoint: Viewpoint, goal: Goal) {
    self.viewpoint = viewpoint
    self.goal = goal
    candidates.removeAll(keepingCapacity: true)
    isOver = false
    switch goal {
    case .nearest(_, let count, _):
      best.reset(capacity: count)
      limitMeters = .infinity
    case .circles(let within): limitMeters = within
    }
  }

  /// Judges a node or a cell.
  ///
  /// - Returns: How near the inside of it can be, in metres, or nil when nothing of it can belong
  ///   to the answer or all there is to know of it is known.
  @inline(__always)
  mutating func visit(_ box: ReachBox, level: Int32, key: Int64, parentScore: Double) -> Double? {
    if isOver { return 0 }
    // Nodes come in the order of their scores: behind this one nothing can be near enough.
    if parentScore > limitMeters {
      isOver = true
      return 0
    }
    if level > 0 {
      let score = least(box)
      return score <= limitMeters ? score : nil
    }
    visitPlace(box, key: key)
    return nil
  }

  @inline(__always)
  private mutating func visitPlace(_ box: ReachBox, key: Int64) {
    let (least, greatest) = placeBounds(box)
    guard least <= limitMeters else { return }
    candidates.append(Candidate(key: key, leastMeters: least))
    guard case .nearest(_, _, let reach) = goal else { return }
    best.insert(greatest)
    limitMeters = min(limitMeters, reach.meters(best.greatest))
  }

  /// A rank distance that a place, its centre at least so far away, is not nearer than.
  @inline(__always)
  private func nearestRankDistance(ofPlaceAtLeast near: Double, _ box: ReachBox) -> Double {
    switch goal {
    case .nearest(.center, _, _): near
    case .nearest(.edge(let margin), _, _): near - box.greatestRadiusMeters - margin
    case .circles: near - box.greatestRadiusMeters
    }
  }

  /// How far a centre may be for the place to belong to the answer nevertheless.
  @inline(__always)
  private func centerLimit(_ box: ReachBox) -> Double {
    switch goal {
    case .nearest(.center, _, _): limitMeters
    case .nearest(.edge(let margin), _, _): limitMeters + box.greatestRadiusMeters + margin
    case .circles: limitMeters + box.greatestRadiusMeters
    }
  }

  /// A rank distance that no place in a node is nearer than.
  @inline(__always)
  private func least(_ box: ReachBox) -> Double {
    let near = viewpoint.leastMeters(to: box, limitMeters: centerLimit(box))
    switch goal {
    case .nearest(.center, _, _):
      return near
    case .nearest(.edge(let margin), _, _):
      let outside = near - box.greatestRadiusMeters - margin
      // Being deep inside large circles is rare, so that the other side is bounded on demand only.
      guard box.leastRadiusMeters > limitMeters else { return max(0, outside) }
      return max(0, outside, box.leastRadiusMeters - viewpoint.greatestMeters(to: box))
    case .circles:
      return max(0, near - box.greatestRadiusMeters)
    }
  }

  @inline(__always)
  private func placeBounds(_ box: ReachBox) -> (least: Double, greatest: Double) {
    let coarse = viewpoint.leastMeters(to: box, limitMeters: centerLimit(box))
    guard nearestRankDistance(ofPlaceAtLeast: coarse, box) <= limitMeters else {
      return (.infinity, .infinity)
    }
    let (near, far) = viewpoint.bounds(to: box, leastMeters: coarse)
    switch goal {
    case .nearest(.center, _, _):
      return (near, far)
    case .nearest(.edge(let margin), _, _):
      let least = box.leastRadiusMeters
      let greatest = box.greatestRadiusMeters
      return (
        max(0, near - greatest - margin, least - far),
        max(0, far - least - margin, greatest - near)
      )
    case .circles:
      return (max(0, near - box.greatestRadiusMeters), .infinity)
    }
  }
}

/// A walk as an SQL function of one connection, `… WHERE key MATCH places_reach_search()`, which
/// SQLite's R*Tree asks about every node and cell.
@safe
final class ReachSearch {
  static let functionName = "places_reach_search"

  // In memory of its own, so that the callback reaches it without counting references.
  private let walk: UnsafeMutablePointer<ReachWalk>

  init() {
    // One walk, initialised before anybody sees it. Every `unsafe` of this type goes through
    // `walk`, which is valid until `deinit`.
    unsafe walk = .allocate(capacity: 1)
    unsafe walk.initialize(to: ReachWalk())
  }

  deinit {
    unsafe walk.deinitialize(count: 1)
    unsafe walk.deallocate()
  }

  /// Begins a walk; running the SQL function then walks it.
  func begin(from viewpoint: Viewpoint, goal: ReachWalk.Goal) {
    unsafe walk.pointee.begin(from: viewpoint, goal: goal)
  }

  /// What the walk gathered.
  var candidates: [ReachWalk.Candidate] { unsafe walk.pointee.candidates }

  /// What lies farther than this is certainly not in the answer, in metres.
  var limitMeters: Double { unsafe walk.pointee.limitMeters }

  /// Makes the walk known to a connection, which must not run it after this object is gone.
  func register(on connection: SQLiteConnection) throws(PlaceStoreError) {
    // The connection is open; SQLite hands the pointer back to the callback only.
    let code = unsafe sqlite3_rtree_query_callback(
      connection.handle, ReachSearch.functionName, reachSearchCallback,
      UnsafeMutableRawPointer(walk), nil)
    guard code == SQLITE_OK else { throw connection.error(code) }
  }
}

/// Hands what SQLite asks to the search that was registered.
private func reachSearchCallback(
  _ information: UnsafeMutablePointer<sqlite3_rtree_query_info>?
) -> Int32 {
  // SQLite passes a valid structure, and the context that `register(on:)` gave it.
  guard let information = unsafe information, let context = unsafe information.pointee.pContext,
    let coordinates = unsafe information.pointee.aCoord,
    unsafe information.pointee.nCoord == 6
  else { return SQLITE_ERROR }
  let walk = unsafe context.assumingMemoryBound(to: ReachWalk.self)
  // Level 0 is an entry, a place; what has a greater one is a node.
  // What SQLite tells is valid while the callback runs, and `walk` as long as the search that
  // registered it, which outlives the query.
  let score = unsafe walk.pointee.visit(
    ReachBox(coordinates: coordinates), level: information.pointee.iLevel,
    key: information.pointee.iRowid, parentScore: information.pointee.rParentScore)
  if let score {
    unsafe information.pointee.rScore = score
    unsafe information.pointee.eWithin = PARTLY_WITHIN
  } else {
    unsafe information.pointee.eWithin = NOT_WITHIN
  }
  return SQLITE_OK
}
