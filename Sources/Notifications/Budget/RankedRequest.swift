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

  static func byFireDate(_ first: RankedRequest, _ second: RankedRequest) -> Bool {
    if first.fireMilliseconds != second.fireMilliseconds {
      return first.fireMilliseconds < second.fireMilliseconds
    }
    if first.kind.priority != second.kind.priority {
      return first.kind.priority < second.kind.priority
    }
    return first.request.identifier < second.request.identifier
  }

  static func byPriority(_ first: RankedRequest, _ second: RankedRequest) -> Bool {
    if first.kind.priority != second.kind.priority {
      return first.kind.priority < second.kind.priority
    }
    return byFireDate(first, second)
  }

  /// The nearest centre first; where nobody knows where the phone is, the more important and then
  /// the larger circle.
  static func byDistance(_ first: RankedRequest, _ second: RankedRequest) -> Bool {
    if let one = first.distanceMeters, let other = second.distanceMeters, one != other {
      return one < other
    }
    if first.kind.priority != second.kind.priority {
      return first.kind.priority < second.kind.priority
    }
    if first.radiusMeters != second.radiusMeters { return first.radiusMeters > second.radiusMeters }
    return first.request.identifier < second.request.identifier
  }

  private var radiusMeters: Double {
    if case .region(let region) = request.trigger { return region.radiusMeters }
    return 0
  }
}
