import FencepostSession
import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring
import FencepostReporting
import Foundation
import TestSupport
import Testing

@Suite("Paths for simulators")
struct PathWriterTests {
  static func fix(
    _ latitude: Double, _ longitude: Double, _ time: Int64? = nil, segment: Int32 = 0
  ) -> Fix {
    Fix(
      coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
      timeMilliseconds: time, segmentIndex: segment)
  }

  @Test("Xcode's file has a waypoint with its time for each fix, and no event")
  func xcode() {
    let text = written { buffer in
      let writer = PathGPXWriter()
      writer.begin(&buffer)
      writer.write(
        path: [Self.fix(39.95, -75.123456789012, 1_772_643_612_250), Self.fix(-0.00000525, 0)],
        to: &buffer)
      writer.write(.enter(Samples.encounter), to: &buffer)
      writer.end(&buffer)
    }
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="fencepost" xmlns="http://www.topografix.com/GPX/1/1">
        <wpt lat="39.95" lon="-75.123456789012"><time>2026-03-04T17:00:12.250Z</time></wpt>
        <wpt lat="-0.00000525" lon="0.0"></wpt>
        </gpx>

        """)
  }

  @Test("Waypoints are read back to the last bit, and none has an exponent")
  func exact() {
    var random = SplitMix64(seed: 20)
    var values = [
      0, -0.0, 1e-4, 9.9e-5, -1e-17, .leastNonzeroMagnitude, 180, -90, 1 / 3.0, 1e-7 / 3,
    ]
    for _ in 0..<1000 {
      values.append(Double.random(in: -180...180, using: &random))
      values.append(Double.random(in: -1e-4...1e-4, using: &random))
    }
    for value in values {
      let text = written { buffer in buffer.append(exact: value) }
      #expect(Double(text) == value && !text.contains("e"), "\(value) is \(text)")
    }
  }
}
