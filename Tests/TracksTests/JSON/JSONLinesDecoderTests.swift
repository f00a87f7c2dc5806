import FencepostFixes
import FencepostGeodesy
import Testing

@Suite("Plain JSON lines")
struct JSONLinesDecoderTests {
  private func decode(_ text: String) -> Outcome {
    DecoderVerifier.verify(Array(text.utf8)) { StreamDecoder() }
  }

  @Test(
    "are recognized and read by the names of their members",
    arguments: [
      #"{"time":"2026-03-04T17:00:00Z","lat":39.5,"lon":-75.25,"eph":5}"#,
      #"{"lon":-75.25,"acc":5,"tst":1772643600,"lat":39.5,"x":{"lat":1,"time":"?"}}"#,
      #"{"timestamp":1772643600000,"latitude":39.5,"lng":-75.25,"accuracy":5}"#,
      #"{"start_time":"2026-03-04T17:00:00Z","latitude":"39.5","longitude":"-75.25","acc":"5"}"#,
      #"{"acc":5,"lat":"39.5","lon":"-75.25","tim":"Wed, 04 Mar 2026 17:00:00 GMT"}"#,
      #"{"latitude":1,"lat":39.5,"longitude":2,"lon":-75.25,"time":"2026-03-04T18:00:00+01:00","#
        + #""timestamp":0,"acc":5}"#,
    ])
  func readsMembers(line: String) {
    for text in [line, line + "\n", "\n \n" + line + "\r\n"] {
      let outcome = decode(text)
      #expect(outcome.times == ["2026-03-04T17:00:00Z"])
      #expect(
        outcome.fixes.first?.coordinate
          == Coordinate(latitudeDegrees: 39.5, longitudeDegrees: -75.25))
      #expect(outcome.fixes.first?.accuracyMeters == 5)
      #expect(outcome.rejections.isEmpty)
    }
  }

  @Test(
    "a bad line is reported with its place and stops no other",
    arguments: [
      ("{\"lat\":1,", Rejection.Reason.malformed, 2), ("nonsense", .malformed, 2),
      ("[1,2]", .malformed, 2), ("{\"lat\":91,\"lon\":2}", .coordinate, 2),
      ("{\"lat\":1}", .coordinate, 2), ("{\"lat\":\"one\",\"lon\":2}", .coordinate, 2),
      ("{\"lat\":1,\"lon\":2,\"mode\":1}", .void, 2),
      ("{\"lat\":1,\"lon\":2,\"time\":\"soon\"}", .time, 3),
      ("{\"lat\":1,\"lon\":2,\"time\":1e300}", .time, 3),
    ])
  func rejects(line: String, reason: Rejection.Reason, fixes: Int) {
    let outcome = decode("{\"lat\":1,\"lon\":2}\n\(line)\n{\"lat\":3,\"lon\":4}\n")
    #expect(outcome.fixes.count == fixes)
    #expect(outcome.rejections.map(\.reason) == [reason])
    #expect(outcome.rejections.first?.line == 2)
  }

  @Test("speed, course and segment are read, and objects of other kinds ignored")
  func readsTheRest() {
    let outcome = decode(
      """
      {"lat":1,"lon":2,"speed":3.5,"track":90,"trkseg":1}
      {"lat":1,"lon":2,"vel":36,"cog":359}
      {"class":"SKY","lat":1,"lon":2}
      """)
    #expect(outcome.fixes.map(\.speedMetersPerSecond) == [3.5, 10])
    #expect(outcome.fixes.map(\.courseDegrees) == [90, 359])
    #expect(outcome.fixes.map(\.segmentIndex) == [1, 0])
  }

  @Test("compressed lines are read like plain ones")
  func gzip() {
    let text = "{\"lat\":1,\"lon\":2}\n{\"lat\":\n{\"lat\":3,\"lon\":4}\n"
    let plain = decode(text)
    #expect(plain.fixes.count == 2)
    let packed = DecoderVerifier.verify(Gzip.member(Array(text.utf8))) { StreamDecoder() }
    #expect(packed == plain)
  }
}
