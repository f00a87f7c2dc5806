import FencepostNotifications
import TestSupport
import Testing

/// A request as a plain list would have it.
private struct Due {
  var identifier: String
  var kind: NotificationKind
  /// In seconds since 1970, before and after staggering.
  var second: Int64
  var movedSecond: Int64

  /// The rank, the lowest first; a priority only breaks ties, unless it is the policy.
  func rank(_ policy: RankingPolicy) -> (Int64, Int64) {
    let priority = Int64(kind.priority)
    return policy == .priorityThenFireDate ? (priority, second) : (second, priority)
  }
}

/// Reminders with one time each, many of them in the same second.
private struct CrowdedReminders {
  var random: SplitMix64
  let kinds: KindRegistry

  mutating func document() throws -> ReminderDocument {
    let prefixes = kinds.kinds.map(\.prefix) + ["other."]
    let crowded = (0..<20).map { _ in minute() }
    let count = Int.random(in: 1...900, using: &random)
    var reminders: [Reminder] = []
    for number in 0..<count {
      let id = prefixes[Int.random(in: 0..<prefixes.count, using: &random)] + "\(number)"
      let minute = Bool.random(using: &random) ? crowded[number % crowded.count] : minute()
      let local = LocalTime(atMilliseconds: noon + minute * 60_000, in: .utc)
      reminders.append(
        Reminder(
          id: id, content: NotificationContent(title: id), schedule: .at([local], anchor: .floating)
        ))
    }
    return ReminderDocument(
      reminders: reminders, kinds: kinds, quotas: ["habit": 20, "depletion": 5, "inactivity": 10])
  }

  /// A minute of two weeks, but not of the first minutes of an hour, in which plans are made.
  private mutating func minute() -> Int64 {
    Int64.random(in: 0..<336, using: &random) * 60 + Int64.random(in: 5..<50, using: &random)
  }
}

@Suite("Plans of many reminders")
struct PlanRankingTests {
  /// What a plan must consider, staggered second by second and sorted by rank.
  private func ranked(
    _ document: ReminderDocument, after start: Int64, before end: Int64, _ policy: RankingPolicy
  ) -> [Due] {
    var all: [Due] = []
    for reminder in document.reminders {
      let kind = document.kinds.kind(ofIdentifier: reminder.id)
      for one in reminder.occurrences(after: start, before: end, in: .utc, askedMilliseconds: start)
      {
        let second = one.dueMilliseconds / 1000
        all.append(
          Due(
            identifier: "\(reminder.id)@\(one.local)", kind: kind, second: second,
            movedSecond: second))
      }
    }
    all.sort { ($0.kind.priority, $0.identifier) < ($1.kind.priority, $1.identifier) }
    var counts: [Int64: Int] = [:]
    for index in all.indices {
      while counts[all[index].movedSecond, default: 0] == 2 { all[index].movedSecond += 1 }
      counts[all[index].movedSecond, default: 0] += 1
    }
    return all.sorted {
      let (one, other) = ($0.rank(policy), $1.rank(policy))
      return one == other ? $0.identifier < $1.identifier : one < other
    }
  }

  /// The first 64, or those that the quotas of the kinds admit and then the others.
  private func chosen(from ranked: [Due], _ policy: RankingPolicy) -> [Due] {
    guard case .quotas(let quotas) = policy else { return Array(ranked.prefix(64)) }
    var left = quotas
    var rest = 64 - quotas.values.reduce(0, +)
    var (first, others): ([Due], [Due]) = ([], [])
    for due in ranked {
      let name = due.kind.name
      if (left[name] ?? rest) > 0 {
        if left[name] == nil { rest -= 1 } else { left[name, default: 0] -= 1 }
        first.append(due)
      } else {
        others.append(due)
      }
    }
    return first + others.prefix(64 - first.count)
  }

  @Test("A plan holds what a plain sort puts first, and the rest waits in order", arguments: 0..<18)
  func ranking(seed: UInt64) throws {
    var source = CrowdedReminders(random: SplitMix64(seed: seed), kinds: try seedKinds())
    let document = try source.document()
    let policies = [
      RankingPolicy.fireDateThenPriority, .priorityThenFireDate, .quotas(document.quotas),
    ]
    let policy = policies[Int(seed) % 3]
    var options = ScheduleSimulationOptions(
      fromMilliseconds: noon, toMilliseconds: noon + 16 * oneDay)
    options.policy = policy
    let simulation = ScheduleSimulation(document: document, options: options)
    for day in [0, 1, 2, 5, 9] {
      let time = noon + Int64(day) * oneDay
      for (strategy, end) in [(ScheduleStrategy.budget, Int64.max), (.window, time + 7 * oneDay)] {
        let ranked = ranked(document, after: time, before: end, policy)
        let expected = chosen(from: ranked, policy)
        let (pending, plan) = simulation.plan(under: strategy, atMilliseconds: time)
        #expect(plan.scheduled.map(\.request.identifier) == expected.map(\.identifier))
        #expect(
          plan.scheduled.map(\.nextFire) == expected.map { .at($0.movedSecond * 1000) })
        #expect(Set(pending.map(\.identifier)) == Set(expected.map(\.identifier)))
        let names = Set(expected.map(\.identifier))
        let waiting = ranked.filter { !names.contains($0.identifier) }
        #expect(plan.waiting.map(\.request.identifier) == waiting.map(\.identifier))
        #expect(plan.waiting.map(\.nextFire) == waiting.map { .at($0.movedSecond * 1000) })
        let last = expected.last?.identifier
        #expect(plan.waiting.allSatisfy { $0.displacedBy == last && $0.reason == .overLimit })
      }
    }
  }

  @Test("Reminders of every second leave no second to which another could move")
  func everySecond() throws {
    let pattern = try CalendarPattern(second: 0)
    var requests = (0..<130).map { number in
      NotificationRequest(
        identifier: "minute.\(number)", content: NotificationContent(title: "x"),
        trigger: .calendar(pattern, repeats: true, anchor: .floating))
    }
    let single = request("single", at: noon + 600_000)
    requests.append(single)
    let staggered = SecondStagger().stagger(requests, nowMilliseconds: noon, zone: .utc)
    #expect(staggered.last == single)
  }
}
