import Foundation
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import TestSupport
import Testing

private let day: Int64 = 86_400_000
private let here = Coordinate(latitudeDegrees: 39.949612, longitudeDegrees: -75.150334)
private let there = Coordinate(latitudeDegrees: 39.952, longitudeDegrees: -75.1636)

private func enter(
  _ id: String = "hall", at time: Int64? = noon, center: Coordinate = here,
  speed: Double = .nan, priority: Int = 0, published: Int64? = nil, expires: Int64? = nil
) -> AlertEntry {
  let place = Place(
    id: id, priority: priority, coordinate: center, publishedMilliseconds: published,
    expiresMilliseconds: expires)
  return AlertEntry(place, timeMilliseconds: time, speedMetersPerSecond: speed)
}

extension AlertPolicy {
  /// Decides about entries.
  fileprivate mutating func decisions(_ entries: [AlertEntry]) -> [AlertDecision] {
    decide(entries).map(\.decision)
  }

  /// The checks by which the policy would decide about the last of some entries now.
  fileprivate func checks(_ entries: [AlertEntry]) throws -> [AlertCheck] {
    var copy = self
    copy.explains = true
    return try #require(copy.decide(entries).last).checks
  }
}

private func alert(_ delivery: Int64?, _ group: [String] = []) -> AlertDecision {
  .alert(deliveryMilliseconds: delivery, group: group)
}

/// Places far enough apart to be different spots.
private func spot(_ number: Int) -> Coordinate {
  Coordinate(latitudeDegrees: 39.9 + Double(number) * 0.001, longitudeDegrees: -75.15)
}

@Suite("Which enters alert")
struct AlertPolicyTests {
  @Test("a first enter alerts at its own time")
  func firstEnter() {
    var policy = AlertPolicy()
    #expect(policy.decisions([enter()]) == [alert(noon)])
  }

  @Test(
    "a place alerts from its publication up to, not including, its expiry",
    arguments: [
      (noon - 1, AlertDecision.suppressed(.notPublished)), (noon, alert(noon)),
      (noon + 999, alert(noon + 999)), (noon + 1000, .suppressed(.expired)),
    ])
  func validity(time: Int64, expected: AlertDecision) {
    var policy = AlertPolicy()
    let decision = policy.decisions([enter(at: time, published: noon, expires: noon + 1000)])
    #expect(decision == [expected])
  }

