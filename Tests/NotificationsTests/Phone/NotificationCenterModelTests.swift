import FencepostGeodesy
import FencepostNotifications
import Testing

private func phone(_ limits: NotificationLimits = .ios) -> NotificationCenterModel {
  NotificationCenterModel(limits: limits, nowMilliseconds: noon, zone: .utc)
}

private func hour(_ number: Int) -> Int64 { noon + Int64(number) * 3_600_000 }

@Suite("Simulated phone")
struct NotificationCenterModelTests {
  @Test("on overflow iOS keeps the last 64 added, and its documentation the 64 soonest")
  func retention() {
    // Added from the soonest to the latest.
    let requests = (1...100).map { request("\($0)", at: hour($0)) }
    var observed = phone(.ios)
    var documented = phone(.iosDocumented)
    var android = phone(.android)
    for request in requests {
      observed.add(request)
      documented.add(request)
      android.add(request)
    }
    #expect(observed.pending.map(\.identifier) == (37...100).map(String.init))
    #expect(documented.pending.map(\.identifier) == (1...64).map(String.init))
    #expect(android.pending.count == 100)
    #expect(observed.trace.contains { $0.happening == .droppedOnOverflow(by: "65") })
  }

  @Test("a request replaces a pending one with the same identifier")
  func replacement() {
    var phone = phone()
    phone.add(request("a", at: hour(1)))
    phone.add(request("a", at: hour(2)))
    phone.advance(toMilliseconds: hour(3))
    #expect(phone.deliveries.map(\.fireMilliseconds) == [hour(2)])
  }

  @Test("of three or more in one second two are shown")
  func sameSecond() {
    var phone = phone()
    for number in 0..<5 { phone.add(request("\(number)", at: hour(1))) }
    phone.add(request("next", at: hour(1) + 1000))
    phone.advance(toMilliseconds: hour(2))
    #expect(phone.deliveries.map(\.identifier) == ["0", "1", "next"])
    let dropped = PhoneEvent.Happening.droppedInSecond(fireMilliseconds: hour(1), by: "1")
    #expect(phone.trace.count { $0.happening == dropped } == 3)
  }

  @Test("immediate requests and circles count among those of their second")
  func sameSecondAtOnce() throws {
    var phone = phone()
    for id in ["a", "b", "c"] {
      phone.add(NotificationRequest(identifier: id, content: .init(title: ""), trigger: .immediate))
    }
    #expect(phone.deliveries.map(\.identifier) == ["a", "b"])
    phone.advance(toMilliseconds: noon + 999)
    phone.add(NotificationRequest(identifier: "d", content: .init(title: ""), trigger: .immediate))
    #expect(phone.deliveries.count == 2)
    phone.advance(toMilliseconds: noon + 1000)
    phone.add(NotificationRequest(identifier: "e", content: .init(title: ""), trigger: .immediate))
    #expect(phone.deliveries.map(\.identifier) == ["a", "b", "e"])
    let center = Coordinate(latitudeDegrees: 1, longitudeDegrees: 1)
    for id in ["f", "g"] {
      let trigger = try #require(RegionTrigger(center: center, radiusMeters: 100))
      phone.add(
        NotificationRequest(identifier: id, content: .init(title: ""), trigger: .region(trigger)))
      phone.cross(identifier: id, entering: true)
    }
    #expect(phone.deliveries.map(\.identifier) == ["a", "b", "e", "f"])
    #expect(phone.trace.last?.happening == .droppedInSecond(fireMilliseconds: noon + 1000, by: "f"))
  }

