import Geodesy

/// A request with everything that ranks it, computed once.
struct RankedRequest {
  let request: NotificationRequest
  let kind: NotificationKind
  let nextFire: NextFire
  let fireMilliseconds: Int64
  let distanceMeters: Double?

  init(
    _ request: NotificationRequest, kind: NotificationKind, nextFire: NextFire, from here: Position?
  ) {
    self.request = request
    self.kind = kind
    self.nextFire = nextFire
    if case .at(let milliseconds) = nextFire {
      fireMilliseconds = milliseconds
    } else {
      fireMilliseconds = .max
    }
    if case .region(let region) = request.trigger, let here {
      distanceMeters = Geodesic.distanceMeters(here, Position(region.center))
    } else {
      distanceMeters = nil
    }
  }

  func item(_ reason: BudgetPlan.Reason) -> BudgetPlan.Item {
    BudgetPlan.Item(
      request: request, kind: kind, nextFire: nextFire, distanceMeters: distanceMeters,
      reason: reason)
  }

  var radiusMeters: Double {
    if case .region(let region) = request.trigger { return region.radiusMeters }
    return 0
  }
}

/// An order of requests, sorted by small keys: the requests themselves are large, and moving them
/// about would take most of the time.
enum RequestOrder {
  /// The soonest first, at one instant the most important.
  case fireDate
  /// The most important first, among equals the soonest.
  case priority
  /// The nearest centre first; where nobody knows where the phone is, the more important and then
  /// the larger circle.
  case distance

  private struct Key {
    var first: Double
    var second: Double
    var third: Double
    var index: Int
  }

  /// The requests in this order; equal ones by identifier.
  ///
  /// - Complexity: O(n log n).
  func sorted(_ requests: [RankedRequest]) -> [RankedRequest] {
    var keys = requests.indices.map { key(of: requests[$0], $0) }
    keys.sort { one, other in
      if one.first != other.first { return one.first < other.first }
      if one.second != other.second { return one.second < other.second }
      if one.third != other.third { return one.third < other.third }
      return requests[one.index].request.identifier < requests[other.index].request.identifier
    }
    return keys.map { requests[$0.index] }
  }

  /// Numbers that are less for what comes first.
  ///
  /// Milliseconds of all years to 9999 and priorities are exact as `Double`.
  private func key(of request: RankedRequest, _ index: Int) -> Key {
    let fire = Double(request.fireMilliseconds)
    let priority = Double(request.kind.priority)
    return switch self {
    case .fireDate: Key(first: fire, second: priority, third: 0, index: index)
    case .priority: Key(first: priority, second: fire, third: 0, index: index)
    case .distance:
      Key(
        first: request.distanceMeters ?? 0, second: priority, third: -request.radiusMeters,
        index: index)
    }
  }
}
