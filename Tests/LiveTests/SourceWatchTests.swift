import FencepostFixes
import FencepostLive
import Testing

@Suite("What a source sends is watched")
struct SourceWatchTests {
  private static let line = Array("{\"hello\":1}\r\n".utf8)

  @Test("nothing that makes sense is said after 10 s, with the first line and the reason")
  func senseless() {
    var watch = SourceWatch()
    #expect(watch.dueMilliseconds == nil)
    watch.receive(Self.line, now: 1000)
    watch.note(Rejection(reason: .malformed, line: 1, detail: "not a track"), now: 1000)
    #expect(watch.dueMilliseconds == 11_000)
    let input = SourceWatch.Input(hasFormat: true)
    #expect(watch.sentences(now: 10_999, of: input).isEmpty)
    #expect(!watch.isSenseless)
    #expect(
      watch.sentences(now: 11_000, of: input, hint: "Is --baud 4800 right?") == [
        "nothing that came in 10 s makes sense (not a track); it begins with “{\"hello\":1}”. "
          + "Is --baud 4800 right?"
      ])
    #expect(watch.isSenseless)
    // Once, also over connections that bring no more.
    watch.begin()
    watch.receive(Self.line, now: 30_000)
    #expect(watch.sentences(now: 60_000, of: input).isEmpty)
    watch.noteFix()
    #expect(watch.isDue(now: 60_001))
    #expect(watch.sentences(now: 60_001, of: input) == ["what it sends makes sense now"])
    #expect(!watch.isSenseless && watch.dueMilliseconds == nil)
  }

  @Test("noise is not text")
  func noise() {
    var watch = SourceWatch()
    watch.receive((0..<200).map { $0 | 0x80 }, now: 0)
    #expect(
      watch.sentences(now: 10_000, of: SourceWatch.Input()) == [
        "nothing that came in 10 s makes sense (no known format); it begins with bytes that are "
          + "not text"
      ])
  }

  @Test("the first line is quoted, whatever line ends come before it")
  func quotation() {
    for pieces in [["\r\n", "hello\n", "again\n"], ["\n\nhello\nagain\n"], ["\nhel", "lo\nx"]] {
      var watch = SourceWatch()
      for piece in pieces { watch.receive(Array(piece.utf8), now: 0) }
      let sentences = watch.sentences(now: 10_000, of: SourceWatch.Input())
      #expect(sentences.first?.hasSuffix("it begins with “hello”") == true)
    }
  }

  @Test("the decoder's reason comes first")
  func reason() {
    var watch = SourceWatch()
    watch.receive(Array("$GPGSV,1,1,00*79\r\n".utf8), now: 0)
    let input = SourceWatch.Input(hasFormat: true, reason: "1 sentence, none with a position")
    #expect(
      watch.sentences(now: 10_000, of: input).first?.contains("(1 sentence, none with a position)")
        == true)
  }

  @Test("a source that is slow is no nonsense")
  func slow() {
    var watch = SourceWatch()
    watch.receive(Array("time,lat,lon\n".utf8), now: 0)
    #expect(watch.sentences(now: 10_000, of: SourceWatch.Input(hasFormat: true)).isEmpty)
    #expect(watch.dueMilliseconds == 20_000)
    let waiting = SourceWatch.Input(holdsPosition: true, hasFormat: true)
    #expect(watch.sentences(now: 20_000, of: waiting).isEmpty)
    #expect(watch.dueMilliseconds == nil)
  }

  @Test("a receiver without a fix is said once, and again when it has one")
  func void() {
    var watch = SourceWatch()
    let (void, input) = (Rejection(reason: .void, line: 1), SourceWatch.Input(hasFormat: true))
    for second in 0..<30 as Range<Int64> { watch.note(void, now: second * 1000) }
    #expect(watch.dueMilliseconds == 10_000)
    #expect(watch.sentences(now: 10_000, of: input) == ["the receiver has no fix yet"])
    #expect(watch.sentences(now: 30_000, of: input).isEmpty)
    #expect(!watch.isSenseless)
    watch.noteFix()
    #expect(watch.sentences(now: 31_000, of: input) == ["the receiver has a fix"])
    // A tunnel may last a minute.
    watch.note(void, now: 40_000)
    #expect(watch.dueMilliseconds == 100_000)
    watch.noteFix()
    #expect(watch.dueMilliseconds == nil)
    watch.note(void, now: 200_000)
    #expect(watch.sentences(now: 260_000, of: input) == ["the receiver has no fix"])
  }
}
