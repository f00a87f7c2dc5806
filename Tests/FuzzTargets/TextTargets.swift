import FencepostFiles
import FencepostFormats

/// The readers of JSON and XML, on which decoders and importers are built.
enum TextTargets {
  static func checkJSON(_ bytes: [UInt8]) throws(Finding) {
    let whole = try demandSame(bytes) { readJSON(bytes, in: $0) }
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
    let written = text(of: tree)
    let again = try? JSONValue(parsing: written)
    try demand(again == tree, "written out and read again it is another tree: \(written)")
  }

  fileprivate struct Reading<Failure: Equatable>: Equatable {
    var tokens: [String] = []
    var open: [String] = []
    var isNested = true
    var error: Failure?
  }

  private static func readJSON(
    _ bytes: [UInt8], in pieces: [Range<Int>]
  ) -> Reading<JSONError> {
    var reader = JSONReader()
    var reading = Reading<JSONError>()
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
    _ reader: inout JSONReader, into reading: inout Reading<JSONError>
  ) throws(JSONError) {
    while let event = try reader.next() {
      let text = [.key, .string, .number].contains(event) ? reader.string : ""
      reading.tokens.append("\(event) \(text) \(reader.depth) \(reader.byteOffset) \(reader.line)")
    }
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
    let whole = try demandSame(bytes) { readXML(bytes, in: $0) }
    guard let error = whole.error else {
      try demand(whole.open.isEmpty && whole.isNested, "elements do not contain each other")
      return
    }
    // Text of 16 bits to the character has more lines than bytes tell.
    let isThere = error.line >= 1 && error.column >= 0
    try demand(isThere, "a fault is at \(error.line):\(error.column)")
    try demand(!error.sentence.isEmpty, "an error says nothing")
  }

  private static func readXML(_ bytes: [UInt8], in pieces: [Range<Int>]) -> Reading<XMLError> {
    var reader = XMLReader()
    var reading = Reading<XMLError>()
    for piece in pieces where reading.error == nil {
      reader.push(bytes.span.extracting(piece))
      reading.error = reader.read(&reading)
    }
    reader.finish()
    reading.error = reader.read(&reading)
    return reading
  }
}

extension TextTargets.Reading<XMLError>: XMLHandler {
  mutating func start(_ name: Span<UInt8>, _ tag: borrowing XMLStartTag) {
    open.append(String(utf8: name))
    let attributes = tag.attributes.map { "\($0.name)=\($0.value)" }
    tokens.append("<\(open[open.count - 1]) \(tag.namespaceURI) \(attributes)")
  }

  mutating func text(_ text: Span<UInt8>, line: Int) { tokens.append(String(utf8: text)) }

  mutating func end(line: Int) {
    guard let name = open.popLast() else { return isNested = false }
    tokens.append(">\(name)")
  }
}
