import FencepostAnalysis
import FencepostFiles
import Testing

@Suite("A stream of framed tracks")
struct TrackFrameReaderTests {
  /// Reads all frames, in chunks of so many bytes.
  private func read(_ bytes: [UInt8], chunkBytes: Int = 4096) throws -> [TrackFrame] {
    var reader = TrackFrameReader(
      ByteSource(bytes: bytes, name: "the stream", chunkBytes: chunkBytes))
    var frames: [TrackFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
  }

  /// The sentence that ends a stream.
  private func failure(_ text: String) -> String? {
    do {
      _ = try read(Array(text.utf8))
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("holds tracks of any bytes, however it is cut", arguments: [1, 2, 5, 31, 4096])
  func cuts(chunkBytes: Int) throws {
    let any = (0..<700).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var stream = Array("{\"track\":\"a/ä \\\"1\\\".gpx\",\"bytes\":700}\n".utf8) + any
    // Blank lines, white space, Windows' line ends and members of others do no harm.
    stream += Array("\n\r\n{ \"bytes\" : 0, \"mine\": [1], \"track\" : \"empty\" }\r\n".utf8)
    stream += Array("{\"track\":\"gone\",\"error\":\"the bucket has no such object\"}\n".utf8)
    stream += Array("{\"track\":\"large\",\"file\":\"/tmp/large.csv\"}\n".utf8)
    stream += Array("{\"track\":\"last\",\"bytes\":1}\n\n".utf8)
    #expect(
      try read(stream, chunkBytes: chunkBytes) == [
        TrackFrame(track: "a/ä \"1\".gpx", contents: .bytes(any)),
        TrackFrame(track: "empty", contents: .bytes([])),
        TrackFrame(track: "gone", contents: .unread("the bucket has no such object")),
        TrackFrame(track: "large", contents: .file("/tmp/large.csv")),
        TrackFrame(track: "last", contents: .bytes([10])),
      ])
  }

  @Test("is empty without frames", arguments: ["", "\n", "\n\r\n\n"])
  func empty(text: String) throws {
    #expect(try read(Array(text.utf8)).isEmpty)
  }

  @Test("names the track that its end cuts short, and how much of it there was", arguments: 0..<12)
  func cutShort(count: Int) throws {
    let stream = "{\"track\":\"one\",\"bytes\":12}\n" + String(repeating: "x", count: count)
    #expect(
      try read(Array(stream.utf8)) == [
        TrackFrame(
          track: "one", contents: .unread("the stream ends after \(count) of its 12 bytes"))
      ])
  }

  @Test(
    "says what is wrong with a header",
    arguments: [
      ("{\"bytes\":1}\n", "its header: \"track\" is missing"),
      ("{\"track\":\"a\"}\n", "its header: \"bytes\" is missing"),
      ("{\"track\":\"\",\"bytes\":1}\n", "its header: track: must not be empty"),
      ("{\"track\":7,\"bytes\":1}\n", "its header: track: expected a string, found a number"),
      ("{\"track\":\"a\",\"bytes\":-1}\n", "its header: bytes: must not be negative, found -1"),
      ("{\"track\":\"a\",\"bytes\":1.5}\n", "its header: bytes: expected a whole number"),
      ("[1]\n", "its header: expected an object, found an array"),
      ("{\"track\":\"a\",\"bytes\":1}", "the stream ends within its header"),
    ])
  func badHeader(header: String, sentence: String) {
    #expect(failure(header) == "the stream: track 1: \(sentence)")
    let good = "{\"track\":\"good\",\"bytes\":2}\nab"
    #expect(failure(good + good + header) == "the stream: track 3: \(sentence)")
  }

  @Test("refuses a header that is no JSON, no UTF-8 or too long")
  func noHeader() throws {
    #expect(failure("time,lat,lon\n")?.hasPrefix("the stream: track 1: its header: ") == true)
    let long = String(repeating: "x", count: TrackFrameReader.mostHeaderBytes + 1)
    #expect(failure(long) == "the stream: track 1: its header has more than 65\u{202F}536 bytes")
    let bytes = Array("{\"track\":\"".utf8) + [0xFF] + Array("\",\"bytes\":0}\n".utf8)
    #expect(throws: TrackFrameError.self) { try read(bytes) }
  }
}
