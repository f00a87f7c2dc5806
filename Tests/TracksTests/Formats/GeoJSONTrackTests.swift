import FencepostFixes
import FencepostGeodesy
import FencepostTracks
import Testing

@Suite("GeoJSON and MF-JSON")
struct GeoJSONTrackTests {
  private func read(_ text: String) -> Outcome {
    DecoderVerifier.verify(Array(text.utf8)) { Undoubted() }
  }

  private func feature(_ geometry: String, _ properties: String = "{}") -> String {
    "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":\(properties)}"
  }

  private func line(_ coordinates: String) -> String {
    "{\"type\":\"LineString\",\"coordinates\":\(coordinates)}"
  }

  private func point(_ coordinates: String) -> String {
    "{\"type\":\"Point\",\"coordinates\":\(coordinates)}"
  }

  private let times = "[\"2026-03-04T17:00:00Z\",\"2026-03-04T17:01:00Z\"]"
  private let read17 = ["2026-03-04T17:00:00Z", "2026-03-04T17:01:00Z"]

  @Test(
    "times of a line are found where programs write them",
    arguments: [
      "{\"coordTimes\":$}", "{\"coordinateProperties\":{\"times\":$}}", "{\"times\":$}",
      "{\"datetimes\":$}", "{\"timestamps\":[1772643600,1772643660000]}",
    ])
  func lineTimes(properties: String) {
    let filled = properties.split(separator: "$", omittingEmptySubsequences: false)
      .joined(separator: times)
    let outcome = read(feature(line("[[5,50,100],[5.1,50.1]]"), filled))
    #expect(outcome.times == read17)
    #expect(outcome.fixes.map(\.coordinate.latitudeDegrees) == [50, 50.1])
    #expect(outcome.rejections.isEmpty && outcome.error == nil)
  }

  @Test("the fourth number of a position is its time, as for kepler.gl")
  func fourthNumber() {
    #expect(read(line("[[5,50,0,1772643600],[5.1,50.1,0,1772643660]]")).times == read17)
  }

  @Test("each part of a line is a segment, each feature a track")
  func parts() {
    let parts = "{\"type\":\"MultiLineString\",\"coordinates\":[[[5,50],[5,51]],[[5,52]]]}"
    let nested = "{\"coordinateProperties\":{\"times\":[\(times),[\"2026-03-04T17:05:00Z\"]]}}"
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[\(feature(parts, nested)),"
      + "\(feature(line("[[6,50]]"), "{\"times\":[\"2026-03-04T16:00:00Z\"]}"))]}"
    let outcome = read(text)
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0, 1, 2])
    #expect(outcome.fixes.map(\.trackIndex) == [0, 0, 0, 1])
    #expect(outcome.times == read17 + ["2026-03-04T17:05:00Z", "2026-03-04T16:00:00Z"])
  }

  @Test("points are a track with what their properties say")
  func points() {
    let first = feature(
      point("[13.4,52.5]"),
      "{\"created_at\":\"2020-01-01\",\"time\":\"2026-03-04T17:00:00Z\",\"acc\":8}")
    let second = feature(
      point("[\"13.5\",\"52.6\"]"),
      "{\"when\":\"2026-03-04T17:01:00Z\",\"speed_kmh\":36,\"cog\":95}")
    for text in [
      "{\"features\":[\(first),\(second)],\"type\":\"FeatureCollection\"}",
      "{\"locations\":[\(first),\(second)]}", "\(first)\n\(second)\n",
      "\u{1E}\(first)\n\u{1E}\(second)\n",
    ] {
      let outcome = read(text)
      #expect(outcome.times == read17)
      #expect(outcome.fixes.first?.accuracyMeters == 8)
      #expect(outcome.fixes.last?.speedMetersPerSecond == 10)
      #expect(outcome.fixes.last?.courseDegrees == 95)
      #expect(outcome.fixes.map(\.segmentIndex) == [0, 0])
      #expect(outcome.error == nil && outcome.rejections.isEmpty)
    }
  }

  @Test("a line with times comes before points with times, those before a line without")
  func precedence() {
    let timed = feature(line("[[1,1],[1,2]]"), "{\"coordTimes\":\(times)}")
    let points = feature(point("[2,2]"), "{\"time\":1772643600}")
    let plain = feature(line("[[3,3],[3,4]]"))
    func read(_ features: String...) -> [Double] {
      self.read(
        "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
      )
      .fixes.map(\.coordinate.longitudeDegrees)
    }
    #expect(read(points, timed) == [1, 1])
    #expect(read(plain, points) == [2])
    #expect(read(plain, feature(point("[2,2]"))) == [3, 3])
    // A route among the tracks of one file stays.
    #expect(read(plain, points, timed) == [3, 3, 1, 1])
    #expect(read(plain, timed) == [3, 3, 1, 1])
    #expect(
      read(feature("{\"type\":\"Polygon\",\"coordinates\":[[[9,9],[9,8],[8,8],[9,9]]]}"), points)
        == [2])
  }

  @Test("times that do not belong to the positions are said and not used")
  func mismatch() {
    let outcome = read(feature(line("[[5,50],[5,51],[5,52]]"), "{\"coordTimes\":\(times)}"))
    #expect(outcome.times == ["-", "-", "-"])
    #expect(outcome.rejections.map(\.reason) == [.time])
    #expect(outcome.rejections.first?.detail?.contains("2 times for 3 positions") == true)
  }

  @Test("a position out of range is rejected with its line")
  func badPosition() {
    let outcome = read("{\"type\":\"LineString\",\"coordinates\":[[5,50],\n[5,91],\n[5],[null,3]]}")
    #expect(outcome.fixes.count == 1)
    #expect(outcome.rejections.map(\.line) == [2, 3, 3])
  }

  private func moving(_ rest: String) -> String {
    "{\"type\":\"Feature\",\"properties\":{\"times\":[1]},\"temporalGeometry\":\(rest),"
      + "\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[9,9],[9,8]]}}"
  }

  @Test("a moving point is a track, and the line of the same feature is not")
  func movingPoint() {
    let outcome = read(
      moving(
        "{\"type\":\"MovingPoint\",\"coordinates\":[[5,50],[5,51]],\"datetimes\":\(times),\"interpolation\":\"Linear\"}"
      ))
    #expect(outcome.times == read17)
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0])
    #expect(outcome.rejections.isEmpty)
  }

  @Test("between discrete positions of a moving point the path is broken")
  func discrete() {
    let outcome = read(
      moving(
        "{\"interpolation\":[\"Discrete\"],\"datetimes\":[1772643600000,1772643660000],\"type\":\"MovingPoint\",\"coordinates\":[[5,50],[5,51]]}"
      ))
    #expect(outcome.times == read17)
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 1])
  }

  @Test("each moving point of a collection is a segment; moving polygons are none")
  func collection() {
    let one = "{\"type\":\"MovingPoint\",\"datetimes\":\(times),\"coordinates\":[[5,50],[5,51]]}"
    let area =
      "{\"type\":\"MovingPolygon\",\"datetimes\":[1],\"coordinates\":[[[[1,1],[1,2],[2,2],[1,1]]]]}"
    let outcome = read(
      moving("{\"type\":\"MovingGeometryCollection\",\"prisms\":[\(one),\(area),\(one)]}"))
    #expect(outcome.times == read17 + read17)
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0, 1, 1])
  }
}

