import FencepostTracks
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import Testing

@Suite("OwnTracks JSON")
struct OwnTracksDecoderTests {
  private func decode(_ text: String) -> Outcome {
    DecoderVerifier.verify(Array(text.utf8)) { OwnTracksDecoder() }
  }

  @Test("a location is a fix with its values in meters and seconds")
  func readsLocation() throws {
    let outcome = decode(
      #"{"_type":"location","tst":1440405601,"lat":51.0626,"lon":13.6028,"acc":10,"vel":18,"cog":82}"#
    )
    #expect(outcome.times == ["2015-08-24T08:40:01Z"])
    let fix = try #require(outcome.fixes.first)
    #expect(fix.coordinate == Coordinate(latitudeDegrees: 51.0626, longitudeDegrees: 13.6028))
    #expect(fix.accuracyMeters == 10)
    #expect(fix.speedMetersPerSecond == 5)
    #expect(fix.courseDegrees == 82)
  }

  @Test("-1 means unknown, and the type may come anywhere in the object")
  func readsUnknowns() throws {
    let outcome = decode(
      #"{"cog":-1,"vel":-1,"acc":-1,"lat":1,"lon":2,"tst":1,"_type":"location"}"#)
    let fix = try #require(outcome.fixes.first)
    #expect(fix.speedMetersPerSecond.isNaN && fix.courseDegrees.isNaN && fix.accuracyMeters.isNaN)
  }

  @Test(
    "everything else is ignored",
    arguments: [
      #"{"_type":"card","tid":"JA"}"#, #"{"_type":"transition","lat":1,"lon":2,"tst":3}"#,
      #"{"_type":"waypoints","waypoints":[{"_type":"location","lat":1,"lon":2,"tst":3}]}"#,
      #"{"data":[{"_type":"location","lat":1,"lon":2,"tst":3}]}"#, #"{"lat":1,"lon":2}"#, "[]", "",
    ])
  func passesOver(line: String) {
    #expect(decode(line) == Outcome())
  }

  @Test(
    "a bad message is rejected with its line",
    arguments: [
      (#"{"_type":"location","lat":1,"tst":3}"#, Rejection.Reason.coordinate, 0),
      (#"{"_type":"location","lat":1,"lon":181,"tst":3}"#, .coordinate, 0),
      (#"{"_type":"location","lat":1,"lon":2,"tst":"soon"}"#, .time, 1),
      (#"{"_type":"location","lat":1,"lon":2,"tst":253402300800}"#, .time, 1),
      (#"{"_type":"location","lat":1,"lon":2,"tst":-9e15}"#, .time, 1),
      (#"{"_type":"location","lat":1,"lon":2,"#, .malformed, 0),
    ])
  func rejects(line: String, reason: Rejection.Reason, fixes: Int) {
    let outcome = decode("\n" + line + "\n")
    #expect(outcome.fixes.count == fixes)
    #expect(outcome.rejections.map(\.reason) == [reason])
    #expect(outcome.rejections.first?.line == 2)
  }

  @Test(
    "the documentation's samples give their own locations, not those in answers",
    .enabled(if: Corpus.isThere, Corpus.comment))
  func agreesWithReference() throws {
    let file = "json/owntracks_samples.jsonl"
    let outcome = DecoderVerifier.verify(try Corpus.bytes(file)) { OwnTracksDecoder() }
    #expect(outcome.fixes.count == Corpus.reference[file]?["with_position"]?.integer)
    #expect(Set(outcome.times).count == Corpus.reference[file]?["distinct_times"]?.integer)
  }
}
