import FencepostFormats
import TestSupport
import Testing

@Suite("JSON tokens")
struct JSONReaderTests {
  /// The tokens of a text in short, and the error at its end if there is one.
  private func read(_ chunks: [[UInt8]], limits: JSONReader.Limits = .init()) -> String {
    var found: [String] = []
    var reader = JSONReader(limits: limits)
    func drain() -> Bool {
      do throws(JSONError) {
        while let event = try reader.next() {
          switch event {
          case .beginObject: found.append("{")
          case .endObject: found.append("}")
          case .beginArray: found.append("[")
          case .endArray: found.append("]")
          case .key: found.append("\(reader.string):")
          case .string: found.append("'\(reader.string)'")
          case .number: found.append("\(reader.double)")
          case .boolean(let flag): found.append("\(flag)")
          case .null: found.append("null")
          }
        }
        return true
      } catch {
        found.append("!\(error.reason.rawValue)@\(error.line):\(error.byteOffset)")
        return false
      }
    }
    for chunk in chunks {
      reader.push(chunk.span)
      if !drain() { return found.joined(separator: " ") }
    }
    reader.finish()
    _ = drain()
    return found.joined(separator: " ")
  }

  @Test(
    "are told one by one, however the bytes are cut",
    arguments: [
      ("{}", "{ }"), ("[]", "[ ]"), (" 1 ", "1.0"), ("-0.5e+2", "-50.0"), ("0", "0.0"),
      ("true", "true"), ("[false,null]", "[ false null ]"), ("\"\"", "''"),
      ("\u{FEFF}[1]", "[ 1.0 ]"),
      (
        "{\"a\":[1,2,{\"b\":\"c\"}],\"d\":\"é😀\"}",
        "{ a: [ 1.0 2.0 { b: 'c' } ] d: 'é😀' }"
      ),
      (#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00""#, "'\"\\/\u{8}\u{C}\n\r\tAé😀'"),
      (#"{"k\u0065y" : 1}"#, "{ key: 1.0 }"),
    ])
  func accepted(text: String, expected: String) {
    for chunks in Cuts.all(of: Array(text.utf8)) { #expect(read(chunks) == expected) }
  }

  @Test(
    "of what is no JSON end with an error and its place",
    arguments: [
      ("", "!truncated@1:0"), (" \n", "!truncated@2:2"), ("[1,", "[ 1.0 !truncated@1:3"),
      ("{\"a\"", "{ a: !truncated@1:4"), ("\"abc", "!truncated@1:0"),
      ("tru", "!truncated@1:0"), ("trux", "!unexpectedCharacter@1:0"),
      ("[1,]", "[ 1.0 !unexpectedCharacter@1:3"), ("[1 2]", "[ 1.0 !unexpectedCharacter@1:3"),
      ("{\"a\" 1}", "{ a: !unexpectedCharacter@1:5"),
      ("{\"a\":1,}", "{ a: 1.0 !unexpectedCharacter@1:7"),
      ("{1:2}", "{ !unexpectedCharacter@1:1"), ("[}", "[ !unexpectedCharacter@1:1"),
      ("{]", "{ !unexpectedCharacter@1:1"), ("1 2", "1.0 !trailingText@1:2"),
      ("{}\n\nx", "{ } !trailingText@3:4"), ("01", "!badNumber@1:0"), ("-", "!badNumber@1:0"),
      ("1.", "!badNumber@1:0"), (".5", "!unexpectedCharacter@1:0"), ("1e", "!badNumber@1:0"),
      ("+1", "!unexpectedCharacter@1:0"), ("NaN", "!unexpectedCharacter@1:0"),
      ("'a'", "!unexpectedCharacter@1:0"), ("// c\n1", "!unexpectedCharacter@1:0"),
      ("[\"a\tb\"]", "[ !badString@1:3"), (#"["\x"]"#, "[ !badString@1:2"),
      (#"["\ud83d"]"#, "[ !badString@1:2"), (#"["\ude00"]"#, "[ !badString@1:2"),
      (#"["\u12"]"#, "[ !badString@1:2"), ("]", "!unexpectedCharacter@1:0"),
    ])
  func refused(text: String, expected: String) {
    for chunks in Cuts.all(of: Array(text.utf8)) { #expect(read(chunks) == expected) }
  }

  @Test(
    "must be UTF-8",
    arguments: [
      [0xE9], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
      [0xE2, 0x82], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xE0, 0x80, 0x80],
    ] as [[UInt8]])
  func invalidUTF8(sequence: [UInt8]) {
    let bytes = Array("[\"a".utf8) + sequence + Array("\"]".utf8)
    for chunks in Cuts.all(of: bytes) { #expect(read(chunks) == "[ !invalidUTF8@1:3") }
  }

  @Test("may be nested to the limit and not beyond")
  func depth() {
    let fits = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(!read([Array(fits.utf8)]).contains("!"))
    let tooDeep = String(repeating: "[", count: 100_000)
    #expect(read([Array(tooDeep.utf8)]).hasSuffix("[ !tooDeep@1:128"))
  }

  @Test("may be as long as the limit and no longer")
  func length() {
    let limits = JSONReader.Limits(maximumTextBytes: 8)
    for chunks in Cuts.all(of: Array("[\"12345678\",12345678,\"123456789\"]".utf8)) {
      #expect(read(chunks, limits: limits) == "[ '12345678' 12345678.0 !tooLong@1:21")
    }
  }

  @Test("of a long string fed byte by byte are found in linear time")
  func longString() {
    let bytes = Array("\"\(String(repeating: "x", count: 400_000))\"".utf8)
    #expect(read(bytes.map { [$0] }).utf8.count == 400_002)
  }

  @Test("of damaged documents never crash the reader and do not depend on the cuts")
  func mutations() {
    let document = Array(
      #"{"type":"FeatureCollection","features":[{"a":[-75.1,39.9e0],"é":"\u00e9\n",“x”:null,"t":true}]}"#
        .utf8)
    var generator = SplitMix64(seed: 8259)
    for round in 0..<400 {
      var bytes = document
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[index], at: index)
        }
      }
      let whole = read([bytes])
      for chunks in Cuts.all(of: bytes, seed: UInt64(round)) { #expect(read(chunks) == whole) }
    }
  }
}