  @Test("a second in which time passes in two steps is still one second")
  func splitSecond() throws {
    var phone = phone()
    for number in 0..<4 {
      let wait = try #require(
        IntervalTrigger(milliseconds: 60_000 + Int64(number) * 200, repeats: false))
      phone.add(
        NotificationRequest(
          identifier: "\(number)", content: .init(title: ""), trigger: .interval(wait)))
    }
    phone.advance(toMilliseconds: noon + 60_300)
    phone.advance(toMilliseconds: noon + 61_000)
    #expect(phone.deliveries.map(\.identifier) == ["0", "1"])
  }

  @Test("a removed, replaced or moved request fires at most once, in its order")
  func queue() throws {
    // A phone that holds them all.
    var phone = phone(
      NotificationLimits(name: "any", totalLimit: nil, regionLimit: 20, retention: .firstAdded))
    let istanbul = try #require(ClockZone(identifier: "Europe/Istanbul"))
    for number in 0..<9000 { phone.add(request("\(number)", at: hour(1) + Int64(number) * 1000)) }
    let removed: [String] = (0..<3000).map { "\($0)" }
    phone.remove(identifiers: removed + ["unknown"])
    for number in (3000..<6000).reversed() {
      phone.add(request("\(number)", at: hour(5) + Int64(number) * 1000))
    }
    phone.travel(to: istanbul)
    phone.travel(to: .utc)
    phone.advance(toMilliseconds: hour(9))
    let shown: [String] = phone.deliveries.map(\.identifier)
    let expected: [Int] = Array(6000..<9000) + Array(3000..<6000)
    #expect(shown == expected.map { "\($0)" })
    #expect(phone.pendingCount == 0)
  }

  @Test("a past request is not retained, without an error")
  func past() {
    var phone = phone()
    phone.add(request("a", at: noon))
    #expect(phone.pending.isEmpty)
    #expect(phone.trace.map(\.happening) == [.notRetainedDead])
  }

  @Test("a floating time follows the phone, a fixed one does not")
  func travel() throws {
    var phone = phone()
    let istanbul = try #require(ClockZone(identifier: "Europe/Istanbul"))
    for (id, anchor) in [("floating", ClockAnchor.floating), ("fixed", .fixed(.utc))] {
      phone.add(
        NotificationRequest(
          identifier: id, content: .init(title: id),
          trigger: .calendar(
            try CalendarPattern(hour: 18), repeats: true, anchor: anchor)))
    }
    phone.travel(to: istanbul)
    phone.advance(toMilliseconds: hour(12))
    #expect(phone.deliveries.map(\.identifier) == ["floating", "fixed"])
    #expect(phone.deliveries.map(\.fireMilliseconds) == [hour(3), hour(6)])
  }

  @Test(
    "circles beyond the limit are not monitored", arguments: [NotificationLimits.ios, .android])
  func regions(limits: NotificationLimits) throws {
    var phone = phone(limits)
    for number in 0..<120 {
      let center = Coordinate(latitudeDegrees: Double(number) * 0.1, longitudeDegrees: 0)
      let trigger = try #require(RegionTrigger(center: center, radiusMeters: 100))
      phone.add(
        NotificationRequest(
          identifier: "\(number)", content: .init(title: ""), trigger: .region(trigger)))
    }
    #expect(phone.pending.count == limits.regionLimit)
    phone.cross(identifier: "0", entering: false)
    phone.cross(identifier: "0", entering: true)
    phone.cross(identifier: "0", entering: true)
    #expect(phone.deliveries.count == 1)
  }

  @Test("saving power delays the same deliveries by the same time in every run")
  func lowPower() {
    func run(seed: UInt64) -> [PhoneDelivery] {
      var phone = NotificationCenterModel(limits: .ios, nowMilliseconds: noon, zone: .utc)
      phone.lowPowerDelay = LowPowerDelay(longestMilliseconds: 600_000, share: 0.5, seed: seed)
      for number in 1...50 { phone.add(request("\(number)", at: hour(number))) }
      phone.advance(toMilliseconds: hour(60))
      return phone.deliveries
    }
    #expect(run(seed: 1) == run(seed: 1))
    #expect(run(seed: 1) != run(seed: 2))
    let delays = run(seed: 1).map { $0.shownMilliseconds - $0.fireMilliseconds }
    #expect(delays.contains(0) && delays.contains { $0 > 60_000 })
    #expect(delays.allSatisfy { (0..<600_000).contains($0) })
  }
}
