import FencepostGeodesy

/// Holds each crossing until it has lasted long enough, and detects dwells.
///
/// For each piece of path, call ``take(_:on:fix:)`` with its crossings in order, then
/// ``pass(through:on:fix:)``. ``takeReady()`` returns what is confirmed. A crossing undone before
/// it is confirmed leaves no trace, and neither does its return.
struct Confirmation: Sendable {
  struct Pending: Codable, Hashable, Sendable {
    var isEntry: Bool
    /// The time of the crossing in milliseconds since 1970; nil without times.
    var crossedMilliseconds: Int64?
    var isAcrossBreak: Bool
    var foundFix: Int
    /// Whether the dwell is already due and waits for the confirmation.
    var isDwellDue = false

    private enum CodingKeys: String, CodingKey {
      case isEntry = "isEnter"
      case crossedMilliseconds, isAcrossBreak, foundFix, isDwellDue
    }
  }

  /// A stay, from its confirmed entry to its dwell.
  struct Stay: Codable, Hashable, Sendable {
    /// The time of the entry in milliseconds since 1970.
    var crossedMilliseconds: Int64
    var isAcrossBreak: Bool
    /// The point where the entry was confirmed if the dwell was already due; nil at a vertex.
    var overdue: Point?

    private enum CodingKeys: CodingKey { case crossedMilliseconds, isAcrossBreak }
  }

  struct Visit: Sendable {
    var key: Int64
    var circle: Circle
    var pending: Pending?
    var stay: Stay?

    var isOver: Bool { pending == nil && stay == nil }
  }

  struct Point: Hashable, Sendable {
    var fraction: Double
    var timeMilliseconds: Int64?

    /// Whether this point comes before another, by at least 1 ms if both have a time.
    func isBefore(_ other: Point) -> Bool {
      guard fraction < other.fraction else { return false }
      guard let time = timeMilliseconds, let last = other.timeMilliseconds else { return true }
      return time < last
    }
  }

  let options: ConfirmationOptions
  private let test: SideTest
  /// Ascending by key.
  private(set) var visits: [Visit] = []
  /// Whether a crossing had no time, which its hold or dwell would need.
  var lacksTimes = false
  /// Before this time, nothing can be confirmed at a vertex with a time.
  private var quietUntilMilliseconds = Int64.max
  private var ready: [EngineEvent] = []

  init?(_ options: MonitoringOptions) {
    guard options.confirmation.isNeeded else { return nil }
    self.options = options.confirmation
    test = options.test
  }

  var isIdle: Bool { visits.isEmpty }

  /// Whether nothing can be confirmed on the way to a joined vertex without crossings.
  func isQuiet(upTo point: PathPoint) -> Bool {
    guard !visits.isEmpty else { return true }
    guard let time = point.timeMilliseconds else { return false }
    return time < quietUntilMilliseconds
  }

  var regions: [Region] { visits.map { Region(key: $0.key, circle: $0.circle) } }

  // MARK: What happened

  /// Takes the next crossing on a leg; `fix` is the index of the fix that ends the leg.
  mutating func take(_ found: FoundCrossing, on leg: Engine.Leg, fix: Int) {
    let crossing = found.crossing
    let index = visits.firstIndex { $0.key >= crossing.key } ?? visits.endIndex
    if index == visits.endIndex || visits[index].key != crossing.key {
      visits.insert(Visit(key: crossing.key, circle: found.circle), at: index)
    }
    if let pending = visits[index].pending {
      let here = Point(
        fraction: crossing.fraction, timeMilliseconds: crossing.timeMilliseconds)
      if let point = point(confirming: pending, on: leg, fix: fix), point.isBefore(here) {
        confirm(index, at: point, on: leg)
      } else {
        visits[index].pending = nil
        return
      }
    }
    begin(index, crossing, on: leg, fix: fix)
  }

  /// Follows a leg up to a fraction, after all crossings so far have been taken.
  mutating func pass(through fraction: Double, on leg: Engine.Leg, fix: Int) {
    for index in visits.indices {
      if let pending = visits[index].pending {
        if let point = point(confirming: pending, on: leg, fix: fix), point.fraction <= fraction {
          confirm(index, at: point, on: leg)
        } else if let due = dwellMilliseconds(of: pending),
          let point = firstPoint(from: due, on: leg),
          point.fraction <= fraction
        {
          visits[index].pending?.isDwellDue = true
        }
      }
      if let stay = visits[index].stay,
        let point = point(ofDwell: stay, on: leg), point.fraction <= fraction
      {
        dwell(index, at: point, on: leg)
      }
    }
    settle()
  }