@Suite("The OwnTracks Recorder's files")
struct OwnTracksRecorderTests {
  private let text = """
    2026-03-04T17:00:09Z\t*                 \t{"_type":"location","lat":39.9,"lon":-75.1,"tst":1772643600,"acc":5}
    2026-03-04T17:00:10Z\t-                 \t{"_type":"lwt","tst":"1772643000"}
    2026-03-04T17:01:09Z\t*                 \t{"_type":"encrypted","data":"xxx"}
    2026-03-04T17:01:09Z\t*                 \t{"_type":"location","lat":39.9,"lon":-75.2,"tst":"1772643660"}
    2026-03-04T17:01:10Z\t*                 \t{"_type":"location","lat":39
    no record at all

    """

  @Test("give the locations at their own times, and say where a line is none")
  func locations() {
    let outcome = DecoderVerifier.verify(Array(text.utf8)) { Undoubted() }
    #expect(outcome.times == ["2026-03-04T17:00:00Z", "2026-03-04T17:01:00Z"])
    #expect(outcome.fixes.map(\.line) == [1, 4])
    #expect(outcome.rejections.map(\.reason) == [.malformed, .malformed])
    #expect(outcome.rejections.map(\.line) == [5, 6])
  }

  @Test("count what is encrypted")
  func encrypted() throws {
    var stream = FixStream()
    var batch = FixBatch()
    try stream.feed(Array(text.utf8).span, into: &batch)
    try stream.finish(into: &batch)
    #expect(stream.format == .ownTracksRecorder)
    #expect(stream.notices.first?.hasPrefix("1 encrypted messages") == true)
  }
}
