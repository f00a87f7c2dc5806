import FencepostGeodesy

/// Simulates a phone's notification center: what it holds, drops and shows.
///
/// Like a real phone, it does not report dropped requests.
public struct NotificationCenterModel: Sendable {
  /// How many requests the phone holds, and which it drops.
  package let limits: NotificationLimits
  /// The number of notifications shown in one second; nil for no limit.
  package let sameSecondLimit: Int?
  /// How the phone delays notifications; nil for no delay.
  package var lowPowerDelay: LowPowerDelay?
  /// The time zone of the phone.
  public private(set) var zone: ClockZone
  /// The clock of the phone in milliseconds since 1970.
  public private(set) var nowMilliseconds: Int64
  /// Everything that happened on the phone so far, in order of time.
  package private(set) var trace: [PhoneEvent] = []

  private struct Held {
    var request: NotificationRequest
    var fireMilliseconds: Int64?
    var order: Int
  }

  private struct Firing: Comparable {
    var fireMilliseconds: Int64
    var order: Int
    var identifier: String

    static func < (first: Firing, second: Firing) -> Bool {
      (first.fireMilliseconds, first.order) < (second.fireMilliseconds, second.order)
    }
  }

  private var held: [String: Held] = [:]
  /// The next firings; entries that no longer match a held request are skipped.
  private var queue = Heap<Firing>()
  private var nextOrder = 0
  private var regionCount = 0
  /// The second of the last firing, and what was shown in it.
  private var lastSecond: (number: Int64, shown: [String]) = (.min, [])
  /// Notifications of other sources that are shown in this second or later, by second.
  private var others: [Int64: [String]] = [:]
  /// The largest number of pending requests so far, and when it was first reached.
  package private(set) var peak: (count: Int, milliseconds: Int64)

  /// Creates a phone without requests.
  public init(
    limits: NotificationLimits, nowMilliseconds: Int64, zone: ClockZone, sameSecondLimit: Int? = 2
  ) {
    self.limits = limits
    self.nowMilliseconds = nowMilliseconds
    self.zone = zone
    self.sameSecondLimit = sameSecondLimit
    peak = (0, nowMilliseconds)
  }

  /// The pending requests in the order they were added.
  public var pending: [NotificationRequest] {
    held.values.sorted { $0.order < $1.order }.map(\.request)
  }

  /// The number of pending requests, including circles.
  package var pendingCount: Int { held.count }

  /// The notifications shown so far, in order.
  public var deliveries: [PhoneDelivery] {
    trace.compactMap {
      if case .delivered(let delivery) = $0.happening { return delivery }
      return nil
    }
  }

  /// The identifiers of requests shown after a time in milliseconds since 1970.
  func delivered(afterMilliseconds milliseconds: Int64) -> Set<String> {
    var identifiers: Set<String> = []
    for event in trace.reversed() {
      guard event.timeMilliseconds > milliseconds else { break }
      if case .delivered = event.happening { identifiers.insert(event.identifier) }
    }
    return identifiers
  }

  /// Adds a request, replacing a pending one with the same identifier.
  ///
  /// A request that is due at once is shown. One that never fires, or a circle beyond the limit, is
  /// ignored. If the phone then holds too many, it drops one by its ``NotificationLimits/Retention``.
  ///
  /// - Complexity: O(log n) for n pending requests, O(n) if one is dropped.
  public mutating func add(_ request: NotificationRequest) {
    var request = request
    // A phone counts intervals from when it receives the request.
    request.askedMilliseconds = nowMilliseconds
    let isReplacing = take(request.identifier) != nil
    let fire: Int64?
    switch request.nextFire(afterMilliseconds: nowMilliseconds, in: zone) {
    case .never:
      note(request.identifier, .notRetainedDead)
      return
    case .immediately:
      show(request, fireMilliseconds: nowMilliseconds)
      return
    case .atCrossing:
      guard regionCount < limits.regionLimit else {
        note(request.identifier, .notRetainedRegion)
        return
      }
      fire = nil
    case .at(let instant): fire = instant
    }
    hold(Held(request: request, fireMilliseconds: fire, order: nextOrder))
    nextOrder += 1
    note(request.identifier, isReplacing ? .replaced : .added)
    dropOverflow(addedIdentifier: request.identifier)
    if held.count > peak.count { peak = (held.count, nowMilliseconds) }
  }

  /// Removes pending requests; unknown identifiers are ignored.
  public mutating func remove(identifiers: [String]) {
    for identifier in identifiers where take(identifier) != nil { note(identifier, .removed) }
  }

