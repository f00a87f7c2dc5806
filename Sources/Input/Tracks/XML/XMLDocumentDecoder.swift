import FencepostFiles
import FencepostFixes
import FencepostFormats
import FencepostTime

/// A decoder for XML documents of any size that knows which elements matter.
///
/// A node is a position in the document's structure, such as "the time of a point". Elements are
/// matched by their parent and local name, in any namespace. Malformed XML ends the decoding with a
/// ``DecodeError`` after everything before it. Entities are never expanded.
protocol XMLDocumentDecoder: FixDecoder, XMLHandler, ~Copyable where Failure == DecodeError {
  associatedtype Node: Sendable

  var document: XMLDocument<Node> { get set }
  var assembler: PathAssembler { get set }

  /// The node of a child, by its local name; nil to skip it and everything in it.
  func child(of node: Node, named name: Span<UInt8>) -> Node?

  mutating func begin(
    _ node: Node, named name: Span<UInt8>, _ tag: borrowing XMLStartTag
  ) throws(DecodeError)

  /// A piece of an element's text, which ends on `line`; there may be several.
  mutating func take(_ text: Span<UInt8>, at node: Node, line: Int) throws(DecodeError)

  /// An element ends on `line`.
  mutating func end(_ node: Node, line: Int) throws(DecodeError)
}

struct XMLDocument<Node: Sendable>: ~Copyable {
  var reader = XMLReader()
  /// The batch that is decoded into, while the reader calls the decoder.
  var batch = FixBatch()
  /// The nodes of the open elements, except skipped ones.
  var open: [Node]
  /// The depth of open elements inside a skipped one.
  var skippedDepth = 0
  /// The clock of times that state no zone; nil for UTC.
  fileprivate(set) var clock: ClockZone?
  /// What was skipped before the document.
  fileprivate(set) var preface = XMLPreface()
  /// The first elements, for a document without positions.
  fileprivate(set) var elements: [String] = []
  private var elementCount = 0

  /// Creates a document; the only child of `root` is the root element.
  init(_ root: Node) { open = [root] }

  /// Remembers the names of the first elements.
  fileprivate mutating func note(_ name: Span<UInt8>) {
    guard elementCount < 200, elements.count < 8 else { return }
    elementCount += 1
    guard name.count <= 40 else { return }
    let name = String(utf8: name)
    if !elements.contains(name) { elements.append(name) }
  }
}

extension XMLDocumentDecoder where Self: ~Copyable {
  /// The decoder, for a document that begins after other bytes; its local times follow a clock.
  consuming func reading(after preface: XMLPreface, by clock: ClockZone?) -> Self {
    document.preface = preface
    document.clock = clock
    document.reader.skippedLines = preface.lineCount
    return self
  }

  /// Names what a document without positions holds.
  var notices: [String] {
    guard assembler.isEmpty, !document.elements.isEmpty else { return [] }
    if document.elements.contains("NetworkLink") {
      return ["it has no points, only a link to another file (NetworkLink); save that file instead"]
    }
    let names = document.elements.dropFirst().map { "<\($0)>" }.joined(separator: ", ")
    return ["it has no points" + (names.isEmpty ? ", only an empty document" : ", only \(names)")]
  }

  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    document.reader.push(bytes)
    try read(into: &batch)
  }

  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    document.reader.finish()
    try read(into: &batch)
    assembler.finish(into: &batch)
    if let fault = document.preface.fault { throw fault }
  }

  private mutating func read(into batch: inout FixBatch) throws(DecodeError) {
    do throws(DecodeError) {
      // The reader is moved out of `self`, since it changes `self`.
      var reader = XMLReader()
      swap(&reader, &document.reader)
      swap(&batch, &document.batch)
      defer {
        swap(&reader, &document.reader)
        swap(&batch, &document.batch)
      }
      guard let error = try reader.read(&self) else { return }
      let column = error.column > 0 ? " (column \(error.column))" : ""
      throw DecodeError(error.sentence + column, line: error.line)
    } catch {
      assembler.finish(into: &batch)
      throw error
    }
  }

  mutating func start(_ name: Span<UInt8>, _ tag: borrowing XMLStartTag) throws(DecodeError) {
    document.note(name)
    guard document.skippedDepth == 0, let parent = document.open.last,
      let node = child(of: parent, named: name)
    else {
      document.skippedDepth += 1
      return
    }
    document.open.append(node)
    try begin(node, named: name, tag)
  }

  mutating func text(_ text: Span<UInt8>, line: Int) throws(DecodeError) {
    guard document.skippedDepth == 0, let node = document.open.last else { return }
    try take(text, at: node, line: line)
  }

  mutating func end(line: Int) throws(DecodeError) {
    if document.skippedDepth > 0 {
      document.skippedDepth -= 1
    } else if let node = document.open.popLast() {
      try end(node, line: line)
    }
  }
}

/// The text of a short element, such as a number or time.
struct XMLField: Sendable {
  /// The longest number or time, in bytes.
  static var maximumBytes: Int { 128 }

  private(set) var bytes: [UInt8] = []

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ text: Span<UInt8>) {
    // One byte above the limit marks the text as too long.
    let room = Self.maximumBytes + 1 - bytes.count
    bytes.append(contentsOf: text.extracting(first: min(text.count, max(0, room))))
  }

  var isEmpty: Bool { bytes.span.trimmedRange.isEmpty }

  /// The number; NaN if invalid.
  var number: Double {
    guard bytes.count <= Self.maximumBytes else { return .nan }
    return DecimalNumber.double(parsing: bytes.span.extracting(bytes.span.trimmedRange)) ?? .nan
  }

  /// The time, which follows the clock if it states no zone; nil if invalid.
  func milliseconds(by clock: ClockZone?) -> Int64? {
    guard bytes.count <= Self.maximumBytes else { return nil }
    return ISO8601.milliseconds(
      parsing: bytes.span.extracting(bytes.span.trimmedRange), by: clock)
  }

  /// The text on one line, shortened; nil if empty.
  var line: String? {
    let bytes = self.bytes.span.extracting(self.bytes.span.trimmedRange)
    guard bytes.count > 0 else { return nil }
    let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    // A character may be cut at the limit.
    return self.bytes.count <= Self.maximumBytes ? line : "\(line.dropLast())…"
  }

  var quoted: String { Self.quoted(bytes.span.extracting(bytes.span.trimmedRange)) }

  /// Quotes text for a message, shortened and on one line.
  static func quoted(_ text: Span<UInt8>) -> String {
    let limit = 40
    let characters = String(String(utf8: text).map { $0.isWhitespace ? " " : $0 })
    return characters.count > limit ? "“\(characters.prefix(limit))…”" : "“\(characters)”"
  }
}

extension Span<UInt8> {
  /// The range without leading and trailing XML white space.
  var trimmedRange: Range<Int> { trimmedRange(0..<count) }

  /// Shrinks a range by its leading and trailing XML white space.
  func trimmedRange(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, Self.isXMLWhiteSpace(self[start]) { start += 1 }
    while end > start, Self.isXMLWhiteSpace(self[end - 1]) { end -= 1 }
    return start..<end
  }

  private static func isXMLWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
