import FencepostFixes
import FencepostFormats
import FencepostTime

/// A decoder for JSON documents of any size that knows which members matter.
///
/// A node is a position in the document's structure, such as "the time of a point". The decoder
/// follows the document from node to node, and skips values whose node is nil. Invalid JSON ends
/// the decoding with a ``DecodeError`` after everything before it.
protocol JSONDocumentDecoder: FixDecoder {
  /// A position in the structure that this format has.
  associatedtype Node: Sendable

  /// Where the decoder is in the document.
  var document: JSONDocument<Node> { get set }

  /// The node of an object's member, whose key is `reader.text`; nil to skip it.
  func member(of node: Node, _ reader: borrowing JSONReader) -> Node?

  /// The node of an array's elements; nil to skip them.
  func element(of node: Node) -> Node?

  /// An object or array begins.
  mutating func begin(_ node: Node)

  /// A number, string, Boolean or null.
  mutating func take(_ value: JSONReader.Event, at node: Node, _ reader: borrowing JSONReader)

  /// An object or array ends; `position` is that of its end.
  mutating func end(
    _ node: Node, _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError)

  /// The document ends, complete or not; append what was held.
  mutating func release(into batch: inout FixBatch)
}

/// Where a ``JSONDocumentDecoder`` is in its document.
///
/// Memory grows with the depth of nesting only.
struct JSONDocument<Node: Sendable>: Sendable {
  fileprivate var reader = JSONReader(isSequence: true)
  /// The node of the document, or of each document in a sequence.
  fileprivate let root: Node
  /// The objects and arrays around the current value, outermost first.
  fileprivate var open: [(node: Node, isObject: Bool)] = []
  /// The node of the last key's value.
  fileprivate var member: Node?
  /// The depth of open containers inside a skipped value.
  fileprivate var skippedDepth = 0

  /// Begins a document whose outermost value has this node.
  init(_ root: Node) { self.root = root }
}

extension JSONDocumentDecoder {
  /// Decodes the values that the next bytes complete.
  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    document.reader.push(bytes)
    try drain(into: &batch)
  }

  /// Decodes the last value and appends what was held; throws if the document is cut off.
  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    document.reader.finish()
    try drain(into: &batch)
    release(into: &batch)
  }

  /// Takes all complete values; before an error, appends what was held.
  private mutating func drain(into batch: inout FixBatch) throws(DecodeError) {
    do throws(DecodeError) {
      while let event = try nextEvent() { try take(event, into: &batch) }
    } catch {
      release(into: &batch)
      throw error
    }
  }

  /// The next event; an error says in which line and byte.
  private mutating func nextEvent() throws(DecodeError) -> JSONReader.Event? {
    do throws(JSONError) {
      return try document.reader.next()
    } catch {
      throw DecodeError(
        "\(error.sentence) (byte \(error.byteOffset))", line: error.line,
        byteOffset: error.byteOffset)
    }
  }

  /// Follows the document's structure, and hands on what has a node.
  private mutating func take(
    _ event: JSONReader.Event, into batch: inout FixBatch
  ) throws(DecodeError) {
    if document.skippedDepth > 0 {
      switch event {
      case .beginObject, .beginArray: document.skippedDepth += 1
      case .endObject, .endArray: document.skippedDepth -= 1
      default: break
      }
      return
    }
    switch event {
    case .key:
      document.member = document.open.last.flatMap { member(of: $0.node, document.reader) }
    case .beginObject, .beginArray:
      guard let node else { return document.skippedDepth = 1 }
      begin(node)
      document.open.append((node, event == .beginObject))
    case .endObject, .endArray:
      guard let node = document.open.popLast()?.node else { return }
      let position = SourcePosition(
        line: document.reader.currentLine(), byteOffset: document.reader.byteOffset)
      try end(node, position, into: &batch)
    case .string, .number, .boolean, .null: if let node { take(event, at: node, document.reader) }
    }
  }

  /// The node of the value that begins.
  private var node: Node? {
    guard let last = document.open.last else { return document.root }
    return last.isObject ? document.member : element(of: last.node)
  }
}

extension JSONReader {
  /// The last number, even in quotation marks; NaN for other values.
  func number(_ value: Event) -> Double {
    switch value {
    case .number: double
    case .string: DecimalNumber.double(parsing: text.span) ?? .nan
    default: .nan
    }
  }

  /// The last value as ISO 8601 or a number since 1970, even in quotation marks; nil for others.
  ///
  /// A time that states no zone follows the clock, or else is in UTC.
  func milliseconds(_ value: Event, by clock: ClockZone? = nil) -> Int64? {
    switch value {
    case .number: EpochTime.milliseconds(inAnyUnit: double)
    case .string:
      ISO8601.milliseconds(parsing: text.span, by: clock)
        ?? DecimalNumber.double(parsing: text.span).flatMap(EpochTime.milliseconds(inAnyUnit:))
    default: nil
    }
  }
}
