import FencepostFormats
import TestSupport
import Testing

@Suite("Lines")
struct LineScannerTests {
  struct Line: Equatable {
    var text: String
    var number: Int
    var byteOffset: Int
    var isCut: Bool
  }

  private func lines(_ chunks: [[UInt8]], maximum: Int = 100) -> [Line] {
    var lines: [Line] = []
    var scanner = LineScanner(maximumLineBytes: maximum)
    let keep = { (bytes: Span<UInt8>, position: LinePosition) in
      lines.append(
        Line(
          text: String(utf8: bytes), number: position.number, byteOffset: position.byteOffset,
          isCut: position.isCut))
    }
    for chunk in chunks { scanner.scan(chunk.span, keep) }
    scanner.finish(keep)
    return lines
  }

  @Test(
    "end with LF, CR LF and CR, however the bytes are cut",
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]),
      ("a\rb\r", ["a", "b"]), ("\n\r\n\r", ["", "", ""]), ("a\r\rb", ["a", "", "b"]),
      ("a\n\rb", ["a", "", "b"]), ("one\r\ntwo\nthree\rfour", ["one", "two", "three", "four"]),
    ] as [(String, [String])])
  func ends(text: String, expected: [String]) {
    for chunks in Cuts.all(of: Array(text.utf8)) {
      let found = lines(chunks)
      #expect(found.map(\.text) == expected)
      #expect(found.map(\.number) == Array(1..<(expected.count + 1)))
    }
  }

  @Test("report where they begin")
  func offsets() {
    for chunks in Cuts.all(of: Array("ab\r\ncd\n\nef".utf8)) {
      #expect(lines(chunks).map(\.byteOffset) == [0, 4, 7, 8])
    }
  }

  @Test("that are too long are cut and marked")
  func tooLong() {
    for chunks in Cuts.all(of: Array("1234\n12345\n123456789\n12".utf8)) {
      #expect(
        lines(chunks, maximum: 4) == [
          Line(text: "1234", number: 1, byteOffset: 0, isCut: false),
          Line(text: "1234", number: 2, byteOffset: 5, isCut: true),
          Line(text: "1234", number: 3, byteOffset: 11, isCut: true),
          Line(text: "12", number: 4, byteOffset: 21, isCut: false),
        ])
    }
  }
}
