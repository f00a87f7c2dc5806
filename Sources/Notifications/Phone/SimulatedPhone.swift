/// A phone's notification centre as a value: what it holds, what it drops and what it shows.
///
/// To its owner it is as silent as a real one: nothing tells that a request was dropped. Its
/// ``trace`` tells everything.
public struct SimulatedPhone: Sendable {
  /// How it treats more requests than it holds.
  public let profile: DeviceProfile
  /// How many it shows of those that fire in one second; nil for all.
  public let sameSecondLimit: Int?
  /// How it delays what it shows.
  public let lowPowerDelay: LowPowerDelay?
  /// The zone it is in.
  public private(set) var zone: ClockZone
  /// Its clock, in milliseconds since 1970.
  public private(set) var nowMilliseconds: Int64
  /// All that happened so far.
  public private(set) var trace: [PhoneEvent] = []

  private struct Held {
    var request: NotificationRequest
    /// Nil for circles.
    var fireMilliseconds: Int64?
  }

  /// In the order in which they were added.
  private var held: [Held] = []

  /// Makes a phone that holds nothing.
  public init(
    profile: DeviceProfile, nowMilliseconds: Int64, zone: ClockZone, sameSecondLimit: Int? = 2,
    lowPowerDelay: LowPowerDelay? = nil
  ) {
    self.profile = profile
    self.nowMilliseconds = nowMilliseconds
    self.zone = zone
    self.sameSecondLimit = sameSecondLimit
    self.lowPowerDelay = lowPowerDelay
  }

  /// What is pending, in the order in which it was added.
  public var pending: [NotificationRequest] { held.map(\.request) }

  /// What was shown so far, in order.
  public var deliveries: [PhoneDelivery] {
    trace.compactMap {
      if case .delivered(let delivery) = $0.happening { return delivery }
      return nil
    }
  }

  /// Adds a request, in place of a pending one with the same identifier.
  public mutating func add(_ request: NotificationRequest) {
    var request = request
    // A phone counts from when it is told.
    request.askedMilliseconds = nowMilliseconds
    let old = held.firstIndex { $0.request.identifier == request.identifier }
    if let old { held.remove(at: old) }
    switch request.nextFire(afterMilliseconds: nowMilliseconds, in: zone) {
    case .never:
      note(request.identifier, .notRetainedDead)
      return
    case .immediately:
      show(request.identifier, fireMilliseconds: nowMilliseconds)
      return
    case .atCrossing:
      guard regionCount < profile.regionLimit else {
        note(request.identifier, .notRetainedRegion)
        return
      }
      held.append(Held(request: request, fireMilliseconds: nil))
    case .at(let fire):
      held.append(Held(request: request, fireMilliseconds: fire))
    }
    note(request.identifier, old == nil ? .added : .replaced)
    dropOverflow(addedIdentifier: request.identifier)
  }

  /// Removes pending requests; identifiers that are not pending are passed over.
  public mutating func remove(identifiers: [String]) {
    let gone = Set(identifiers)
    for item in held where gone.contains(item.request.identifier) {
      note(item.request.identifier, .removed)
    }
    held.removeAll { gone.contains($0.request.identifier) }
  }

  /// Crosses the edge of a pending circle, which fires if that is what it waits for.
  public mutating func cross(identifier: String, entering: Bool) {
    guard let index = held.firstIndex(where: { $0.request.identifier == identifier }),
      case .region(let region) = held[index].request.trigger,
      entering ? region.firesOnEntry : region.firesOnExit
    else { return }
    if !region.repeats { held.remove(at: index) }
    show(identifier, fireMilliseconds: nowMilliseconds)
  }

  /// Loses all that is pending, as a restored phone does.
  public mutating func forgetPending() {
    for item in held { note(item.request.identifier, .forgotten) }
    held = []
  }

  /// Lets time pass, up to and including an instant, and shows what fires.
  public mutating func advance(toMilliseconds end: Int64) {
    while let first = nextFire, first <= end {
      nowMilliseconds = first
      fireSecond(endingBefore: (first.dividedDown(by: 1000) + 1) * 1000, until: end)
    }
    nowMilliseconds = max(nowMilliseconds, end)
  }

  /// Moves to another zone, whose clock counts for floating times from now on.
  public mutating func travel(to zone: ClockZone) {
    self.zone = zone
    let before = held
    held = []
    for var item in before {
      switch item.request.nextFire(afterMilliseconds: nowMilliseconds, in: zone) {
      case .never:
        note(item.request.identifier, .passedByZoneChange)
        continue
      case .at(let fire): item.fireMilliseconds = fire
      case .atCrossing, .immediately: break
      }
      held.append(item)
    }
  }

  private var nextFire: Int64? { held.lazy.compactMap(\.fireMilliseconds).min() }

  private var regionCount: Int { held.count { $0.fireMilliseconds == nil } }

  private mutating func dropOverflow(addedIdentifier: String) {
    guard let limit = profile.totalLimit else { return }
    while held.count > limit {
      let victim: Int
      switch profile.retention {
      case .lastAdded: victim = 0
      case .soonest:
        // The last of the latest: at one instant those that were there first stay.
        victim =
          held.indices.max {
            (held[$0].fireMilliseconds ?? .min, $0) < (held[$1].fireMilliseconds ?? .min, $1)
          } ?? 0
      }
      note(held.remove(at: victim).request.identifier, .droppedOnOverflow(by: addedIdentifier))
    }
  }

  private mutating func fireSecond(endingBefore secondEnd: Int64, until end: Int64) {
    var firing: [(fire: Int64, index: Int)] = []
    for (index, item) in held.enumerated() {
      if let fire = item.fireMilliseconds, fire < secondEnd, fire <= end {
        firing.append((fire, index))
      }
    }
    firing.sort { ($0.fire, $0.index) < ($1.fire, $1.index) }
    for (place, item) in firing.enumerated() {
      let identifier = held[item.index].request.identifier
      if let limit = sameSecondLimit, place >= limit {
        note(identifier, .droppedInSecond(fireMilliseconds: item.fire))
      } else {
        show(identifier, fireMilliseconds: item.fire)
      }
    }
    for item in firing {
      let request = held[item.index].request
      held[item.index].fireMilliseconds = nil
      if request.trigger.repeats,
        case .at(let next) = request.nextFire(afterMilliseconds: item.fire, in: zone)
      {
        held[item.index].fireMilliseconds = next
      }
    }
    let fired = Set(firing.map(\.index))
    held = held.enumerated().filter { index, item in
      !fired.contains(index) || item.fireMilliseconds != nil
    }.map(\.element)
  }

  private mutating func show(_ identifier: String, fireMilliseconds: Int64) {
    let delay =
      lowPowerDelay?.delayMilliseconds(
        identifier: identifier, fireMilliseconds: fireMilliseconds) ?? 0
    let delivery = PhoneDelivery(
      identifier: identifier, fireMilliseconds: fireMilliseconds,
      shownMilliseconds: fireMilliseconds + delay)
    note(identifier, .delivered(delivery))
  }

  private mutating func note(_ identifier: String, _ happening: PhoneEvent.Happening) {
    trace.append(
      PhoneEvent(timeMilliseconds: nowMilliseconds, identifier: identifier, happening: happening))
  }
}
