import Foundation
import FencepostNotifications
import Testing

@Suite("Files of the time zone database")
struct ZoneFileTests {
  /// Zones whose rules have all forms: both hemispheres, negative summer time, changes at odd hours
  /// and before midnight, no summer time, and names in brackets.
  private static let zones = [
    "America/New_York", "Europe/Dublin", "Australia/Lord_Howe", "America/Santiago", "Asia/Gaza",
    "America/Nuuk", "Africa/Casablanca", "Asia/Kathmandu", "Pacific/Apia", "Europe/Chisinau",
    "Antarctica/Troll", "America/Havana", "Asia/Tehran", "Pacific/Kiritimati", "Africa/Monrovia",
  ]

  @Test("a file gives the offsets of Foundation's zone from 1970 to 2100", arguments: zones)
  func offsets(name: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/" + name))
    let file = try #require(ZoneFile(Array(bytes)))
    let zone = try #require(TimeZone(identifier: name))
    var different: [Int64] = []
    for seconds in stride(from: Int64(0), to: 4_102_444_800, by: 5 * 3600 + 7) {
      let date = Date(timeIntervalSince1970: Double(seconds))
      if file.offsetSeconds(at: seconds) != Int64(zone.secondsFromGMT(for: date)) {
        different.append(seconds)
      }
    }
    #expect(different.count == 0, "first at \(different.first ?? 0)")
  }

  @Test("a file that is cut off anywhere is refused or read, never more")
  func damaged() throws {
    let path = "/usr/share/zoneinfo/Europe/Berlin"
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for count in 0..<bytes.count { _ = ZoneFile(Array(bytes.prefix(count)))?.offsetSeconds(at: 0) }
    #expect(ZoneFile([]) == nil)
    #expect(ZoneFile(Array(bytes.prefix(100))) == nil)
  }
}
