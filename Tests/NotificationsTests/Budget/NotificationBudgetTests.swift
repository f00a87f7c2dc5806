import FencepostGeodesy
import FencepostNotifications
import TestSupport
import Testing

private func region(
  _ id: String, north: Double, radiusMeters: Double = 100
) throws -> NotificationRequest {
  let center = Coordinate(latitudeDegrees: 39.95 + north, longitudeDegrees: -75.16)
  let trigger = try #require(RegionTrigger(center: center, radiusMeters: radiusMeters))
  return NotificationRequest(
    identifier: id, content: NotificationContent(title: id), trigger: .region(trigger))
}

private func ids(_ items: [BudgetPlan.Item]) -> [String] {
  items.map(\.request.identifier)
}

private let here = Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16)

@Suite("Notification budget")
struct NotificationBudgetTests {
  private func plan(
    _ requests: [NotificationRequest], limit: Int = 64,
    policy: RankingPolicy = .fireDateThenPriority, location: Coordinate? = nil,
    occupied: NotificationBudget.Occupancy = .init()
  ) throws -> BudgetPlan {
    NotificationBudget(totalLimit: limit, policy: policy, kinds: try seedKinds()).plan(
      requests, nowMilliseconds: noon, zone: .utc, location: location, occupied: occupied)
  }

  @Test("five at one instant for three slots: exactly the two re-engagement ones wait")
  func overBudget() throws {
    let all = ["inactivity.1", "habit.1", "inactivity.2", "depletion.1", "onboarding.1"]
    let plan = try plan(all.map { request($0, at: noon + oneDay) }, limit: 3)
    #expect(Set(ids(plan.waiting)) == ["inactivity.1", "inactivity.2"])
    #expect(plan.waiting.allSatisfy { $0.kind.name == "inactivity" })
  }

  @Test("thirty requests all fit into 64 slots")
  func underBudget() throws {
    let plan = try plan((0..<30).map { request("habit.\($0)", at: noon + oneDay + Int64($0)) })
    #expect(plan.scheduled.count == 30)
    #expect(plan.waiting.isEmpty && plan.purged.isEmpty)
  }

