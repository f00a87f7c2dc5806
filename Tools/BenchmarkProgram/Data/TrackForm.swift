import FencepostTime
import FencepostFormats

/// The form of a track's file.
enum TrackForm: String, CaseIterable {
  case nmea
  case gpx
  case csv

  /// Writes the first fixes of a journey.
  func write(_ journey: Journey, fixes: Int, to path: String) throws(BenchmarkFailure) {
    var sink = try TextSink(path: path)
    begin(&sink)
    for point in journey.prefix(fixes) {
      switch self {
      case .nmea: appendSentences(point, to: &sink)
      case .gpx: appendTrackPoint(point, to: &sink)
      case .csv: appendRow(point, to: &sink)
      }
      try sink.flushIfFull()
    }
    if self == .gpx { sink.append("  </trkseg></trk>\n</gpx>\n") }
    try sink.flush()
  }

  private func begin(_ sink: inout TextSink) {
    switch self {
    case .nmea: break
    case .gpx:
      sink.append(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Fencepost benchmark" xmlns="http://www.topografix.com/GPX/1/1">
          <trk><trkseg>

        """)
    case .csv: sink.append("time,lat,lon\n")
    }
  }

  /// Heights wander a little, so that they cost a reader what real ones do.
  private func heightDecimeters(_ point: Journey.Point) -> Int {
    120 + abs(point.point.latitudeMicrodegrees / 97) % 400
  }

  private func appendTrackPoint(_ point: Journey.Point, to sink: inout TextSink) {
    sink.append("   <trkpt lat=\"")
    sink.append(point.point.latitudeMicrodegrees, decimals: 6)
    sink.append("\" lon=\"")
    sink.append(point.point.longitudeMicrodegrees, decimals: 6)
    sink.append("\"><ele>")
    sink.append(heightDecimeters(point), decimals: 1)
    sink.append("</ele><time>")
    sink.append(Self.time(of: point))
    sink.append("</time></trkpt>\n")
  }

  private func appendRow(_ point: Journey.Point, to sink: inout TextSink) {
    sink.append(Self.time(of: point))
    sink.append(UInt8(ascii: ","))
    sink.append(point.point.latitudeMicrodegrees, decimals: 6)
    sink.append(UInt8(ascii: ","))
    sink.append(point.point.longitudeMicrodegrees, decimals: 6)
    sink.append(UInt8(ascii: "\n"))
  }

  private static func time(of point: Journey.Point) -> [UInt8] {
    var text: [UInt8] = []
    ISO8601.append(milliseconds: point.timeMilliseconds, to: &text)
    return text
  }
}

// MARK: NMEA

extension TrackForm {
  private func appendSentences(_ point: Journey.Point, to sink: inout TextSink) {
    let time = Self.time(of: point)
    let clock = Array(time[11...12] + time[14...15] + time[17...18])
    let date = Array(time[8...9] + time[5...6] + time[2...3])

    var position = clock + Array(".00,".utf8)
    var sentence = Array("GPRMC,".utf8) + position + Array("A,".utf8)
    var where_: [UInt8] = []
    Self.appendAngle(
      point.point.latitudeMicrodegrees, degreeDigits: 2, signs: "NS", to: &where_)
    Self.appendAngle(
      point.point.longitudeMicrodegrees, degreeDigits: 3, signs: "EW", to: &where_)
    sentence += where_
    sentence.append(
      Int((point.speedMetersPerSecond * (3_600_000 / 1_852.0)).rounded()), decimals: 3)
    sentence += Array(",,".utf8) + date + Array(",,,A".utf8)
    Self.append(sentence, to: &sink)

    position += where_
    sentence = Array("GPGGA,".utf8) + position + Array("1,09,0.92,".utf8)
    sentence.append(heightDecimeters(point), decimals: 1)
    sentence += Array(",M,-34.1,M,,".utf8)
    Self.append(sentence, to: &sink)
  }

  private static func appendAngle(
    _ microdegrees: Int, degreeDigits: Int, signs: StaticString, to text: inout [UInt8]
  ) {
    // 0.00001 minutes are a sixth of a millionth of a degree.
    let magnitude = Int(microdegrees.magnitude)
    let minutes = magnitude % 1_000_000 * 6
    text.append(magnitude / 1_000_000, digits: degreeDigits)
    text.append(minutes / 100_000, digits: 2)
    text.append(UInt8(ascii: "."))
    text.append(minutes % 100_000, digits: 5)
    text.append(UInt8(ascii: ","))
    // Two letters, which the callers give.
    unsafe text.append(signs.utf8Start[microdegrees < 0 ? 1 : 0])
    text.append(UInt8(ascii: ","))
  }

  private static func append(_ sentence: [UInt8], to sink: inout TextSink) {
    let digits = Array("0123456789ABCDEF".utf8)
    let checksum = Int(sentence.reduce(0, ^))
    sink.append(UInt8(ascii: "$"))
    sink.append(sentence)
    sink.append(UInt8(ascii: "*"))
    sink.append(digits[checksum >> 4])
    sink.append(digits[checksum & 15])
    sink.append("\r\n")
  }
}