  /// Crosses the edge of a pending circle, which fires if its trigger includes that direction.
  package mutating func cross(identifier: String, entering: Bool) {
    guard let item = held[identifier], case .region(let region) = item.request.trigger,
      entering ? region.firesOnEntry : region.firesOnExit
    else { return }
    if !region.repeats { take(identifier) }
    show(item.request, fireMilliseconds: nowMilliseconds)
  }

  /// Counts a notification of another source toward the limit of its second.
  mutating func reserve(_ identifier: String, atMilliseconds milliseconds: Int64) {
    let now = nowMilliseconds.dividedDown(by: 1000)
    others = others.filter { $0.key >= now }
    others[milliseconds.dividedDown(by: 1000), default: []].append(identifier)
  }

  /// Shows a notification now; returns what was shown in its place if this second is full.
  mutating func showNow(_ request: NotificationRequest) -> String? {
    show(request, fireMilliseconds: nowMilliseconds)
    guard case .droppedInSecond(_, let other)? = trace.last?.happening else { return nil }
    return other
  }

  /// When the next pending request fires, in milliseconds since 1970; nil if none does by itself.
  mutating func nextFireMilliseconds() -> Int64? {
    while let first = queue.first {
      if isCurrent(first) { return first.fireMilliseconds }
      _ = queue.popFirst()
    }
    return nil
  }

  /// When held requests fire next, before a time in milliseconds since 1970.
  func firings(beforeMilliseconds end: Int64) -> [(identifier: String, milliseconds: Int64)] {
    held.compactMap { identifier, item in
      item.fireMilliseconds.flatMap { $0 < end ? (identifier, $0) : nil }
    }.sorted { $0.milliseconds < $1.milliseconds }
  }

  /// Whether an entry of the queue matches a held request.
  private func isCurrent(_ firing: Firing) -> Bool {
    guard let item = held[firing.identifier] else { return false }
    return item.order == firing.order && item.fireMilliseconds == firing.fireMilliseconds
  }

  /// Drops all pending requests, as a restored phone does.
  public mutating func forgetPending() {
    for request in pending { note(request.identifier, .forgotten) }
    held = [:]
    queue = Heap()
    regionCount = 0
  }

  /// Advances the clock to a time in milliseconds since 1970, inclusive, and shows what fires.
  ///
  /// The clock never goes back.
  ///
  /// - Complexity: O(log n) for each of the notifications that fire, with n pending requests.
  public mutating func advance(toMilliseconds end: Int64) {
    while let first = queue.first, first.fireMilliseconds <= end {
      _ = queue.popFirst()
      guard isCurrent(first), var item = held[first.identifier] else { continue }
      nowMilliseconds = max(nowMilliseconds, first.fireMilliseconds)
      take(first.identifier)
      show(item.request, fireMilliseconds: first.fireMilliseconds)
      if item.request.trigger.repeats,
        case .at(let next) = item.request.nextFire(
          afterMilliseconds: first.fireMilliseconds, in: zone)
      {
        item.fireMilliseconds = next
        hold(item)
      }
    }
    nowMilliseconds = max(nowMilliseconds, end)
  }

  /// Moves the phone to another time zone; floating times follow the new clock.
  ///
  /// A request whose time the new clock has passed is lost.
  public mutating func travel(to zone: ClockZone) {
    self.zone = zone
    for var item in held.values.sorted(by: { $0.order < $1.order }) {
      switch item.request.nextFire(afterMilliseconds: nowMilliseconds, in: zone) {
      case .never:
        take(item.request.identifier)
        note(item.request.identifier, .passedByZoneChange)
      case .at(let fire) where fire != item.fireMilliseconds:
        take(item.request.identifier)
        item.fireMilliseconds = fire
        hold(item)
      case .at, .atCrossing, .immediately: break
      }
    }
  }

  private mutating func hold(_ item: Held) {
    held[item.request.identifier] = item
    guard let fire = item.fireMilliseconds else {
      regionCount += 1
      return
    }
    queue.insert(
      .init(fireMilliseconds: fire, order: item.order, identifier: item.request.identifier))
  }

  @discardableResult
  private mutating func take(_ identifier: String) -> Held? {
    guard let item = held.removeValue(forKey: identifier) else { return nil }
    if item.fireMilliseconds == nil { regionCount -= 1 }
    return item
  }

  private mutating func dropOverflow(addedIdentifier: String) {
    guard let limit = limits.totalLimit else { return }
    while held.count - (limits.countsRegions ? 0 : regionCount) > limit {
      let victim =
        switch limits.retention {
        case .firstAdded: held[addedIdentifier]
        case .lastAdded: held.values.min { $0.order < $1.order }
        case .soonest:
          // At the same time, the request added first stays.
          held.values.max {
            ($0.fireMilliseconds ?? .min, $0.order) < ($1.fireMilliseconds ?? .min, $1.order)
          }
        }
      guard let victim else { return }
      take(victim.request.identifier)
      note(victim.request.identifier, .droppedOnOverflow(by: addedIdentifier))
    }
  }