  @Test("of 66 requests the two farthest and least important wait, and the 64th stays")
  func sixtySix() throws {
    let document = try sample("sixty-six-requests.json")
    let requests = document.reminders.flatMap { $0.requests(askedMilliseconds: 0) }
    #expect(requests.count == 66)
    let budget = NotificationBudget(kinds: document.kinds)
    // 2026-03-02T05:00:00Z, before the first of them.
    let plan = budget.plan(
      requests.shuffled(), nowMilliseconds: 1_772_427_600_000, zone: document.zone)
    #expect(
      ids(plan.waiting) == ["inactivity.3@2026-03-18T18:00", "inactivity.4@2026-03-19T18:00"])
    #expect(plan.scheduled.last?.request.identifier.hasPrefix("inactivity.2") == true)
  }

  @Test("dead requests go first and take no slot")
  func deadFirst() throws {
    let requests = [
      request("habit.past", at: noon - oneDay), request("inactivity.1", at: noon + oneDay),
    ]
    let dead = NotificationRequest(
      identifier: requests[0].identifier, content: requests[0].content,
      trigger: requests[0].trigger, askedMilliseconds: noon - 2 * oneDay)
    let plan = try plan([dead, requests[1]], limit: 1)
    #expect(ids(plan.scheduled) == ["inactivity.1"])
    #expect(plan.purged.map(\.reason) == [.dead])
  }

  @Test("by date a near nudge comes before a distant reminder; by priority it does not")
  func policies() throws {
    let requests = [
      request("habit.far", at: noon + 11 * oneDay),
      request("inactivity.near", at: noon + 10 * oneDay),
    ]
    #expect(ids(try plan(requests, limit: 1).scheduled) == ["inactivity.near"])
    #expect(
      ids(try plan(requests, limit: 1, policy: .priorityThenFireDate).scheduled) == ["habit.far"])
  }

  @Test("circles take slots before the rest is ranked: 70 pending of which 20 are circles")
  func circlesCount() throws {
    let circles = try (0..<20).map { try region("habit.r\($0)", north: Double($0) * 0.01) }
    let times = (0..<50).map { request("habit.t\($0)", at: noon + oneDay + Int64($0) * 1000) }
    let plan = try plan(times + circles, location: here)
    #expect(plan.scheduled.count == 64)
    #expect(ids(plan.waiting) == (44..<50).map { "habit.t\($0)" })
  }

  @Test("with 30 circles and 100 times: 20 nearest circles, 44 times", arguments: [0, 5, 30])
  func bothOverflow(circleCount: Int) throws {
    let circles = try (0..<circleCount).map { try region("habit.r\($0)", north: Double($0) * 0.01) }
    let times = (0..<100).map { request("habit.t\($0)", at: noon + oneDay + Int64($0) * 1000) }
    let plan = try plan((circles + times).shuffled(), location: here)
    let regions = plan.scheduled.filter { $0.nextFire == .atCrossing }
    #expect(ids(regions) == (0..<min(circleCount, 20)).map { "habit.r\($0)" })
    #expect(plan.scheduled.count == 64)
  }

  @Test("pending requests of others take slots too")
  func occupied() throws {
    let circles = try (0..<20).map { try region("habit.r\($0)", north: Double($0) * 0.01) }
    let times = (0..<100).map { request("habit.t\($0)", at: noon + oneDay + Int64($0) * 1000) }
    let plan = try plan(
      circles + times, location: here, occupied: .init(total: 10, regions: 3))
    #expect(plan.scheduled.count == 54)
    #expect(plan.scheduled.count { $0.nextFire == .atCrossing } == 17)
  }

  @Test("without a location the more important and then the larger circle stays")
  func circlesWithoutLocation() throws {
    let small = try region("inactivity.b", north: 0)
    let important = try region("habit.z", north: 1)
    let plan = NotificationBudget(regionLimit: 1, kinds: try seedKinds()).plan(
      [small, important], nowMilliseconds: noon, zone: .utc)
    #expect(ids(plan.scheduled) == ["habit.z"])
    #expect(plan.waiting.map(\.reason) == [.overRegionLimit])
    let large = try region("habit.zz", north: 2, radiusMeters: 200)
    let larger = NotificationBudget(regionLimit: 1, kinds: try seedKinds()).plan(
      [important, large], nowMilliseconds: noon, zone: .utc)
    #expect(ids(larger.scheduled) == ["habit.zz"])
  }

  @Test("quotas 40/10/14 hold, and slots that one kind leaves go to the others")
  func quotas() throws {
    let habits = (0..<100).map { request("habit.\($0)", at: noon + oneDay + Int64($0) * 1000) }
    let depletion = (0..<3).map { request("depletion.\($0)", at: noon + 9 * oneDay + Int64($0)) }
    let rest = (0..<40).map { request("inactivity.\($0)", at: noon + 8 * oneDay + Int64($0)) }
    let plan = try plan(
      rest + depletion + habits, policy: .quotas(["habit": 40, "depletion": 10]))
    let byKind = Dictionary(grouping: plan.scheduled, by: \.kind.name).mapValues(\.count)
    // Seven slots that depletion does not use go to the soonest, which are habits.
    #expect(byKind == ["habit": 47, "depletion": 3, "inactivity": 14])
  }

  @Test("quotas count circles, and shrink in proportion if other owners take slots")
  func quotasWithCircles() throws {
    let circles = try (0..<25).map { try region("habit.r\($0)", north: Double($0) * 0.01) }
    let times = ["habit", "depletion", "inactivity"].flatMap { kind in
      (0..<64).map { request("\(kind).\($0)", at: noon + oneDay + Int64($0) * 1000) }
    }
    func byKind(occupied: Int) throws -> [String: Int] {
      let plan = try plan(
        circles + times, policy: .quotas(["habit": 40, "depletion": 10]), location: here,
        occupied: .init(total: occupied))
      #expect(plan.scheduled.count { $0.nextFire == .atCrossing } == 20)
      return Dictionary(grouping: plan.scheduled, by: \.kind.name).mapValues(\.count)
    }
    #expect(try byKind(occupied: 0) == ["habit": 40, "depletion": 10, "inactivity": 14])
    // 44 of 64: 27.5, 6.9 and 9.6.
    #expect(try byKind(occupied: 20) == ["habit": 27, "depletion": 7, "inactivity": 10])
  }

  @Test("twenty circles in Sydney leave sixty reminders of today in Philadelphia alone")
  func farCircles() throws {
    let circles = try (0..<20).map { number in
      let center = Coordinate(
        latitudeDegrees: -33.8 - Double(number) * 0.01, longitudeDegrees: 151.2)
      return NotificationRequest(
        identifier: "habit.c\(number)", content: NotificationContent(title: "x"),
        trigger: .region(try #require(RegionTrigger(center: center, radiusMeters: 100))))
    }
    let times = (0..<60).map { request("inactivity.\($0)", at: noon + 60_000 * Int64($0 + 1)) }
    let plan = try plan(circles + times, location: here)
    #expect(plan.scheduled.count { $0.nextFire != .atCrossing } == 60)
    #expect(plan.scheduled.count == 64)
    #expect(Set(plan.waiting.map(\.reason)) == [.overLimit])
    let last = plan.scheduled.last?.request.identifier
    #expect(last?.hasPrefix("habit.c") == true)
    #expect(plan.waiting.allSatisfy { $0.displacedBy == last })
  }

  @Test("a circle fires when its edge can be reached at 30 m/s, from inside or outside")
  func reach() throws {
    // 40 km to the edge take 22 min 13 s; the circle around the phone has its edge 5 km away.
    let far = try region("inactivity.far", north: 40_000 / 111_040, radiusMeters: 20)
    let around = try region("inactivity.around", north: 0, radiusMeters: 5000)
    func order(minutes: Int64) throws -> [String] {
      ids(
        try plan(
          [far, around, request("inactivity.time", at: noon + minutes * 60_000)], location: here
        ).scheduled)
    }
    #expect(try order(minutes: 2) == ["inactivity.time", "inactivity.around", "inactivity.far"])
    #expect(try order(minutes: 20) == ["inactivity.around", "inactivity.time", "inactivity.far"])
    #expect(try order(minutes: 24) == ["inactivity.around", "inactivity.far", "inactivity.time"])
  }

  @Test("a sort breaks ties and reshuffles nothing within an hour")
  func intent() throws {
    let times = [
      request("inactivity.1", at: noon + 10 * 60_000), request("habit.1", at: noon + 50 * 60_000),
      request("inactivity.2", at: noon + 50 * 60_000), request("habit.0", at: noon + 50 * 60_000),
    ]
    let soonest = ["inactivity.1", "habit.0", "habit.1", "inactivity.2"]
    #expect(ids(try plan(times).scheduled) == soonest)
    #expect(ids(try plan(times, limit: 1).scheduled) == ["inactivity.1"])
    #expect(
      ids(try plan(times, limit: 1, policy: .priorityThenFireDate).scheduled) == ["habit.0"])
    let circles = [try region("inactivity.r", north: 0.1), try region("habit.r", north: 0.1)]
    #expect(ids(try plan(circles, location: here).scheduled) == ["habit.r", "inactivity.r"])
    let far = [try region("inactivity.r", north: 0.1), try region("habit.r", north: 0.2)]
    #expect(ids(try plan(far, location: here).scheduled) == ["inactivity.r", "habit.r"])
  }

  @Test("quotas that are larger than any phone shrink in proportion too")
  func enormousQuotas() throws {
    let times = ["habit", "depletion"].flatMap { kind in
      (0..<64).map { request("\(kind).\($0)", at: noon + oneDay + Int64($0) * 1000) }
    }
    let plan = try plan(
      times, policy: .quotas(["habit": .max, "depletion": .max, "onboarding": -5]))
    let byKind = Dictionary(grouping: plan.scheduled, by: \.kind.name).mapValues(\.count)
    #expect(byKind == ["habit": 32, "depletion": 32])
  }

  @Test("of several with one identifier the first counts")
  func replaced() throws {
    let plan = try plan([
      request("habit.1", at: noon + oneDay), request("habit.1", at: noon + 2 * oneDay),
    ])
    #expect(plan.scheduled.map(\.nextFire) == [.at(noon + oneDay)])
    #expect(plan.purged.map(\.reason) == [.replaced])
  }

  @Test("unknown kinds never push out known ones at the same instant")
  func unknown() throws {
    let plan = try plan(
      [request("new.1", at: noon + oneDay), request("inactivity.1", at: noon + oneDay)], limit: 1)
    #expect(ids(plan.scheduled) == ["inactivity.1"])
    #expect(plan.waiting.first?.kind == .unknown)
  }

  @Test("for any requests the limits hold, nothing is lost, and the order does not matter")
  func properties() throws {
    var random = SplitMix64(seed: 64)
    for round in 0..<150 {
      let (requests, policy) = try randomRequests(&random)
      let occupied = NotificationBudget.Occupancy(total: round % 9, regions: round % 4)
      let first = try plan(requests, policy: policy, location: here, occupied: occupied)
      let second = try plan(
        requests.shuffled(using: &random), policy: policy, location: here, occupied: occupied)
      #expect(first == second)
      let pending = first.scheduled.filter { $0.nextFire != .immediately }
      #expect(pending.count <= 64 - occupied.total)
      #expect(pending.count { $0.nextFire == .atCrossing } <= 20 - occupied.regions)
      #expect(first.waiting.allSatisfy { $0.displacedBy != nil || pending.isEmpty })
      let all = ids(first.scheduled) + ids(first.waiting) + ids(first.purged)
      #expect(all.sorted() == requests.map(\.identifier).sorted())
      let ranks = policy == .fireDateThenPriority ? first.scheduled.map(\.nextFire) : []
      let times = ranks.compactMap { if case .at(let time) = $0 { time / 3_600_000 } else { nil } }
      #expect(times == times.sorted())
      if pending.count < 64 - occupied.total {
        #expect(first.waiting.allSatisfy { $0.nextFire == .atCrossing })
      }
    }
  }

  private func randomRequests(
    _ random: inout SplitMix64
  ) throws -> ([NotificationRequest], RankingPolicy) {
    let prefixes = ["habit.", "onboarding.", "depletion.", "inactivity.", "other."]
    let requests = try (0..<Int.random(in: 0...150, using: &random)).map { number in
      let id = (prefixes.randomElement(using: &random) ?? "") + String(number)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        return NotificationRequest(
          identifier: id, content: .init(title: id), trigger: .immediate)
      case 1...3: return try region(id, north: .random(in: -1...1, using: &random))
      default:
        var one = request(id, at: noon + Int64.random(in: -3...20, using: &random) * oneDay)
        one.askedMilliseconds = noon - 9 * oneDay
        return one
      }
    }
    let policies: [RankingPolicy] = [
      .fireDateThenPriority, .priorityThenFireDate, .quotas(["habit": 40, "depletion": 10]),
    ]
    return (requests, policies.randomElement(using: &random) ?? .fireDateThenPriority)
  }
}

