import FencepostTime
import Testing

@Suite("Zones")
struct ClockZoneTests {
  @Test(
    "a fixed offset is read and written",
    arguments: [("Z", 0), ("+03:00", 10800), ("-0930", -34200), ("+00:00", 0), ("-18:00", -64800)])
  func fixedOffset(text: String, seconds: Int) throws {
    let zone = try #require(ClockZone(identifier: text))
    #expect(zone.offsetSeconds(atMilliseconds: 0) == Int64(seconds))
    #expect(ClockZone(identifier: zone.identifier) == zone)
  }

  @Test(
    "an unknown zone is refused",
    arguments: [
      "", "Nowhere/Nothing", "EST", "+19:00", "+3", "local", "+03:60", "America/new york",
    ])
  func unknown(text: String) {
    #expect(ClockZone(identifier: text) == nil)
  }

  @Test("a named zone follows its daylight-saving time")
  func daylightSaving() throws {
    let london = try #require(ClockZone(identifier: "Europe/London"))
    // The clocks went forward on 2026-03-29 at 01:00 UTC.
    #expect(london.offsetSeconds(atMilliseconds: 1_774_745_999_999) == 0)
    #expect(london.offsetSeconds(atMilliseconds: 1_774_746_000_000) == 3600)
  }
}
