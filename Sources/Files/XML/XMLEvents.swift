import FencepostFormats
import Glibc

/// The events of one slice of a document; their ranges refer to `bytes`.
package struct XMLEvents {
  package struct Record {
    package enum Kind { case start, end, text }

    package let kind: Kind
    /// The range of the local name of an element that starts, or of character data.
    ///
    /// An element's text may come in several pieces. An end has no name; elements are nested.
    package fileprivate(set) var name: Range<Int>
    /// Identifies the namespace within the document; 0 for none.
    package let namespace: Int
    let attributes: Range<Int>
    /// The line, from 1, on which a tag begins or a text ends.
    package fileprivate(set) var line: Int
  }

  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
    var hasPrefix: Bool
  }

  package var records: [Record] = []
  var attributes: [Attribute] = []
  package var bytes: [UInt8] = []

  /// Returns the range in ``bytes`` of an attribute's value, or nil.
  ///
  /// An attribute without a prefix takes precedence. `name` is the local name, in ASCII.
  package func attribute(_ name: StaticString, of element: Record) -> Range<Int>? {
    var other: Range<Int>?
    for index in element.attributes
    where bytes.span.extracting(attributes[index].name).equals(name) {
      if !attributes[index].hasPrefix { return attributes[index].value }
      other = other ?? attributes[index].value
    }
    return other
  }

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

  /// Whether the bytes in a range are those of a text.
  func holds(_ text: UnsafeBufferPointer<UInt8>, at range: Range<Int>) -> Bool {
    guard text.count == range.count, range.upperBound <= bytes.count else { return false }
    // Both sides have `count` bytes, and the caller's are valid during the call.
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, let other = text.baseAddress else { return true }
      return unsafe memcmp(base + range.lowerBound, other, text.count) == 0
    }
  }

  /// Records the last appended bytes as text, in one piece with text right before them.
  mutating func appendText(_ range: Range<Int>, endLine: Int) {
    if let last = records.indices.last, records[last].kind == .text,
      records[last].name.upperBound == range.lowerBound
    {
      records[last].name = records[last].name.lowerBound..<range.upperBound
      records[last].line = endLine
    } else {
      records.append(
        .init(kind: .text, name: range, namespace: 0, attributes: 0..<0, line: endLine))
    }
  }
}

/// An error in an XML document.
package struct XMLError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: String, Equatable, Sendable {
    case notWellFormed
    /// The encoding is unknown, or the bytes do not match it.
    case badEncoding
    /// The document type declares entities, which are never expanded.
    case entityDeclaration
    /// The document exceeds a limit, such as the depth of elements or the length of a tag.
    case limit
    case outOfMemory
  }

  package var reason: Reason
  /// The line of the error, from 1.
  package var line: Int
  /// The column in characters, from 1; 0 if unknown.
  package var column: Int
  /// The message, without position or final period.
  package var sentence: String

  package var description: String {
    column > 0 ? "line \(line), column \(column): \(sentence)" : "line \(line): \(sentence)"
  }
}
