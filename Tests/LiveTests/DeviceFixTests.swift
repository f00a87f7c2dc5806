import FencepostFixes
import FencepostGeodesy
import FencepostLive
import Testing

@Suite("Fixes of devices in a state file")
struct DeviceFixTests {
  private static let fixes = [
    DeviceFix(
      device: "Zoë's 📱",
      fix: Fix(
        coordinate: Coordinate(latitudeDegrees: 39.9496, longitudeDegrees: -75.1503),
        timeMilliseconds: 1_772_643_600_250, segmentIndex: 3, accuracyMeters: 4.5,
        speedMetersPerSecond: 1.25, courseDegrees: 359.5)),
    DeviceFix(
      device: "a", fix: Fix(coordinate: Coordinate(latitudeDegrees: -90, longitudeDegrees: 180))),
    DeviceFix(
      device: String(repeating: "n", count: 200),
      fix: Fix(
        coordinate: Coordinate(latitudeDegrees: 0.1 + 0.2, longitudeDegrees: 1e-9),
        timeMilliseconds: -1)),
  ]

  @Test("are what they were, without the line of the post")
  func roundTrip() {
    #expect(DeviceFix.fixes(in: DeviceFix.bytes(of: Self.fixes)) == Self.fixes)
    var numbered = Self.fixes
    numbered[0].fix.line = 7
    #expect(DeviceFix.fixes(in: DeviceFix.bytes(of: numbered)) == Self.fixes)
  }

  @Test("are told from lines of JSON, which earlier versions saved")
  func text() {
    #expect(DeviceFix.fixes(in: Array(#"{"device":"a","lat":1,"lon":2}"#.utf8)) == nil)
    #expect(DeviceFix.fixes(in: []) == nil)
  }

  @Test("that are cut off are read as far as they are whole")
  func cut() {
    let bytes = DeviceFix.bytes(of: Self.fixes)
    let firstCount = DeviceFix.bytes(of: [Self.fixes[0]]).count
    for count in 1..<bytes.count {
      let fixes = DeviceFix.fixes(in: Array(bytes[..<count])) ?? []
      #expect(fixes == Array(Self.fixes.prefix(fixes.count)))
      #expect((count >= firstCount) == !fixes.isEmpty)
    }
  }
}
