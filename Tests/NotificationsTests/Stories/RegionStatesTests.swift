import FencepostGeodesy
import FencepostNotifications
import Testing

@Suite("The regions of a monitor that reports states")
struct RegionStatesTests {
  private let region = PhoneRegion(
    identifier: "a", center: Coordinate(latitudeDegrees: 39.95, longitudeDegrees: -75.16),
    radiusMeters: 100)

  @Test("change from outside to inside is an entry, and back an exit")
  func crossings() {
    var states = RegionStates()
    states.add(region)
    #expect(
      states.record(.outside, of: "a", atMilliseconds: 1)
        == .found(identifier: "a", isInside: false, timeMilliseconds: 1))
    #expect(
      states.record(.inside, of: "a", atMilliseconds: 2)
        == .entered(identifier: "a", timeMilliseconds: 2))
    #expect(states.isInside("a") == true)
    #expect(
      states.record(.outside, of: "a", atMilliseconds: 3)
        == .left(identifier: "a", timeMilliseconds: 3))
  }

  @Test("ignore a state that is delivered again after the next one")
  func repeated() {
    var states = RegionStates()
    states.add(region, .outside, atMilliseconds: 1)
    _ = states.record(.inside, of: "a", atMilliseconds: 5)
    _ = states.record(.outside, of: "a", atMilliseconds: 9)
    #expect(states.record(.inside, of: "a", atMilliseconds: 5) == nil)
    #expect(states.isInside("a") == false)
  }

  @Test("say once that a region is no longer monitored, and know no others")
  func unmonitored() {
    var states = RegionStates()
    states.add(region, .inside)
    #expect(states.record(.unknown, of: "a", atMilliseconds: 1) == nil)
    #expect(
      states.record(.unmonitored, of: "a", atMilliseconds: 2)
        == .regionFailed(
          identifier: "a", reason: "the system has stopped monitoring it"))
    #expect(states.record(.inside, of: "a", atMilliseconds: 3) == nil)
    #expect(states.regions.isEmpty && !states.remove("a"))
  }
}