  /// Goes on under a region's new circle, as if the device had crossed to its side unless it was there.
  mutating func adopt(_ region: Region, isInside: Bool) {
    guard let index = visits.firstIndex(where: { $0.key == region.key }),
      visits[index].circle != region.circle
    else { return }
    visits[index].circle = region.circle
    if visits[index].pending?.isEntry != isInside { visits[index].pending = nil }
    if !isInside, visits[index].pending == nil { visits[index].stay = nil }
  }

  /// Forgets regions that left the monitored set or whose sides start over.
  mutating func forget(where isForgotten: (Region) -> Bool) {
    visits.removeAll { isForgotten(Region(key: $0.key, circle: $0.circle)) }
    settle()
  }

  /// Returns confirmed events in order along the path, then by key, and forgets them.
  mutating func takeReady() -> [EngineEvent] {
    guard ready.count > 1 else {
      defer { ready.removeAll() }
      return ready
    }
    let order = ready.indices.sorted {
      (ready[$0].fraction, ready[$0].key, $0) < (ready[$1].fraction, ready[$1].key, $1)
    }
    defer { ready.removeAll(keepingCapacity: true) }
    return order.map { ready[$0] }
  }

  mutating func adopt(_ visits: [Visit]) {
    self.visits = visits
    settle()
  }

  // MARK: Steps of one region

  private mutating func begin(
    _ index: Int, _ crossing: Crossing, on leg: Engine.Leg, fix: Int
  ) {
    let isTimed = crossing.timeMilliseconds != nil
    let needsTime =
      options.holdMilliseconds > 0 || crossing.isEntry && options.dwellMilliseconds != nil
    if needsTime && !isTimed { lacksTimes = true }
    if options.fixes != nil || options.holdMilliseconds > 0 && isTimed {
      visits[index].pending = Pending(
        isEntry: crossing.isEntry, crossedMilliseconds: crossing.timeMilliseconds,
        isAcrossBreak: crossing.isAcrossBreak, foundFix: fix)
    } else {
      let here = Point(
        fraction: crossing.fraction, timeMilliseconds: crossing.timeMilliseconds)
      endStay(index, before: here, isEntry: crossing.isEntry, on: leg)
      ready.append(.crossing(crossing))
      // Rounded to a millisecond, the crossing may seem to come before this point.
      beginStay(index, crossing, overdue: options.dwellMilliseconds == 0 ? here : nil)
    }
  }

  private mutating func confirm(_ index: Int, at point: Point, on leg: Engine.Leg) {
    guard let pending = visits[index].pending else { return }
    visits[index].pending = nil
    endStay(index, before: point, isEntry: pending.isEntry, on: leg)
    let crossing = crossing(
      index, isEntry: pending.isEntry, crossed: pending.crossedMilliseconds,
      isAcrossBreak: pending.isAcrossBreak, at: point, on: leg)
    ready.append(.crossing(crossing))
    let due = dwellMilliseconds(of: pending).flatMap { firstPoint(from: $0, on: leg) }
    let isOverdue = pending.isDwellDue || due.map { $0.fraction <= point.fraction } ?? false
    beginStay(index, crossing, overdue: isOverdue ? point : nil)
  }

  private mutating func beginStay(_ index: Int, _ crossing: Crossing, overdue: Point?) {
    guard crossing.isEntry, options.dwellMilliseconds != nil,
      let crossed = crossing.crossedMilliseconds
    else { return }
    visits[index].stay = Stay(
      crossedMilliseconds: crossed, isAcrossBreak: crossing.isAcrossBreak, overdue: overdue)
  }

  /// Ends a stay when its exit is confirmed, reporting first a dwell that was due before.
  private mutating func endStay(
    _ index: Int, before point: Point, isEntry: Bool, on leg: Engine.Leg
  ) {
    guard !isEntry, let stay = visits[index].stay else { return }
    if let due = self.point(ofDwell: stay, on: leg), due.isBefore(point) {
      dwell(index, at: due, on: leg)
    }
    visits[index].stay = nil
  }

