import FencepostFixes
import FencepostLive
import Testing

@Suite("Posted fixes")
struct PostedFixesTests {
  private static func read(
    _ body: String, of device: String? = "a", time: ReadingTime = ReadingTime()
  ) -> PostedFixes {
    PostedFixes(
      Array(body.utf8),
      origin: .init(device: device, defaultDevice: nil, deviceField: "device"), time: time)
  }

  @Test(
    "are not read on when their time is up",
    arguments: ["time,lat,lon\n2026-03-04T17:00:00Z,1,2\n", #"{"lat":1,"lon":2}"#, "<gpx/>"])
  func timeIsUp(body: String) {
    let posted = Self.read(body, time: ReadingTime(milliseconds: 0))
    #expect(posted.failure == "reading it took too long; send it in smaller pieces")
    #expect(posted.isTooLarge)
    #expect(posted.acceptedCount == 0)
  }

  @Test(
    "in JSON that is cut off are refused in words, and the whole ones before are kept",
    arguments: [
      ("[", 0), ("[[[[", 0), ("[[]", 0), ("[]]", 0), (String(repeating: "[", count: 1_000_000), 0),
      (#"[{"lat":1,"lon":2},"#, 1),
    ])
  func cut(body: String, count: Int) {
    let posted = Self.read(body)
    #expect(posted.failure?.hasPrefix("the JSON is cut off") == true)
    #expect(posted.acceptedCount == count)
  }

  @Test("may be none in an array, but not in arrays of arrays")
  func empty() {
    #expect(Self.read(" [ ] ").failure == nil)
    #expect(Self.read("[[],[]]").failure == "the JSON has only empty arrays")
  }

  @Test("must be in a track")
  func nothing() {
    #expect(Self.read("<kml/>").failure == "it has no fixes")
  }

  @Test(
    "have no device whose name holds a control character",
    arguments: [
      "\n", "\0", "\u{1B}", "\u{7}", "\u{7F}", "\u{85}", "\u{202E}", "\u{2066}", "\u{200F}",
    ])
  func names(character: String) {
    #expect(Self.read(#"{"lat":1,"lon":2}"#, of: "a\(character)b").rejectedCount == 1)
    let scalars = character.unicodeScalars.map { String($0.value, radix: 16) }
    let escaped = scalars.map { "\\u" + String(repeating: "0", count: 4 - $0.count) + $0 }.joined()
    let posted = Self.read(#"{"lat":1,"lon":2,"device":"a\#(escaped)b"}"#, of: nil)
    #expect(posted.rejections.first?.detail == "the device's name contains a control character")
    #expect(posted.acceptedCount == 0)
  }

  @Test("may have a device of any other name")
  func goodNames() {
    for name in ["bike", "Zoë's phone", "電話 📱", "a/b.c-d_e"] {
      #expect(Self.read(#"{"lat":1,"lon":2}"#, of: name).acceptedCount == 1)
    }
  }
}
