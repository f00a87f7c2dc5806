import Foundation
import FencepostLive
import TestSupport
import Testing

@Suite("A schedule of deliveries")
struct DeliveryScheduleTests {
  private static let down = DeliveryFailure(reason: "no answer", kind: "no answer")
  private static let bad = DeliveryFailure(reason: "400", kind: "400", isOfDelivery: true)

  /// A schedule whose pauses have their full length.
  private static func schedule(
    capacity: Int = 100, deadline: Int64? = nil
  ) -> DeliverySchedule {
    DeliverySchedule(
      rule: DeliverySchedule.Rule(
        capacity: capacity, deadlineMilliseconds: deadline, share: { 1 }))
  }

  private static func deliveries(
    _ numbers: some Sequence<Int>, since: Int64? = nil
  ) -> [OwedDelivery] {
    numbers.map {
      OwedDelivery(
        sequence: $0, sink: .webhook, line: Data(), fields: [:], runMilliseconds: since)
    }
  }

  /// The number of the next delivery; nil if none is due.
  private static func next(_ schedule: inout DeliverySchedule, at now: Int64) -> Int? {
    guard case .deliver(let delivery) = schedule.next(now: now) else { return nil }
    return delivery.sequence
  }

  @Test("delivers in order")
  func order() {
    var schedule = Self.schedule()
    #expect(schedule.add(Self.deliveries(0..<3), now: 0, runMilliseconds: 0).isEmpty)
    for number in 0..<3 {
      #expect(Self.next(&schedule, at: 0) == number)
      schedule.noteSettled()
    }
    #expect(schedule.next(now: 0) == .rest)
    #expect(schedule.count == 0)
  }

  @Test(
    "makes all wait behind the first while the sink is down, with growing pauses up to a minute")
  func sinkIsDown() {
    var schedule = Self.schedule()
    _ = schedule.add(Self.deliveries(0..<2), now: 0, runMilliseconds: 0)
    var now: Int64 = 0
    var pauses: [Int64] = []
    for _ in 0..<10 {
      #expect(Self.next(&schedule, at: now) == 0)
      #expect(schedule.noteFailure(Self.down, now: now).isEmpty)
      guard case .wait(let until) = schedule.next(now: now) else {
        Issue.record("it does not wait")
        return
      }
      #expect(Self.next(&schedule, at: until - 1) == nil)
      pauses.append(until - now)
      now = until
    }
    #expect(
      pauses == [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    #expect(Self.next(&schedule, at: now) == 0)
    schedule.noteSettled()
    #expect(Self.next(&schedule, at: now) == 1)
    // Success makes pauses short again.
    _ = schedule.noteFailure(Self.down, now: now)
    #expect(schedule.next(now: now) == .wait(untilMilliseconds: now + 500))
  }

  @Test("lets later deliveries overtake one that may be at fault, and returns to it")
  func oneIsAtFault() {
    var schedule = Self.schedule()
    _ = schedule.add(Self.deliveries(0..<3), now: 0, runMilliseconds: 0)
    #expect(Self.next(&schedule, at: 0) == 0)
    _ = schedule.noteFailure(Self.bad, now: 0)
    for number in 1..<3 {
      #expect(Self.next(&schedule, at: 500) == number)
      schedule.noteSettled()
    }
    var now: Int64 = 500
    for pause: Int64 in [500, 1000, 2000, 4000] {
      #expect(Self.next(&schedule, at: now) == 0)
      _ = schedule.noteFailure(Self.bad, now: now)
      #expect(schedule.next(now: now) == .wait(untilMilliseconds: now + pause))
      now += pause
    }
    // A new delivery waits less than a refused one.
    _ = schedule.add(Self.deliveries(3..<4), now: now - 3000, runMilliseconds: 0)
    #expect(Self.next(&schedule, at: now - 3000) == 3)
    schedule.noteSettled()
    #expect(schedule.count == 1)
  }

  @Test("gives up deliveries past their deadline, but never without an attempt")
  func deadline() {
    var schedule = Self.schedule(deadline: 10_000)
    // Owed for an hour, as from before a restart.
    _ = schedule.add(
      Self.deliveries(0..<1, since: 1_000_000), now: 0, runMilliseconds: 1_000_000 + 3_600_000)
    _ = schedule.add(Self.deliveries(1..<3, since: 5_000_000), now: 0, runMilliseconds: 5_000_000)
    #expect(Self.next(&schedule, at: 0) == 0)
    #expect(schedule.noteFailure(Self.down, now: 0).map(\.sequence) == [0])
    #expect(Self.next(&schedule, at: 9_999) == 1)
    #expect(schedule.noteFailure(Self.down, now: 9_999).isEmpty)
    // All past their deadline, since the whole sink fails.
    #expect(Self.next(&schedule, at: 20_000) == 1)
    #expect(schedule.noteFailure(Self.down, now: 20_000).map(\.sequence) == [1, 2])
    #expect(schedule.next(now: 20_000) == .rest)
  }

  @Test("tries each delivery that may be at fault before giving it up")
  func deadlineOfOne() {
    var schedule = Self.schedule(deadline: 1000)
    _ = schedule.add(Self.deliveries(0..<3), now: 0, runMilliseconds: 0)
    var abandoned: [Int] = []
    for step in 0..<3 {
      let now = Int64(2000 + 1000 * step)
      #expect(Self.next(&schedule, at: now) == step)
      abandoned += schedule.noteFailure(Self.bad, now: now).map(\.sequence)
      #expect(abandoned == Array(0...step))
    }
  }

  @Test(
    "counts only the time that the session ran, whatever clocks say and however long it was off")
  func age() {
    let day: Int64 = 86_400_000
    // The state had been saved 6 s after the alert, or 4 s before it.
    for (saved, age): (Int64, Int64) in [(10_000, 6000), (0, 0)] {
      var schedule = Self.schedule(deadline: day)
      _ = schedule.add(Self.deliveries(0..<1, since: 4000), now: 50, runMilliseconds: saved)
      #expect(Self.next(&schedule, at: 50) == 0)
      #expect(schedule.noteFailure(Self.down, now: 50).isEmpty)
      #expect(Self.next(&schedule, at: 49 + day - age) == 0)
      #expect(schedule.noteFailure(Self.down, now: 49 + day - age).isEmpty)
      #expect(Self.next(&schedule, at: 120_000 + day) == 0)
      #expect(schedule.noteFailure(Self.down, now: 120_000 + day).map(\.sequence) == [0])
    }
  }

  @Test(
    "pauses as long as the sink asks, but tries once more at the deadline",
    arguments: [
      (3000, 3000), (100, 500), (9_000_000, 10_000), (Int64.max, 10_000),
    ] as [(Int64, Int64)])
  func retryAfter(asked: Int64, paused: Int64) {
    for isOfDelivery in [false, true] {
      var schedule = Self.schedule(deadline: 10_000)
      _ = schedule.add(Self.deliveries(0..<2), now: 0, runMilliseconds: 0)
      #expect(Self.next(&schedule, at: 0) == 0)
      let failure = DeliveryFailure(
        reason: "429", kind: "429", isOfDelivery: isOfDelivery, retryAfterMilliseconds: asked)
      #expect(schedule.noteFailure(failure, now: 0).isEmpty)
      // The sink's request holds for everything that waits.
      #expect(schedule.next(now: 0) == .wait(untilMilliseconds: paused))
    }
  }

  @Test("pauses for ten minutes at most, whatever the sink asks", arguments: [nil, 86_400_000])
  func endlessPause(deadline: Int64?) {
    var schedule = Self.schedule(deadline: deadline)
    _ = schedule.add(Self.deliveries(0..<1), now: 0, runMilliseconds: 0)
    #expect(Self.next(&schedule, at: 0) == 0)
    let failure = DeliveryFailure(
      reason: "429", kind: "429", retryAfterMilliseconds: .max)
    _ = schedule.noteFailure(failure, now: 0)
    #expect(schedule.next(now: 0) == .wait(untilMilliseconds: 600_000))
    #expect(schedule.askedPauseEndMilliseconds == 600_000)
  }

  @Test("drops the oldest when full, refused ones included")
  func room() {
    var schedule = Self.schedule(capacity: 3)
    #expect(
      schedule.add(Self.deliveries(0..<5), now: 0, runMilliseconds: 0).map(\.sequence) == [0, 1])
    #expect(Self.next(&schedule, at: 0) == 2)
    _ = schedule.noteFailure(Self.bad, now: 0)
    #expect(schedule.add(Self.deliveries(5..<6), now: 0, runMilliseconds: 0).map(\.sequence) == [2])
    #expect(schedule.owed.map(\.sequence) == [3, 4, 5])
    // A delivery under way is not dropped.
    #expect(Self.next(&schedule, at: 500) == 3)
    #expect(schedule.add(Self.deliveries(6..<8), now: 0, runMilliseconds: 0).map(\.sequence) == [4])
    #expect(schedule.owed.map(\.sequence) == [3, 5, 6, 7])
  }