  private mutating func dwell(_ index: Int, at point: Point, on leg: Engine.Leg) {
    guard let stay = visits[index].stay else { return }
    visits[index].stay = nil
    ready.append(
      .dwell(
        crossing(
          index, isEntry: true, crossed: stay.crossedMilliseconds,
          isAcrossBreak: stay.isAcrossBreak, at: point, on: leg)))
  }

  private func crossing(
    _ index: Int, isEntry: Bool, crossed: Int64?, isAcrossBreak: Bool, at point: Point,
    on leg: Engine.Leg
  ) -> Crossing {
    let position = leg.position(at: point.fraction)
    return Crossing(
      key: visits[index].key, isEntry: isEntry, coordinate: position.coordinate,
      timeMilliseconds: point.timeMilliseconds, fraction: point.fraction,
      distanceMeters: visits[index].circle.distanceMeters(from: position),
      isAcrossBreak: isAcrossBreak, crossedMilliseconds: crossed)
  }

  /// Removes finished visits and updates the time until which all is quiet.
  private mutating func settle() {
    visits.removeAll { $0.isOver }
    quietUntilMilliseconds = .max
    for visit in visits {
      if let pending = visit.pending {
        let due = min(dueMilliseconds(pending) ?? .min, dwellMilliseconds(of: pending) ?? .max)
        quietUntilMilliseconds = min(quietUntilMilliseconds, due)
      }
      if let stay = visit.stay {
        quietUntilMilliseconds = min(quietUntilMilliseconds, dueMilliseconds(stay))
      }
    }
  }
}

// MARK: - Where something is due

extension Confirmation {
  /// The end of the hold; nil without a hold.
  private func dueMilliseconds(_ pending: Pending) -> Int64? {
    guard options.holdMilliseconds > 0 else { return nil }
    return pending.crossedMilliseconds.map { Self.sum($0, options.holdMilliseconds) }
  }

  private func dueMilliseconds(_ stay: Stay) -> Int64 {
    Self.sum(stay.crossedMilliseconds, options.dwellMilliseconds ?? 0)
  }

  /// The time of the dwell that follows a pending entry; nil if no dwell is due.
  private func dwellMilliseconds(of pending: Pending) -> Int64? {
    guard pending.isEntry, let dwell = options.dwellMilliseconds else { return nil }
    return pending.crossedMilliseconds.map { Self.sum($0, dwell) }
  }

  private static func sum(_ time: Int64, _ duration: Int64) -> Int64 {
    let (sum, overflows) = time.addingReportingOverflow(duration)
    return overflows ? .max : sum
  }

  /// The point of a leg where a crossing is confirmed unless undone, or nil.
  private func point(
    confirming pending: Pending, on leg: Engine.Leg, fix: Int
  ) -> Point? {
    var point = Point(fraction: 0, timeMilliseconds: leg.timeMilliseconds(at: 0))
    if let due = dueMilliseconds(pending) {
      guard let first = firstPoint(from: due, on: leg) else { return nil }
      point = first
    }
    let reached = fix - pending.foundFix + 1
    let needed = options.fixes ?? 0
    guard reached >= needed else { return nil }
    return reached > needed && test == .path || needed == 0 ? point : leg.end
  }

  /// The point of a leg where a stay becomes a dwell unless an exit comes first, or nil.
  private func point(ofDwell stay: Stay, on leg: Engine.Leg) -> Point? {
    stay.overdue ?? firstPoint(from: dueMilliseconds(stay), on: leg)
  }

  /// The first point of a leg at or after a time, or nil.
  private func firstPoint(from due: Int64, on leg: Engine.Leg) -> Point? {
    guard let end = leg.point.timeMilliseconds, end >= due else { return nil }
    guard test == .path, leg.segment != nil, let begin = leg.start?.timeMilliseconds else {
      return leg.end
    }
    guard begin < due else { return Point(fraction: 0, timeMilliseconds: begin) }
    return Point(fraction: Double(due - begin) / Double(end - begin), timeMilliseconds: due)
  }
}

extension Engine.Leg {
  fileprivate var end: Confirmation.Point {
    Confirmation.Point(fraction: 1, timeMilliseconds: point.timeMilliseconds)
  }
}

extension EngineEvent {
  fileprivate var key: Int64 {
    switch self {
    case .crossing(let crossing), .dwell(let crossing): crossing.key
    case .refresh: 0
    }
  }
}
