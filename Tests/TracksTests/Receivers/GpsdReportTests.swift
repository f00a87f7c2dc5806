import FencepostTracks
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import Testing

@Suite("gpsd JSON")
struct GpsdDecoderTests {
  private func decode(_ text: String) -> Outcome {
    DecoderVerifier.verify(Array(text.utf8)) { ReceiverDecoder(isGPSD: true) }
  }

  @Test("reports of one time make one fix, with the last of each value")
  func mergesEpochs() throws {
    let outcome = decode(
      """
      {"class":"VERSION","release":"3.25"}
      {"class":"TPV","mode":2,"time":"2026-03-04T17:00:00.000Z","lat":1.5,"lon":2.5,"speed":3.0}
      {"class":"SKY","hdop":1.0,"satellites":[{"PRN":2,"lat":9}]}
      {"class":"TPV","mode":3,"time":"2026-03-04T17:00:00.000Z","lat":1.6,"lon":2.6,"track":90.5,"eph":7.5}
      {"class":"TPV","mode":3,"time":"2026-03-04T17:00:01.250Z","lat":1.7,"lon":2.7,"epx":3,"epy":4}
      """)
    #expect(outcome.times == ["2026-03-04T17:00:00Z", "2026-03-04T17:00:01.250Z"])
    let first = try #require(outcome.fixes.first)
    #expect(first.coordinate == Coordinate(latitudeDegrees: 1.6, longitudeDegrees: 2.6))
    #expect(first.speedMetersPerSecond == 3)
    #expect(first.courseDegrees == 90.5)
    #expect(first.accuracyMeters == 7.5)
    #expect(first.line == 4)
    #expect(outcome.fixes.last?.accuracyMeters == 5)
    #expect(outcome.rejections.isEmpty)
  }

  @Test("a report without a fix is void, once for each time")
  func countsVoid() {
    let outcome = decode(
      """
      {"class":"TPV","mode":1}
      {"class":"TPV","mode":1,"time":"2026-03-04T17:00:00Z"}
      {"class":"TPV","mode":1,"time":"2026-03-04T17:00:00Z"}
      {"class":"TPV","mode":3,"time":"2026-03-04T17:00:01Z","eph":3}
      {"class":"TPV","mode":3,"time":"2026-03-04T17:00:01Z","lat":1,"lon":2}
      {"class":"TPV","mode":0,"time":"2026-03-04T17:00:02Z","lat":1,"lon":2}
      """)
    #expect(outcome.fixes.count == 1)
    #expect(outcome.count(.void) == 3)
    #expect(outcome.rejections.map(\.line) == [1, 3, 6])
  }

  @Test("without times, reports that repeat a position make one fix")
  func mergesUntimed() {
    let outcome = decode(
      """
      {"class":"TPV","mode":2,"lat":1,"lon":2}
      {"class":"TPV","mode":3,"lat":1,"lon":2}
      {"class":"TPV","mode":3,"lat":1,"lon":3}
      """)
    #expect(outcome.times == ["-", "-"])
  }

  @Test(
    "a bad report is rejected with its line",
    arguments: [
      (#"{"class":"TPV","mode":3,"lat":91,"lon":2}"#, Rejection.Reason.coordinate, 0),
      (#"{"class":"TPV","mode":3,"lat":"north","lon":2}"#, .coordinate, 0),
      (#"{"class":"TPV","mode":3,"time":"yesterday","lat":1,"lon":2}"#, .time, 1),
      (#"{"class":"TPV","mode":3,"lat":1"#, .malformed, 0),
      (#"not json"#, .malformed, 0),
    ])
  func rejects(line: String, reason: Rejection.Reason, fixes: Int) {
    let outcome = decode(#"{"class":"VERSION"}"# + "\n" + line + "\n")
    #expect(outcome.fixes.count == fixes)
    #expect(outcome.rejections.map(\.reason) == [reason])
    #expect(outcome.rejections.first?.line == 2)
  }

  @Test("a line longer than the limit is rejected and the next one read")
  func survivesLongLine() {
    let long = #"{"class":"TPV","x":""# + String(repeating: "a", count: 100_000) + #""}"#
    let outcome = decode(long + "\n" + #"{"class":"TPV","mode":3,"lat":1,"lon":2}"#)
    #expect(outcome.fixes.count == 1)
    #expect(outcome.count(.tooLong) == 1)
  }

  @Test(
    "recordings give a fix for each time with a position",
    .enabled(if: Corpus.isThere, Corpus.comment),
    arguments: Corpus.files("json/gpsd"))
  func agreesWithReference(file: String) throws {
    let outcome = DecoderVerifier.verify(try Corpus.bytes(file), splits: 2) {
      ReceiverDecoder(isGPSD: true)
    }
    let reference = try #require(Corpus.reference[file])
    #expect(outcome.fixes.count == reference["distinct_times"]?.integer)
    #expect(Set(outcome.times).count == outcome.fixes.count)
    #expect(outcome.error == nil)
  }
}