  @Test("repeats an unfinished delivery first")
  func unfinished() {
    var schedule = Self.schedule()
    _ = schedule.add(Self.deliveries(0..<2), now: 0, runMilliseconds: 0)
    #expect(Self.next(&schedule, at: 0) == 0)
    schedule.noteUnfinished()
    #expect(schedule.count == 2)
    #expect(Self.next(&schedule, at: 0) == 0)
  }

  @Test("retries at once before the end, unless the sink asked for the pause")
  func hasten() {
    for asked in [nil, Int64(60_000)] {
      var schedule = Self.schedule()
      _ = schedule.add(Self.deliveries(0..<1), now: 0, runMilliseconds: 0)
      #expect(Self.next(&schedule, at: 0) == 0)
      let failure = DeliveryFailure(
        reason: "503", kind: "503", retryAfterMilliseconds: asked)
      _ = schedule.noteFailure(failure, now: 0)
      schedule.hasten()
      #expect(Self.next(&schedule, at: 1) == (asked == nil ? 0 : nil))
    }
  }

  @Test("delivers each exactly once despite failures, and none too early")
  func random() {
    for seed in 0..<200 {
      var generator = SplitMix64(seed: UInt64(seed))
      var schedule = Self.schedule()
      var now: Int64 = 0
      var added = 0
      var delivered: [Int] = []
      while delivered.count < 40 {
        if added < 40, generator.next() % 3 == 0 {
          _ = schedule.add(Self.deliveries(added..<added + 1), now: now, runMilliseconds: now)
          added += 1
        }
        switch schedule.next(now: now) {
        case .rest: now += 10
        case .wait(let until):
          #expect(until > now)
          now = generator.next() % 2 == 0 ? until : now + 10
        case .deliver(let delivery):
          switch generator.next() % 4 {
          case 0: _ = schedule.noteFailure(Self.down, now: now)
          case 1: _ = schedule.noteFailure(Self.bad, now: now)
          case 2: schedule.noteUnfinished()
          default:
            delivered.append(delivery.sequence)
            schedule.noteSettled()
          }
        }
        #expect(schedule.count == added - delivered.count)
      }
      #expect(delivered.sorted() == Array(0..<40))
    }
  }
}