  /// Shows a notification, unless the limit of that second is reached.
  private mutating func show(_ request: NotificationRequest, fireMilliseconds: Int64) {
    let identifier = request.identifier
    let second = fireMilliseconds.dividedDown(by: 1000)
    if second != lastSecond.number { lastSecond = (second, []) }
    let shown = lastSecond.shown + (others[second] ?? [])
    if let limit = sameSecondLimit, shown.count >= limit {
      note(identifier, .droppedInSecond(fireMilliseconds: fireMilliseconds, by: shown[limit - 1]))
      return
    }
    lastSecond.shown.append(identifier)
    let delay =
      lowPowerDelay?.delayMilliseconds(
        identifier: identifier, fireMilliseconds: fireMilliseconds,
        isSilent: request.content.sound == nil) ?? 0
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

/// The former name of ``NotificationCenterModel``.
@available(*, deprecated, renamed: "NotificationCenterModel")
public typealias SimulatedPhone = NotificationCenterModel

extension NotificationCenterModel {
  /// The former name of ``init(limits:nowMilliseconds:zone:sameSecondLimit:)``.
  @available(*, deprecated, renamed: "init(limits:nowMilliseconds:zone:sameSecondLimit:)")
  public init(
    profile: NotificationLimits, nowMilliseconds: Int64, zone: ClockZone, sameSecondLimit: Int? = 2
  ) {
    self.init(
      limits: profile, nowMilliseconds: nowMilliseconds, zone: zone,
      sameSecondLimit: sameSecondLimit)
  }
}

/// Something that happened to a request on a simulated phone, and when.
///
/// ``NotificationCenterModel/trace`` lists them in order of time. A simulation reads them to explain why a
/// reminder was late or lost, which a real phone does not tell.
package struct PhoneEvent: Hashable, Sendable {
  /// What happened to a request.
  package enum Happening: Hashable, Sendable {
    /// A request was added and is pending.
    case added
    /// A request was added in place of a pending one with the same identifier.
    case replaced
    /// A request was ignored because it never fires.
    case notRetainedDead
    /// A circle was ignored because too many are watched.
    case notRetainedRegion
    /// A request was dropped to make room for another.
    case droppedOnOverflow(by: String)
    /// The app removed a pending request.
    case removed
    /// A request was lost when the phone was replaced.
    case forgotten
    /// A notification was shown.
    case delivered(PhoneDelivery)
    /// A request fired but was not shown, because too many fired in that second; `by` is the last
    /// one that was shown.
    case droppedInSecond(fireMilliseconds: Int64, by: String)
    /// A request will not fire, because the new zone's clock is past its time.
    case passedByZoneChange
  }

  /// The time in milliseconds since 1970.
  package let timeMilliseconds: Int64
  /// The identifier of the request.
  package let identifier: String
  /// What happened to it.
  package let happening: Happening
}

/// A notification that was shown.
///
/// The two times differ only if the phone delays notifications to save power.
public struct PhoneDelivery: Hashable, Sendable {
  /// The identifier of the request.
  public let identifier: String
  /// When the request fired, in milliseconds since 1970.
  public let fireMilliseconds: Int64
  /// When the notification appeared, in milliseconds since 1970.
  public let shownMilliseconds: Int64
}

/// A simulated phone that several schedulers can share.
///
/// It stands in for the system's notification center in tests and in tools.
public actor SimulatedCenter: PhoneNotificationCenter {
  /// The phone.
  public private(set) var phone: NotificationCenterModel

  /// Creates a center for a phone.
  public init(phone: NotificationCenterModel) { self.phone = phone }

  /// Changes the phone, for example to advance its clock.
  public func change(_ body: @Sendable (inout NotificationCenterModel) -> Void) { body(&phone) }

  /// Adds a request; drops requests silently, like a real phone.
  public func add(_ request: NotificationRequest) { phone.add(request) }

  /// Removes pending requests.
  public func remove(identifiers: [String]) { phone.remove(identifiers: identifiers) }

  /// The identifiers of all requests shown after a time in milliseconds since 1970.
  public func delivered(afterMilliseconds milliseconds: Int64) -> Set<String>? {
    phone.delivered(afterMilliseconds: milliseconds)
  }

  /// The pending requests of all owners.
  public func pending() -> [NotificationRequest] { phone.pending }
}
