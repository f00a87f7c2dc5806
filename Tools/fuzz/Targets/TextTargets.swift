import FencepostFiles
import FencepostFormats

/// The readers of JSON and XML, on which decoders and importers are built.
enum TextTargets {
  static func checkJSON(_ bytes: [UInt8]) throws(Finding) {
    let whole = readJSON(bytes, in: [0..<bytes.count])
    var cuts = Cuts(of: bytes)
    let pieces = cuts.pieces()
    try demand(readJSON(bytes, in: pieces) == whole, "cut into \(pieces) it reads otherwise")
    if let error = whole.error {
      try FixRules.check(line: error.line, byteOffset: error.byteOffset, of: bytes)
    }
    let tree: JSONValue
    do throws(JSONError) {
      tree = try JSONValue(parsing: bytes.span)
    } catch {
      try demand(
        error == whole.error || error.reason == .duplicateKey,
        "as a tree the fault is \(error), as events \(String(describing: whole.error))")
      return
    }
    try demand(whole.error == nil, "a tree comes of text with a fault")
    try checkAgain(tree)
  }

  private struct JSONReading: Equatable {
    var tokens: [String] = []
    var error: JSONError?
  }

  private static func readJSON(_ bytes: [UInt8], in pieces: [Range<Int>]) -> JSONReading {
    var reader = JSONReader()
    var reading = JSONReading()
    do throws(JSONError) {
      for piece in pieces {
        reader.push(bytes.span.extracting(piece))
        try take(&reader, into: &reading)
      }
      reader.finish()
      try take(&reader, into: &reading)
    } catch {
      reading.error = error
    }
    return reading
  }

  private static func take(
    _ reader: inout JSONReader, into reading: inout JSONReading
  ) throws(JSONError) {
    while let event = try reader.next() {
      let text = [.key, .string, .number].contains(event) ? reader.string : ""
      reading.tokens.append("\(event) \(text) \(reader.depth) \(reader.byteOffset) \(reader.line)")
    }
  }

  /// Written out and read again a tree is the same.
  private static func checkAgain(_ tree: JSONValue) throws(Finding) {
    let written = text(of: tree)
    do throws(JSONError) {
      let again = try JSONValue(parsing: written)
      try check(again, is: tree, written)
    } catch {
      throw Finding("\(error) in \(written)")
    }
  }

  private static func check(
    _ again: JSONValue, is tree: JSONValue, _ written: String
  ) throws(JSONError) {
    guard again != tree else { return }
    throw JSONError(reason: .badString, byteOffset: 0, line: 1, detail: "another tree: \(written)")
  }

  private static func text(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .number(_, let text): text
    case .string(let text): quoted(text)
    case .array(let elements): "[" + elements.map(text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { quoted($0.key) + ":" + text(of: $0.value) }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { scalar in
        guard scalar.value < 0x20 || scalar == "\"" || scalar == "\\" else { return "\(scalar)" }
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined() + "\""
  }

  // MARK: XML

  static func checkXML(_ bytes: [UInt8]) throws(Finding) {
    let whole = readXML(bytes, in: [0..<bytes.count])
    var cuts = Cuts(of: bytes)
    let pieces = cuts.pieces()
    try demand(readXML(bytes, in: pieces) == whole, "cut into \(pieces) it reads otherwise")
    if let error = whole.error {
      // Text of 16 bits to the character has more lines than bytes tell.
      let isThere = error.line >= 1 && error.column >= 0
      try demand(isThere, "a fault is at \(error.line):\(error.column)")
      try demand(!error.sentence.isEmpty, "an error says nothing")
    } else {
      try demand(whole.open.isEmpty && whole.isNested, "elements do not contain each other")
    }
  }

  private struct XMLReading: Equatable {
    var events: [String] = []
    var open: [String] = []
    var isNested = true
    var error: XMLError?
  }

  private static func readXML(_ bytes: [UInt8], in pieces: [Range<Int>]) -> XMLReading {
    var reader = XMLReader()
    var reading = XMLReading()
    do throws(XMLError) {
      for piece in pieces {
        reader.push(bytes.span.extracting(piece))
        try take(&reader, into: &reading)
      }
      reader.finish()
      try take(&reader, into: &reading)
    } catch {
      reading.error = error
    }
    return reading
  }

  private static func take(
    _ reader: inout XMLReader, into reading: inout XMLReading
  ) throws(XMLError) {
    while let event = try reader.next() {
      switch event {
      case .start:
        let attributes = (0..<reader.attributeCount).map {
          "\(reader.attributeName($0))=\(reader.attributeValue($0))"
        }
        reading.open.append(reader.localName)
        reading.events.append("<\(reader.localName) \(reader.namespace) \(attributes)")
      case .end:
        if reading.open.popLast() != reader.localName { reading.isNested = false }
        reading.events.append(">\(reader.localName)")
      case .text:
        reading.events.append("\(reader.text)")
      }
    }
  }
}
