import CSpatiaLite
import Geodesy

/// A walk through the reach tree, best node first, in the callback that SQLite's R*Tree asks about
/// every node and cell.
///
/// The cells' coordinates are rounded to 32 bits, so they bound and never decide: the walk gathers
/// every place that may belong to the answer, and its exact circle is read afterwards.
final class ReachSearch {
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
  func begin(from viewpoint: Viewpoint, goal: Goal) {
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
  func visit(_ box: ReachBox, level: Int32, key: Int64, parentScore: Double) -> Double? {
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

  private func visitPlace(_ box: ReachBox, key: Int64) {
    let (least, greatest) = placeBounds(box)
    guard least <= limitMeters else { return }
    candidates.append(Candidate(key: key, leastMeters: least))
    guard case .nearest(_, _, let reach) = goal else { return }
    best.insert(greatest)
    limitMeters = min(limitMeters, reach.meters(best.greatest))
  }

  /// A rank distance that no place in a node is nearer than.
  @inline(__always)
  private func least(_ box: ReachBox) -> Double {
    let near = viewpoint.leastMeters(to: box)
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

  private func placeBounds(_ box: ReachBox) -> (least: Double, greatest: Double) {
    let coarse = least(box)
    guard coarse <= limitMeters else { return (coarse, .infinity) }
    let (near, far) = viewpoint.bounds(to: box)
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

extension ReachSearch {
  /// The SQL name of the walk: `… WHERE key MATCH places_reach_search()`.
  static let functionName = "places_reach_search"

  /// Makes the walk known to a connection, which must not run it after this object is gone.
  func register(on connection: SQLiteConnection) throws(PlaceStoreError) {
    let code = unsafe sqlite3_rtree_query_callback(
      connection.handle, ReachSearch.functionName, reachSearchCallback,
      Unmanaged.passUnretained(self).toOpaque(), nil)
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
  let search = unsafe Unmanaged<ReachSearch>.fromOpaque(context).takeUnretainedValue()
  // Level 0 is an entry, a place; what has a greater one is a node.
  let score = unsafe search.visit(
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
