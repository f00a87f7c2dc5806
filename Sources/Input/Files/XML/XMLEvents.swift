import FencepostFormats

/// The events of one slice of a document; their ranges refer to `bytes`.
///
/// One array of bytes holds all names and texts, so that a slice costs few allocations. The events
/// are valid until the next call of ``XMLReader/next()``.
package struct XMLEvents {
  /// One event: an element starts or ends, or there is text.
  ///
  /// An element always has both a start and an end, also one written as `<a/>`.
  package struct Record {
    /// What the event is.
    package enum Kind { case start, end, text }

    /// Whether an element starts or ends, or there is text.
    package let kind: Kind
    /// The range of an element's local name, or of character data.
    ///
    /// An element's text may come in several pieces.
    package let name: Range<Int>
    /// Identifies the namespace within the document; 0 for none.
    package let namespace: Int
    let attributes: Range<Int>
    /// The line, from 1, where the event ended.
    package let line: Int
  }

  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
    var namespace: Int
  }

  /// The events in the order of the document.
  package var records: [Record] = []
  var attributes: [Attribute] = []
  /// The names and texts in UTF-8, to which ranges refer.
  package var bytes: [UInt8] = []

  /// Returns the range in ``bytes`` of an attribute's value, or nil.
  ///
  /// An attribute without a namespace takes precedence. `name` is the local name, in ASCII.
  package func attribute(_ name: StaticString, of element: Record) -> Range<Int>? {
    var other: Range<Int>?
    for index in element.attributes
    where bytes.span.extracting(attributes[index].name).equals(name) {
      if attributes[index].namespace == 0 { return attributes[index].value }
      other = other ?? attributes[index].value
    }
    return other
  }

  /// The local name of an element, or the text of a text event.
  package func text(of record: Record) -> String { string(record.name) }

  /// The attributes of an element, without namespace declarations and document type defaults.
  package func attributes(of element: Record) -> [(name: String, value: String)] {
    attributes[element.attributes].map { (string($0.name), string($0.value)) }
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let first = bytes.count
    // The caller's bytes are valid during the call.
    unsafe bytes.append(contentsOf: text)
    return first..<bytes.count
  }
}

/// An error in an XML document.
///
/// The reader delivers every event before the error first.
package struct XMLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with the document.
  ///
  /// Only ``limit`` and ``entityDeclaration`` are rules of this program; the others are those of
  /// XML.
  package enum Reason: String, Equatable, Sendable {
    /// The document violates the rules of XML, or ends too early.
    case notWellFormed
    /// The encoding is unknown, or the bytes do not match it.
    case badEncoding
    /// The document type declares entities, which are never expanded.
    case entityDeclaration
    /// The document exceeds a limit, such as the depth of elements or the length of a tag.
    case limit
    /// Memory for libxml2 could not be allocated.
    case outOfMemory
  }

  /// What is wrong with the document.
  package var reason: Reason
  /// The line of the error, from 1.
  package var line: Int
  /// The column in characters, from 1; 0 if unknown.
  package var column: Int
  /// The message, without position or final period.
  package var sentence: String

  /// The message with its position, without a final period.
  package var description: String {
    column > 0 ? "line \(line), column \(column): \(sentence)" : "line \(line): \(sentence)"
  }
}
