/// The requests of a simulated app.
///
/// A plan needs only those that can get a slot. Every policy ranks requests of one kind by time, so
/// of each kind only the first ones can. A plan costs no more for the others than a look at their
/// times.
struct RequestQueue {
  /// A request that fires once, at a known time.
  private struct Dated {
    /// Its place in `requests`.
    let index: Int
    let kind: Int
    /// When it would fire without staggering, in milliseconds since 1970.
    let ownMilliseconds: Int64
    /// When it fires as it was added.
    let addedMilliseconds: Int64
    /// The second in which it fires after staggering.
    var movedSecond: Int64
    /// Whether the last plan had it, so that the scheduler knows whether it has fired.
    var isInFront = false
    /// Whether the last plan left it out.
    var isBehind = false

    var addedSecond: Int64 { addedMilliseconds.dividedDown(by: 1000) }

    var movedMilliseconds: Int64 {
      movedSecond == addedSecond ? addedMilliseconds : movedSecond * 1000
    }
  }

  private let kinds: [NotificationKind]
  private let stagger: SecondStagger?
  private let slots: Int
  private(set) var zone: ClockZone
  private var requests: [NotificationRequest] = []
  /// By priority, then identifier, which is the order of staggering.
  private var dated: [Dated] = []
  /// Requests that repeat, belong to circles or never fire; every plan has them.
  private var others: [NotificationRequest] = []

  init(budget: NotificationBudget, sameSecondLimit: Int?, zone: ClockZone) {
    kinds = budget.kinds.kinds + [.unknown]
    stagger = sameSecondLimit.map { SecondStagger(limit: $0, kinds: budget.kinds) }
    slots = budget.totalLimit ?? .max
    self.zone = zone
  }

  private func identifier(_ entry: Dated) -> String { requests[entry.index].identifier }

  private func request(_ entry: Dated) -> NotificationRequest {
    var request = requests[entry.index]
    request.move(fromSecond: entry.addedSecond, to: entry.movedSecond, in: zone)
    return request
  }

  /// Keeps the requests that have not fired: the live ones of the last plan, and those that waited.
  ///
  /// A staggered request whose own second has passed is kept for as long as it may be late.
  mutating func keep(
    _ live: [NotificationRequest], lateMilliseconds: Int64? = nil, nowMilliseconds now: Int64,
    zone: ClockZone
  ) {
    let alive = Set(live.map(\.identifier))
    others.removeAll { !alive.contains($0.identifier) }
    let isMoved = zone != self.zone
    dated = dated.filter { entry in
      if let lateMilliseconds, entry.ownMilliseconds <= now - lateMilliseconds { return false }
      return entry.isInFront
        ? alive.contains(identifier(entry)) : isMoved || entry.movedMilliseconds > now
    }
    if isMoved { travel(to: zone, nowMilliseconds: now) }
  }

  private mutating func travel(to zone: ClockZone, nowMilliseconds: Int64) {
    func fires(_ request: NotificationRequest) -> Bool {
      request.nextFire(afterMilliseconds: nowMilliseconds, in: zone) != .never
    }
    let kept = dated.map { entry in
      fires(requests[entry.index]) ? requests[entry.index] : request(entry)
    }.filter(fires)
    dated = []
    self.zone = zone
    insert(kept, nowMilliseconds: nowMilliseconds)
  }

  /// Adds requests; each replaces those with the same identifier.
  mutating func insert(_ new: [NotificationRequest], nowMilliseconds: Int64) {
    let count = dated.count
    for request in new {
      let next = request.nextFire(afterMilliseconds: nowMilliseconds, in: zone)
      guard case .at(let fire) = next, !request.trigger.repeats else {
        others.append(request)
        continue
      }
      let kind = kinds.firstIndex { request.identifier.utf8.starts(with: $0.prefix.utf8) }
      dated.append(
        Dated(
          index: requests.count, kind: kind ?? 0,
          ownMilliseconds: fire - 1000 * (request.movedSeconds ?? 0), addedMilliseconds: fire,
          movedSecond: fire.dividedDown(by: 1000)))
      requests.append(request)
    }
    if dated.count > count { sort() }
  }

  private mutating func sort() {
    let (requests, kinds) = (requests, kinds)
    dated.sort { one, other in
      let (first, second) = (kinds[one.kind].priority, kinds[other.kind].priority)
      if first != second { return first < second }
      return (requests[one.index].identifier, one.index)
        < (requests[other.index].identifier, other.index)
    }
    var unique: [Dated] = []
    unique.reserveCapacity(dated.count)
    for entry in dated {
      if let last = unique.last, identifier(last) == identifier(entry) { unique.removeLast() }
      unique.append(entry)
    }
    dated = unique
  }

  /// The staggered requests that can get a slot or are the first to wait for one.
  ///
  /// Of each kind, at least `waitingCount` wait if there are as many.
  mutating func front(waitingCount: Int, nowMilliseconds now: Int64) -> [NotificationRequest] {
    var front = others
    var taken = stagger?.takeRepeating(&front, nowMilliseconds: now, zone: zone)
    for index in dated.indices {
      let entry = dated[index]
      // If its own second has passed, a request starts from the second that it was moved to.
      let start = entry.addedMilliseconds > now ? entry.addedSecond : entry.movedSecond
      dated[index].movedSecond = taken?.take(start) ?? start
    }
    var shares = shares(count: slots == .max ? .max : slots + waitingCount)
    for index in dated.indices {
      let isInFront = shares[dated[index].kind].take(dated[index].ownMilliseconds)
      dated[index].isInFront = isInFront
      guard isInFront else { continue }
      dated[index].isBehind = false
      front.append(request(dated[index]))
    }
    return front
  }

  /// How far a kind reaches in a plan.
  private struct Share {
    var lastMilliseconds = Int64.max
    var lastCount = Int.max

    mutating func take(_ milliseconds: Int64) -> Bool {
      guard milliseconds == lastMilliseconds else { return milliseconds < lastMilliseconds }
      lastCount -= 1
      return lastCount >= 0
    }
  }

  /// The shares with which each kind has so many requests, the soonest ones.
  private func shares(count: Int) -> [Share] {
    var times: [[Int64]] = kinds.map { _ in [] }
    for entry in dated { times[entry.kind].append(entry.ownMilliseconds) }
    return times.map { times in
      guard times.count > count else { return Share() }
      let first = times.sorted().prefix(count)
      return Share(
        lastMilliseconds: first[count - 1], lastCount: first.count { $0 == first[count - 1] })
    }
  }

  /// The requests that the last plan left out, staggered, in no order.
  var behind: [NotificationRequest] { dated.filter { !$0.isInFront }.map(request) }

  var behindCount: Int { dated.count { !$0.isInFront } }

  /// The number of requests that the last plan left out, by kind.
  var behindByKind: [NotificationKind: Int] {
    var counts = kinds.map { _ in 0 }
    for entry in dated where !entry.isInFront { counts[entry.kind] += 1 }
    return Dictionary(uniqueKeysWithValues: zip(kinds, counts))
  }

  /// The identifiers of requests that the last plan left out and the one before it did not.
  mutating func newBehind() -> [String] {
    var identifiers: [String] = []
    for index in dated.indices where !dated[index].isInFront && !dated[index].isBehind {
      dated[index].isBehind = true
      identifiers.append(identifier(dated[index]))
    }
    return identifiers
  }
}