  @Test(
    "quiet hours follow the local clock and run over midnight",
    arguments: [
      ("21:59:59", false), ("22:00:00", true), ("00:00:00", true), ("06:59:59", true),
      ("07:00:00", false), ("12:00:00", false),
    ])
  func quietHours(local: String, isQuiet: Bool) throws {
    let zone = try #require(ClockZone(identifier: "America/New_York"))
    let start = try #require(TimeOfDay("22:00"))
    let end = try #require(TimeOfDay("07:00"))
    let hours = try #require(QuietHours(start: start, end: end, zone: zone))
    var policy = AlertPolicy(options: .init(quietHours: hours))
    let seconds = try #require(TimeOfDay(local)).secondOfDay
    // New York was five hours behind UTC on that day.
    let time = noon - 12 * 3_600_000 + 5 * 3_600_000 + Int64(seconds) * 1000
    #expect(
      policy.decisions([enter(at: time)]) == [isQuiet ? .suppressed(.quietHours) : alert(time)])
  }

  @Test("quiet hours of no length are refused, as they could mean always")
  func emptyQuietHours() throws {
    let time = try #require(TimeOfDay("22:00"))
    #expect(QuietHours(start: time, end: time, zone: .utc) == nil)
  }

  @Test("above the speed limit nothing alerts, at the limit it does")
  func driving() {
    var policy = AlertPolicy(options: .init(maxAlertSpeedMetersPerSecond: 6))
    #expect(policy.decisions([enter(speed: 6)]) == [alert(noon)])
    #expect(
      policy.decisions([enter("other", at: noon + 1, speed: 6.01)]) == [.suppressed(.driving)])
  }

  @Test("within two minutes after driving nothing alerts")
  func drivingMemory() {
    var policy = AlertPolicy(options: .init(maxAlertSpeedMetersPerSecond: 6))
    policy.observe(speedMetersPerSecond: 20, atMilliseconds: noon)
    policy.observe(speedMetersPerSecond: 1, atMilliseconds: noon + 1000)
    #expect(
      policy.decisions([enter(at: noon + 119_999, speed: 1)]) == [.suppressed(.driving)])
    #expect(policy.decisions([enter(at: noon + 120_000, speed: 1)]) == [alert(noon + 120_000)])
  }

  @Test("an unknown speed is no reason to stay silent")
  func unknownSpeed() {
    var policy = AlertPolicy(options: .init(maxAlertSpeedMetersPerSecond: 6))
    #expect(policy.decisions([enter(speed: .nan)]) == [alert(noon)])
  }

  @Test("a place is silent for seven days after its alert, to the millisecond")
  func cooldown() {
    var policy = AlertPolicy()
    #expect(policy.decisions([enter()]) == [alert(noon)])
    let end = noon + 7 * day
    #expect(policy.decisions([enter(at: end - 1)]) == [.suppressed(.cooldown)])
    #expect(policy.decisions([enter(at: end)]) == [alert(end)])
  }

  @Test("a suppressed enter does not use up the cooldown")
  func suppressionKeepsCooldown() {
    var policy = AlertPolicy(options: .init(maxAlertSpeedMetersPerSecond: 6))
    #expect(policy.decisions([enter(speed: 30)]) == [.suppressed(.driving)])
    let later = noon + 600_000
    #expect(policy.decisions([enter(at: later, speed: 1)]) == [alert(later)])
    #expect(policy.decisions([enter(at: later + 1, speed: 1)]) == [.suppressed(.cooldown)])
    // The cooldown runs since the alert, not since the enter that it suppressed.
    let end = later + 7 * day
    #expect(policy.decisions([enter(at: end, speed: 1)]) == [alert(end)])
  }

  @Test("parts of a file that are out of order do not alert twice within a cooldown")
  func cooldownBackwards() {
    var policy = AlertPolicy()
    #expect(policy.decisions([enter()]) == [alert(noon)])
    #expect(policy.decisions([enter(at: noon - day)]) == [.suppressed(.cooldown)])
    #expect(policy.decisions([enter(at: noon - 7 * day)]) == [alert(noon - 7 * day)])
  }

  @Test("without time a cooldown of days does not apply, for ever still means once")
  func withoutTime() {
    var daily = AlertPolicy()
    #expect(daily.decisions([enter(at: nil)]) == [alert(nil)])
    #expect(daily.decisions([enter(at: nil)]) == [alert(nil)])
    var once = AlertPolicy(options: .init(cooldown: .forever))
    #expect(once.decisions([enter(at: nil)]) == [alert(nil)])
    #expect(once.decisions([enter(at: nil)]) == [.suppressed(.cooldown)])
    #expect(once.decisions([enter(at: noon)]) == [.suppressed(.cooldown)])
  }

  @Test("without time validity and quiet hours do not apply")
  func rulesOfTimeWithoutTime() throws {
    let start = try #require(TimeOfDay("00:00"))
    let end = try #require(TimeOfDay("23:59:59"))
    let hours = QuietHours(start: start, end: end, zone: .utc)
    var policy = AlertPolicy(options: .init(quietHours: hours))
    #expect(policy.decisions([enter(at: nil, published: noon, expires: noon)]) == [alert(nil)])
  }

  @Test("places at one spot are one alert, which the most important place speaks for")
  func grouping() {
    var policy = AlertPolicy()
    // 0.000008 degrees of latitude are 0.9 m.
    let beside = Coordinate(latitudeDegrees: 39.949620, longitudeDegrees: -75.150334)
    let decisions = policy.decisions([
      enter("a", priority: 2), enter("b", center: beside, priority: 1), enter("c", center: there),
      enter("d", priority: 2),
    ])
    #expect(
      decisions == [
        .suppressed(.grouped), alert(noon, ["a", "d"]), alert(noon), .suppressed(.grouped),
      ])
    // Those that were carried have alerted.
    #expect(policy.decisions([enter("d", at: noon + 1)]) == [.suppressed(.cooldown)])
  }

  @Test("centers more than a meter apart are two spots")
  func twoSpots() {
    var policy = AlertPolicy()
    let beside = Coordinate(latitudeDegrees: 39.949622, longitudeDegrees: -75.150334)
    #expect(
      policy.decisions([enter("a"), enter("b", center: beside)]) == [alert(noon), alert(noon)])
  }

  @Test("a place in its cooldown neither joins a group nor speaks for one")
  func groupingAfterCooldown() {
    var policy = AlertPolicy()
    _ = policy.decisions([enter("a")])
    let decisions = policy.decisions([
      enter("a", at: noon + 1), enter("b", at: noon + 1), enter("c", at: noon + 1),
    ])
    #expect(
      decisions == [.suppressed(.cooldown), alert(noon + 1, ["c"]), .suppressed(.grouped)])
  }

  @Test("two alerts a second; further ones are staggered by a second")
  func sameSecond() {
    var policy = AlertPolicy()
    let decisions = policy.decisions((0..<5).map { enter("p\($0)", center: spot($0)) })
    #expect(decisions == [0, 0, 1000, 1000, 2000].map { alert(noon + $0) })
    // The seconds that were filled ahead count for those who enter in them.
    let later = policy.decisions((5..<8).map { enter("p\($0)", at: noon + 1500, center: spot($0)) })
    #expect(later == [2500, 3500, 3500].map { alert(noon + $0) })
  }

  @Test("at one moment the more important place is shown first")
  func priorityInOneSecond() {
    var policy = AlertPolicy()
    let decisions = policy.decisions(
      (0..<3).map { enter("p\($0)", center: spot($0), priority: $0 == 2 ? 0 : 1) })
    #expect(decisions == [alert(noon), alert(noon + 1000), alert(noon)])
  }

  @Test("enters of one second in several calls share its limit")
  func sameSecondAcrossCalls() {
    var policy = AlertPolicy()
    for number in 0..<2 {
      let time = noon + Int64(number)
      #expect(
        policy.decisions([enter("p\(number)", at: time, center: spot(number))]) == [alert(time)])
    }
    #expect(policy.decisions([enter("p", at: noon + 900)]) == [alert(noon + 1900)])
  }

  @Test("without a free slot an enter is suppressed and keeps its cooldown")
  func budget() {
    var policy = AlertPolicy(options: .init(pendingSlots: 1))
    let decisions = policy.decisions((0..<4).map { enter("p\($0)", center: spot($0)) })
    #expect(decisions == [alert(noon), alert(noon), alert(noon + 1000), .suppressed(.budget)])
    let later = noon + 1000
    #expect(policy.decisions([enter("p3", at: later, center: spot(3))]) == [alert(later)])
  }

  @Test("without any slot a whole group is suppressed for the budget")
  func budgetOfGroup() {
    var policy = AlertPolicy(options: .init(pendingSlots: 0))
    #expect(
      policy.decisions([enter("a"), enter("b")]) == [.suppressed(.budget), .suppressed(.budget)])
  }

  @Test("the first rule that refuses gives the reason")
  func order() throws {
    let start = try #require(TimeOfDay("11:00"))
    let end = try #require(TimeOfDay("13:00"))
    var policy = AlertPolicy(
      options: .init(
        quietHours: QuietHours(start: start, end: end, zone: .utc),
        maxAlertSpeedMetersPerSecond: 6, pendingSlots: 0))
    let hour: Int64 = 3_600_000
    #expect(
      policy.decisions([enter(speed: 9, published: noon + 1)]) == [.suppressed(.notPublished)])
    #expect(policy.decisions([enter(speed: 9)]) == [.suppressed(.quietHours)])
    #expect(policy.decisions([enter(at: noon + hour, speed: 9)]) == [.suppressed(.driving)])
    #expect(policy.decisions([enter(at: noon + 2 * hour)]) == [.suppressed(.budget)])
  }

  @Test("reasons are words of the event lines")
  func reasonWords() {
    #expect(
      SuppressionReason.allCases.map(\.rawValue) == [
        "not-published", "expired", "quiet-hours", "driving", "cooldown", "grouped", "budget",
      ])
  }

  @Test("a state that went through JSON continues as if nothing had happened")
  func stateRoundTrip() throws {
    var random = SplitMix64(seed: 64)
    let options = AlertOptions(maxAlertSpeedMetersPerSecond: 6, pendingSlots: 3)
    var whole = AlertPolicy(options: options)
    var interrupted = AlertPolicy(options: options)
    var time = noon
    for _ in 0..<400 {
      time += Int64.random(in: 0...1500, using: &random)
      let enters = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        let number = Int.random(in: 0..<3000, using: &random)
        let speed = Double.random(in: 0...6.1, using: &random)
        return enter("p\(number)", at: time, center: spot(number / 2), speed: speed)
      }
      #expect(whole.decisions(enters) == interrupted.decisions(enters))
      let saved = try JSONEncoder().encode(interrupted.state)
      interrupted = AlertPolicy(
        options: options, state: try JSONDecoder().decode(AlertPolicy.State.self, from: saved))
      #expect(interrupted.state == whole.state)
    }
  }

  @Test("for any enters no second has more than two alerts and no place two within its cooldown")
  func limitsHold() {
    var random = SplitMix64(seed: 20)
    var policy = AlertPolicy(options: .init(cooldown: .seconds(60)))
    var time = noon
    var perSecond: [Int64: Int] = [:]
    var last: [String: Int64] = [:]
    for _ in 0..<2000 {
      time += Int64.random(in: 0...900, using: &random)
      let enters = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        let number = Int.random(in: 0..<200, using: &random)
        return enter("p\(number)", at: time, center: spot(number / 3))
      }
      let decisions = policy.decisions(enters)
      #expect(decisions.count == enters.count)
      for (one, decision) in zip(enters, decisions) {
        guard case .alert(let delivery, let group) = decision, let delivery else { continue }
        #expect(delivery >= time && (delivery - time) % 1000 == 0)
        perSecond[delivery / 1000, default: 0] += 1
        for id in [one.place.id] + group {
          if let previous = last[id] { #expect(time - previous >= 60_000) }
          last[id] = time
        }
      }
    }
    #expect(perSecond.values.max() == 2)
  }
}

