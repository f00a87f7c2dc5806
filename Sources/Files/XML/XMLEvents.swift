import FencepostFormats

/// The events of one slice of a document.
///
/// Their ranges point into `bytes`.
package struct XMLEvents {
  /// One event.
  package struct Record {
    package var event = XMLReader.Event.text
    /// An element's local name, or character data.
    package var name = 0..<0
    /// The number of the namespace; equal for equal namespaces of a document, 0 without one.
    package var namespace = 0
    var attributes = 0..<0
    /// The line, from 1, where the event ended.
    package var line = 1
  }

  /// An attribute of an element.
  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
    var namespace: Int
  }

  package var records: [Record] = []
  var attributes: [Attribute] = []
  package var bytes: [UInt8] = []

  /// Finds an attribute of an element; one in no namespace comes before those in a namespace.
  ///
  /// - Parameters:
  ///   - name: The attribute's name without prefix, ASCII.
  ///   - element: The element.
  /// - Returns: The range in ``bytes`` of its value, or nil if the element lacks the attribute.
  package func attribute(_ name: StaticString, of element: Record) -> Range<Int>? {
    var other: Range<Int>?
    for index in element.attributes
    where bytes.span.extracting(attributes[index].name).equals(name) {
      if attributes[index].namespace == 0 { return attributes[index].value }
      other = other ?? attributes[index].value
    }
    return other
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
