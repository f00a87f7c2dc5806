import FencepostFixes
import FencepostGeodesy
import FencepostFormats
import FencepostTracks
import Testing

@Suite("Google's exports")
struct GoogleFormTests {
  private func read(_ text: String) -> Outcome {
    DecoderVerifier.verify(Array(text.utf8)) { Undoubted() }
  }

  private func segment(_ start: String, _ end: String, _ rest: String) -> String {
    "{\"startTime\":\"\(start)\",\"endTime\":\"\(end)\",\(rest)}"
  }

  private func path(_ points: (String, String)...) -> String {
    let list = points.map { "{\"point\":\"\($0.0)\",\"time\":\"\($0.1)\"}" }
    return "\"timelinePath\":[\(list.joined(separator: ","))]"
  }

  @Test("of Android: paths are the track, in all spellings of a position")
  func android() {
    let first = path(
      ("52.1°, 4.3°", "2024-06-15T10:00:00+02:00"),
      ("52.2\\u00b0, 4.4\\u00b0", "2024-06-15T10:05:00+02:00"))
    let second = path(("52.3, -4.5", "2024-06-15T10:10:00+02:00"))
    let raw = "{\"position\":{\"LatLng\":\"1°, 1°\",\"timestamp\":\"2024-06-15T10:00:00Z\"}}"
    let outcome = read(
      """
      {"rawSignals":[\(raw)], "semanticSegments":[\(segment("2024-06-15T08:00:00Z", "2024-06-15T10:00:00Z", first)),
      \(segment("2024-06-15T10:00:00Z", "2024-06-15T12:00:00Z", second))], "userLocationProfile":{"a":[1]}}
      """)
    #expect(outcome.error == nil && outcome.rejections.isEmpty)
    #expect(
      outcome.times == ["2024-06-15T08:00:00Z", "2024-06-15T08:05:00Z", "2024-06-15T08:10:00Z"])
    #expect(outcome.fixes.map(\.coordinate.latitudeDegrees) == [52.1, 52.2, 52.3])
    #expect(outcome.fixes.map(\.coordinate.longitudeDegrees) == [4.3, 4.4, -4.5])
    // Windows of two hours are not breaks.
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0, 0])
  }

  @Test("of Android: a visit between two paths begins a segment")
  func visitBreaks() {
    let visit = "\"visit\":{\"topCandidate\":{\"placeLocation\":{\"latLng\":\"52.15°, 4.35°\"}}}"
    let segments = [
      segment(
        "2024-06-15T08:00:00Z", "2024-06-15T09:00:00Z",
        path(("52.1°, 4.3°", "2024-06-15T08:00:00Z"))),
      segment("2024-06-15T08:10:00Z", "2024-06-15T09:30:00Z", visit),
      segment(
        "2024-06-15T09:00:00Z", "2024-06-15T10:00:00Z",
        path(("52.2°, 4.3°", "2024-06-15T09:31:00Z"))),
    ]
    let outcome = read("{\"semanticSegments\":[\(segments.joined(separator: ","))]}")
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 1])
    #expect(outcome.fixes.count == 2)
  }

  @Test("of Android: without paths, raw positions are the track, with accuracy and speed")
  func rawSignals() {
    let outcome = read(
      """
      {"semanticSegments":[], "rawSignals":[{"wifiScan":{"devicesRecords":[{"mac":1}]}},
      {"position":{"LatLng":"52.1°, 4.3°","accuracyMeters":13,"speedMetersPerSecond":1.5,"timestamp":"2024-06-15T10:00:00Z"}}]}
      """)
    #expect(outcome.times == ["2024-06-15T10:00:00Z"])
    #expect(outcome.fixes.first?.accuracyMeters == 13)
    #expect(outcome.fixes.first?.speedMetersPerSecond == 1.5)
    #expect(outcome.fixes.first?.line == 2)
  }

  @Test("of Android: without paths and raw positions, visits and activities are the track")
  func stays() {
    let visit = "\"visit\":{\"topCandidate\":{\"placeLocation\":{\"latLng\":\"52.1°, 4.3°\"}}}"
    let activity =
      "\"activity\":{\"start\":{\"latLng\":\"52.1°, 4.3°\"},\"end\":{\"latLng\":\"52.2°, 4.4°\"}}"
    let segments = [
      segment("2024-06-15T08:00:00Z", "2024-06-15T09:00:00Z", visit),
      segment("2024-06-15T09:00:00Z", "2024-06-15T09:10:00Z", activity),
      segment("2024-06-15T09:10:00Z", "2024-06-15T09:30:00Z", "\"visit\":{}"),
    ]
    let outcome = read("{\"semanticSegments\":[\(segments.joined(separator: ","))]}")
    #expect(
      outcome.times == [
        "2024-06-15T08:00:00Z", "2024-06-15T09:00:00Z", "2024-06-15T09:10:00Z",
      ])
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0, 0])
    #expect(outcome.rejections.map(\.reason) == [.coordinate])
  }

  @Test("of iOS: times are minutes after the beginning of the window, wherever that stands")
  func iOS() {
    let outcome = read(
      """
      [{"timelinePath":[{"point":"geo:29.7,-95.4","durationMinutesOffsetFromStartTime":"1"},
        {"durationMinutesOffsetFromStartTime":"5","point":"geo:29.8,-95.5;u=20"}],
        "endTime":"2025-07-29T15:00:00.000Z","startTime":"2025-07-29T13:00:00.000Z"},
       {"startTime":"2025-07-29T16:00:00.000Z","activity":{"start":"geo:1,2","end":"geo:1,3"}}]
      """)
    #expect(outcome.times == ["2025-07-29T13:01:00Z", "2025-07-29T13:05:00Z"])
    #expect(outcome.fixes.map(\.coordinate.longitudeDegrees) == [-95.4, -95.5])
    #expect(outcome.rejections.isEmpty)
  }

  @Test("a point without a place is rejected with its line and byte, and one without a time kept")
  func faults() {
    let text = """
      {"semanticSegments":[{"startTime":"2024-06-15T10:00:00Z","timelinePath":[
      {"point":"nowhere","time":"2024-06-15T10:00:00Z"},
      {"point":"95°, 4°","time":"2024-06-15T10:00:00Z"},
      {"point":"52°, 4°","time":"noon"}]}]}
      """
    let outcome = read(text)
    #expect(outcome.rejections.map(\.reason) == [.coordinate, .coordinate, .time])
    #expect(outcome.rejections.map(\.line) == [2, 3, 4])
    let end = text.utf8.firstIndex(of: UInt8(ascii: "\n"))
    #expect(
      outcome.rejections[0].byteOffset ?? 0
        > text.utf8.distance(from: text.startIndex, to: end ?? text.endIndex))
    #expect(outcome.times == ["-"])
  }

  @Test("Records.json: positions in 10⁻⁷ degrees with all that is said of them")
  func records() {
    let outcome = read(
      """
      {"locations":[{"latitudeE7":525121303,"longitudeE7":134309551,"accuracy":25,"velocity":2,"heading":360,
      "activity":[{"timestamp":"2013-04-15T06:31:00Z","activity":[{"type":"STILL","confidence":100}]}],
      "timestamp":"2013-04-15T06:31:26.860Z"},
      {"latitudeE7":-1,"longitudeE7":4294967295,"timestampMs":"1366007486860"},
      {"timestampMs":"1366007486860"}, {"latitudeE7":10000000,"longitudeE7":10000000,"timestamp":"then"}]}
      """)
    #expect(outcome.times == ["2013-04-15T06:31:26.860Z", "2013-04-15T06:31:26.860Z", "-"])
    #expect(outcome.fixes[0].coordinate.latitudeDegrees == 52.5121303)
    #expect(outcome.fixes[0].accuracyMeters == 25 && outcome.fixes[0].speedMetersPerSecond == 2)
    #expect(outcome.fixes[0].courseDegrees == 0)
    // 2³² − 1 is what some exports wrote for −1.
    #expect(outcome.fixes[1].coordinate.longitudeDegrees == -1e-7)
    #expect(outcome.rejections.map(\.reason) == [.coordinate, .time])
    #expect(outcome.rejections.map(\.line) == [5, 5])
  }

  private static let month = """
    {"timelineObjects":[{"activitySegment":{"startLocation":{"latitudeE7":10000000,"longitudeE7":20000000},
    "endLocation":{"latitudeE7":10300000,"longitudeE7":20000000},
    "duration":{"startTimestamp":"2013-06-01T16:00:00Z","endTimestamp":"2013-06-01T16:20:00Z"},
    "waypointPath":{"waypoints":[{"latE7":10100000,"lngE7":20000000}]},
    "simplifiedRawPath":{"points":[{"latE7":10200000,"lngE7":20000000,"accuracyMeters":7,"timestamp":"2013-06-01T16:10:00Z"}]}}},
    {"placeVisit":{"location":{"latitudeE7":10300000,"longitudeE7":20000000},"otherCandidateLocations":[{"latitudeE7":1,"longitudeE7":1}],
    "duration":{"startTimestampMs":"1370103600000","endTimestampMs":"1370107200000"}}}]}
    """

  @Test("a semantic month: journeys and visits are segments in time's order")
  func semanticMonth() {
    let outcome = read(Self.month)
    #expect(
      outcome.times == [
        "2013-06-01T16:00:00Z", "2013-06-01T16:10:00Z", "2013-06-01T16:20:00Z",
        "2013-06-01T16:20:00Z",
        "2013-06-01T17:20:00Z",
      ])
    #expect(outcome.fixes.map(\.segmentIndex) == [0, 0, 0, 1, 1])
    #expect(outcome.fixes[1].accuracyMeters == 7)
  }

  @Test("a semantic month says that it leaves out waypoints without times")
  func waypoints() throws {
    var stream = FixStream()
    var batch = FixBatch()
    try stream.feed(Array(Self.month.utf8).span, into: &batch)
    try stream.finish(into: &batch)
    #expect(stream.notices.map { $0.hasPrefix("1 waypoints without times") } == [true])
    #expect(stream.format == .googleMonth)
  }

  @Test("text that is no JSON ends the reading at its byte, after what came before")
  func damage() {
    let outcome = read(
      "{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":2},\n{\"latitudeE7\";3}]}")
    #expect(outcome.fixes.count == 1)
    #expect(outcome.error?.line == 2)
    #expect(outcome.error?.byteOffset == 61)
    let cut = read("{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":2},{\"latit")
    #expect(cut.fixes.count == 1)
    #expect(cut.error?.sentence.contains("ends too early") == true)
  }
}
