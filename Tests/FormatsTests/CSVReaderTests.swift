import FencepostFormats
import TestSupport
import Testing

@Suite("Comma-separated values")
struct CSVReaderTests {
  /// A record as `line: field|field`, or an error's sentence.
  private func read(
    _ chunks: [[UInt8]], separator: Character = ",", maximum: Int = 1000
  ) -> [String] {
    var found: [String] = []
    var reader = CSVReader(
      separator: separator.asciiValue ?? 0x2C, maximumRecordBytes: maximum)
    func drain() {
      while true {
        do throws(CSVError) {
          guard try reader.next() else { return }
          let fields = (0..<reader.fieldCount).map { reader.string($0) }
          found.append("\(reader.line): " + fields.joined(separator: "|"))
        } catch {
          found.append(error.description)
        }
      }
    }
    for chunk in chunks {
      reader.push(chunk.span)
      drain()
    }
    reader.finish()
    drain()
    return found
  }

  @Test(
    "are read by the rules of RFC 4180, however the bytes are cut",
    arguments: [
      ("", []),
      ("a,b\r\nc,d\r\n", ["1: a|b", "2: c|d"]),
      ("a,b\nc,d", ["1: a|b", "2: c|d"]),
      ("a,b\rc,d\r", ["1: a|b", "2: c|d"]),
      ("a,,\n,\n", ["1: a||", "2: |"]),
      ("\n\na\n\r\n\rb\n", ["3: a", "6: b"]),
      ("\"a\",\"b,c\"\n", ["1: a|b,c"]),
      ("\"say \"\"hi\"\"\",\"\"\"\"\n", ["1: say \"hi\"|\""]),
      ("\"two\nlines\",x\ny,z", ["1: two\nlines|x", "3: y|z"]),
      ("\"two\r\nlines\r\",x\r\ny,z", ["1: two\r\nlines\r|x", "4: y|z"]),
      ("\"\"\n\"\",\"\"", ["1: ", "2: |"]),
      ("5\" disk,a\"b\n", ["1: 5\" disk|a\"b"]),
      ("\u{FEFF}id,title\n1,é\n", ["1: id|title", "2: 1|é"]),
      ("a;b,c\n", ["1: a;b|c"]),
      ("\"open", ["line 1: the quote that opens here is not closed"]),
      (
        "a\nb,\"open\nc,d\ne\n",
        ["1: a", "line 2: the quote that opens here is not closed", "3: c|d", "4: e"]
      ),
      (
        "\"a\"b,c\nd,\"e\"\n", ["line 1: text follows a closing quote", "2: d|e"]
      ),
      (
        "x\n\"1\n2\"y\nz\n", ["1: x", "line 2: text follows a closing quote", "4: z"]
      ),
    ] as [(String, [String])])
  func rules(text: String, expected: [String]) {
    for chunks in Cuts.all(of: Array(text.utf8)) { #expect(read(chunks) == expected) }
  }

  @Test("have a row in a spreadsheet, for which line ends within quotes do not count")
  func rows() throws {
    var reader = CSVReader(firstLine: 3)
    reader.push(Array("a\n\"b\r\nb\nb\"\n\nc,\"c\nc\"\nd\n".utf8).span)
    reader.finish()
    var found: [[Int]] = []
    while try reader.next() { found.append([reader.line, reader.row]) }
    #expect(found == [[3, 3], [4, 4], [8, 6], [10, 7]])
  }

  @Test("may be separated by other characters")
  func separators() {
    #expect(read([Array("a;b,c;\"d;e\"\n".utf8)], separator: ";") == ["1: a|b,c|d;e"])
  }

  @Test("with overlong records lose only those records")
  func tooLong() {
    let text =
      "ok,1\n" + String(repeating: "x", count: 50) + ",y\nok,2\n\""
      + String(repeating: "q", count: 50) + "\"\nok,3\n"
    for chunks in Cuts.all(of: Array(text.utf8)) {
      #expect(
        read(chunks, maximum: 20) == [
          "1: ok|1", "line 2: the record is too long", "3: ok|2",
          "line 4: the quote that opens here is not closed", "5: ok|3",
        ])
    }
  }

  @Test("made of random bytes are read alike, however they are cut")
  func randomBytes() {
    var generator = SplitMix64(seed: 4180)
    let alphabet = Array("ab,\"\"\r\n\n".utf8)
    for round in 0..<300 {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      let whole = read([bytes], maximum: 24)
      for chunks in Cuts.all(of: bytes, seed: UInt64(round)) {
        #expect(read(chunks, maximum: 24) == whole, "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  @Test("without quotes are split at separators and line ends")
  func splitting() {
    var generator = SplitMix64(seed: 8)
    // Includes bytes that differ from separators and line ends in one bit.
    let alphabet: [UInt8] =
      [0x2C, 0x0A, 0x0D] + Array("-+(<l\u{8}\u{B}\u{C}\u{E}\u{F}*abcdefgh".utf8)
    for _ in 0..<400 {
      let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      let lines = bytes.split(omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }
      let expected = lines.map { line in
        line.split(separator: 0x2C, omittingEmptySubsequences: false)
          .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
      }
      let found = read([bytes]).map { $0.drop { $0 != ":" }.dropFirst(2) }
      #expect(found.map(String.init) == expected)
    }
  }

  @Test("keep many columns, quoted or not, however the bytes are cut")
  func manyColumns() {
    var generator = SplitMix64(seed: 16)
    for columns in [15, 16, 17, 40] {
      let rows = (0..<6).map { _ in
        (0..<columns).map { _ in
          let length = Int.random(in: 0...21, using: &generator)
          return (text: String(repeating: "x", count: length), isQuoted: generator.next() % 5 == 0)
        }
      }
      let text = rows.map { row in
        row.map { $0.isQuoted ? "\"\($0.text)\"" : $0.text }.joined(separator: ",") + "\r\n"
      }.joined()
      let expected = rows.enumerated().map { index, row in
        "\(index + 1): " + row.map(\.text).joined(separator: "|")
      }
      for chunks in Cuts.all(of: Array(text.utf8), seed: UInt64(columns)) {
        #expect(read(chunks, maximum: 2000) == expected)
      }
    }
  }

  @Test("made of many random bytes are read alike whole and byte by byte")
  func longRandomBytes() {
    var generator = SplitMix64(seed: 17)
    let alphabet = Array("abcdefgh,,\"\r\n\u{8B}-".utf8)
    for _ in 0..<100 {
      let bytes = (0..<400).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      #expect(read([bytes], maximum: 90) == read(bytes.map { [$0] }, maximum: 90))
    }
  }
}
