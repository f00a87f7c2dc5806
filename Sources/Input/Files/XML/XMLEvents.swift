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
