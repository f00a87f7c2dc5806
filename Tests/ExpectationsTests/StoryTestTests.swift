import FencepostSession
import FencepostExpectations
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import Testing

@Suite("An app's story tests")
struct StoryTestTests {
  /// Two stories on a street: the walk enters them after 150 m and 550 m, at 1.4 m/s.
  private static let stories = [
    Place(id: "gate", title: "City Gate", coordinate: coordinate(east: 200), radiusMeters: 50),
    Place(
      id: "mill", title: "Old Mill", coordinate: coordinate(east: 600), radiusMeters: 50,
      expiresMilliseconds: start - 1),
    Place(id: "far", coordinate: coordinate(east: 50_000)),
  ]

  /// 2026-03-04T17:00:00Z.
  private static let start: Int64 = 1_772_643_600_000

  private static let walk = (0...700).map { second in
    Fix(
      coordinate: coordinate(east: 1.4 * Double(second)),
      timeMilliseconds: start + Int64(second) * 1000)
  }

  private static func coordinate(east meters: Double) -> Coordinate {
    Geodesic.direct(
      from: Coordinate(latitudeDegrees: 40, longitudeDegrees: -75), azimuthDegrees: 90,
      distanceMeters: meters)
  }

  private func failure(_ expectations: [StoryExpectation], on phone: TestPhone? = nil) -> String {
    do {
      try expectStories(Self.stories, fixes: Self.walk, phone: phone, expectations)
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  @Test("pass what happens")
  func passes() throws {
    let minute = Self.start + 60_000...Self.start + 120_000
    try expectStories(
      Self.stories, fixes: Self.walk,
      [
        .alert("gate", betweenMilliseconds: minute, withinMeters: 51), .noAlert("far"),
        .suppressed("mill", .expired), .suppressed("Old Mill"), .atMost(1), .atLeast(1),
      ])
    var rules = TrackSessionOptions()
    rules.monitoring.refresh = .adaptive
    try expectStories(Self.stories, fixes: Self.walk, rules: rules, [.certified])
  }

  @Test("fail with what was expected, what was found, and why")
  func fails() {
    let held = failure([.alert("gate"), .alert("mill")])
    #expect(
      held.hasPrefix(
        "Expected mill to alert, found no alert. The walk entered the circle of Old Mill at "))
    #expect(held.contains("but the rules held the alert back. The story had expired: "))
    #expect(held.hasSuffix("With dates that include the walk, it would not be held back."))
    #expect(!held.contains("\n"))
    let both = failure([.noAlert("City Gate"), .atMost(0)]).split(separator: "\n")
    #expect(both.count == 2)
    #expect(both[0].hasPrefix("Expected City Gate not to alert, found gate at 17:01:47."))
    #expect(both[1] == "Expected at most 0 alerts per walk, found 1 alert: gate at 17:01:47.")
  }

  @Test(
    "fail where one bound is not met",
    arguments: [
      .alert("gate", betweenMilliseconds: start...start + 60_000), .alert("gate", withinMeters: 20),
      .suppressed("mill", .cooldown), .atLeast(2), .order(["far", "gate"]), .certified,
      .noAlert("nowhere"),
    ] as [StoryExpectation])
  func bounds(expectation: StoryExpectation) {
    #expect(failure([expectation]).hasPrefix("Expected \(expectation), found "))
  }

  @Test("say how likely an alert is on a phone", arguments: [TestPhone.iphone, .android])
  func phones(phone: TestPhone) throws {
    try expectStories(
      Self.stories, fixes: Self.walk, phone: phone,
      [.alert("gate"), .alert("gate", onShareOfPhones: 0.5), .noAlert("far")])
    let never = failure([.alert("far", onShareOfPhones: 0.25)], on: phone)
    #expect(
      never.hasPrefix(
        "Expected far to alert with probability >= 0.25, found 0 % of 200 simulations alerted ("))
    #expect(
      failure([.alert("gate", onShareOfPhones: 0.5)]).hasPrefix(
        "Expected gate to alert with probability >= 0.5, found no simulated phone."))
  }

  @Test("refuse a walk without fixes, and places that cannot be used")
  func faults() {
    #expect(throws: UnmetExpectations.self) { try expectStories(Self.stories, fixes: [], []) }
    #expect(throws: PlaceIndexError.self) {
      try expectStories(Self.stories + Self.stories, fixes: Self.walk, [.atMost(1)])
    }
  }
}