@Suite("Why an enter alerts or not")
struct AlertExplanationTests {
  @Test("a decision names every rule in order")
  func everyRule() throws {
    let checks = try AlertPolicy().checks([enter()])
    #expect(checks.map(\.rule) == AlertCheck.Rule.allCases)
  }

  @Test("a decision is the same, and names no rule, if nobody asks why")
  func noChecks() throws {
    let entries = [enter(), enter("b"), enter("b", at: noon + 1)]
    var (plain, explaining) = (AlertPolicy(), AlertPolicy())
    explaining.explains = true
    let decided = plain.decide(entries)
    #expect(decided.map(\.decision) == explaining.decide(entries).map(\.decision))
    #expect(decided.allSatisfy { $0.checks.isEmpty })
  }

  @Test("after a refusal no rule is reached")
  func refusal() throws {
    var policy = AlertPolicy()
    _ = policy.decisions([enter()])
    let checks = try policy.checks([enter(at: noon + 1)])
    #expect(
      checks.map(\.outcome) == [
        .passed, .notApplied, .notApplied, .refused, .notReached, .notReached, .notReached,
      ])
    #expect(
      checks[3].inputs == [
        .init(name: "entered", value: .instant(noon + 1)),
        .init(name: "last-alert", value: .instant(noon)),
        .init(name: "cooldown", value: .seconds(604_800)),
      ])
  }

  @Test("a place that is carried in a group says by whom")
  func grouped() throws {
    let checks = try AlertPolicy().checks([enter("a"), enter("b")])
    #expect(checks[4].outcome == .refused)
    #expect(checks[4].inputs[1] == .init(name: "spoken-for-by", value: .place("a")))
  }

  @Test("a staggered alert says so")
  func staggered() throws {
    let checks = try AlertPolicy().checks((0..<3).map { enter("p\($0)", center: spot($0)) })
    #expect(checks[5].outcome == .delayed)
    #expect(checks[5].inputs[1] == .init(name: "delivery", value: .instant(noon + 1000)))
  }

  @Test("the checks and the decision never differ")
  func agreement() {
    var random = SplitMix64(seed: 7)
    var policy = AlertPolicy(options: .init(maxAlertSpeedMetersPerSecond: 6, pendingSlots: 2))
    policy.explains = true
    var time = noon
    for _ in 0..<500 {
      time += Int64.random(in: 0...700, using: &random)
      let enters = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        let number = Int.random(in: 0..<500, using: &random)
        let speed = Double.random(in: 0...6.2, using: &random)
        return enter(
          "p\(number)", at: time, center: spot(number / 2), speed: speed, priority: number % 3)
      }
      for entry in policy.decide(enters) {
        #expect(entry.checks.map(\.rule) == AlertCheck.Rule.allCases)
        #expect(entry.isAlert == entry.checks.allSatisfy { $0.outcome != .refused })
      }
    }
  }
}
