import FencepostTime
import FencepostAnalysis
import Fencepost
import FencepostFormats
import FencepostGeodesy
import FencepostReporting

/// The functions that text costs a fix or an event.
enum TextCases {
  static func all() -> [MicroCase] {
    let points = Array(Journey(kind: .drive, seed: 7).prefix(20_000))
    let times = points.map { point in
      var text: [UInt8] = []
      ISO8601.append(milliseconds: point.timeMilliseconds, to: &text)
      return text
    }
    let numbers = points.map { point in
      var text: [UInt8] = []
      text.append(point.point.latitudeMicrodegrees, decimals: 6)
      return text
    }
    return [
      .each("ISO8601.milliseconds(parsing:)", of: times, times: 10) {
        MicroCase.sum($0) {
          Double(ISO8601.milliseconds(parsing: $0.span) ?? 0)
        }
      },
      .each("DecimalNumber.double(parsing:)", of: numbers, times: 10) {
        MicroCase.sum($0) {
          DecimalNumber.double(parsing: $0.span) ?? 0
        }
      },
      writing(points),
    ]
  }

  private static func writing(_ points: [Journey.Point]) -> MicroCase {
    let events = points.enumerated().map { index, point in
      Event.enter(
        Encounter(
          track: "drive.nmea", segment: 0, fix: index, fraction: Double(index % 97) / 97,
          timeMilliseconds: point.timeMilliseconds, coordinate: point.point.coordinate,
          placeID: "s\(index)", title: "Story \(index) of town 0", distanceMeters: 100))
    }
    return MicroCase(name: "NDJSONWriter.write, an enter", unit: "event") {
      let writer = NDJSONWriter()
      var buffer = OutputBuffer(capacity: 1 << 16)
      var bytes = 0
      for event in events {
        writer.write(event, to: &buffer)
        if buffer.count > 60_000 {
          bytes += buffer.count
          buffer.removeAll()
        }
      }
      return (events.count, Double(bytes + buffer.count))
    }
  }
}