@Suite("Kinds")
struct KindTests {
  @Test(
    "a prefix that begins with another is refused", arguments: ["habit.", "habit.daily.", "hab"])
  func ambiguous(prefix: String) throws {
    var kinds = try seedKinds()
    #expect(throws: KindRegistryError.ambiguousPrefix(prefix, other: "habit.")) {
      try kinds.register(NotificationKind(name: "more", prefix: prefix, priority: 1))
    }
    #expect(kinds.kinds.count == 4)
  }

  @Test("an identifier without a known prefix is unknown, the least important")
  func unknown() throws {
    #expect(try seedKinds().kind(ofIdentifier: "habi") == .unknown)
    #expect(NotificationKind.unknown.priority == 99)
  }

  @Test("a kind moves by its tap rate only with confidence, and never past its bounds")
  func tapRates() throws {
    var rates = TapRates()
    let kinds = try seedKinds()
    func note(_ id: String, shown: Int, tapped: Int) {
      rates.record(kind: kinds.kind(ofIdentifier: id), shown: shown, tapped: tapped)
    }
    note("habit.", shown: 200, tapped: 2)
    note("onboarding.", shown: 200, tapped: 150)
    note("depletion.", shown: 49, tapped: 49)
    note("inactivity.", shown: 200, tapped: 180)
    let adapted = rates.adapting(kinds).kinds.map(\.priority)
    // User-set stays, onboarding is at its bound, depletion has too few observations, inactivity moves up.
    #expect(adapted == [0, 1, 2, 2])
    note("onboarding.", shown: 800, tapped: 0)
    #expect(rates.adapting(kinds).kinds[1].priority == 2)
  }
}
