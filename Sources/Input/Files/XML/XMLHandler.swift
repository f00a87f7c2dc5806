import FencepostCLibXML2
import FencepostFormats

/// Receives a document from ``XMLReader``, in order.
///
/// Spans and tags are valid during the call. An error that a method throws ends the parse; the
/// handler then receives nothing more.
@usableFromInline
package protocol XMLHandler: ~Copyable {
  /// The error that ends a parse; `Never` for a handler that reads every document to its end.
  associatedtype Failure: Error = Never

  /// An element starts.
  ///
  /// Each start has an end, also that of an element written as `<a/>`. `name` is the local name.
  mutating func start(_ name: Span<UInt8>, _ tag: borrowing XMLStartTag) throws(Failure)

  /// A piece of the text of the innermost open element, which ends on `line`.
  ///
  /// The text may come in several pieces.
  mutating func text(_ text: Span<UInt8>, line: Int) throws(Failure)

  /// The innermost open element ends on `line`.
  mutating func end(line: Int) throws(Failure)

  // The same for the handler at an address, which is all that libxml2 passes on.
  //
  // They have default implementations. As requirements they are compiled for each type of handler;
  // generic code would look up the type of the error at each call, which takes longer than most
  // handlers do.

  static func start(
    at handler: UnsafeMutableRawPointer, _ name: Span<UInt8>, _ tag: borrowing XMLStartTag
  ) throws
  static func text(at handler: UnsafeMutableRawPointer, _ text: Span<UInt8>, line: Int) throws
  static func end(at handler: UnsafeMutableRawPointer, line: Int) throws
}

extension XMLHandler where Self: ~Copyable {
  // Every `unsafe` of this type uses the address of a handler of this type, which `XMLPushParser`
  // borrows during a parse.

  @inlinable @inline(__always)
  package static func start(
    at handler: UnsafeMutableRawPointer, _ name: Span<UInt8>, _ tag: borrowing XMLStartTag
  ) throws {
    try unsafe handler.assumingMemoryBound(to: Self.self).pointee.start(name, tag)
  }

  @inlinable @inline(__always)
  package static func text(
    at handler: UnsafeMutableRawPointer, _ text: Span<UInt8>, line: Int
  ) throws {
    try unsafe handler.assumingMemoryBound(to: Self.self).pointee.text(text, line: line)
  }

  @inlinable @inline(__always)
  package static func end(at handler: UnsafeMutableRawPointer, line: Int) throws {
    try unsafe handler.assumingMemoryBound(to: Self.self).pointee.end(line: line)
  }
}

/// The start tag of an element.
///
/// Its bytes are libxml2's and valid during the call that receives the tag. The tag is only lent and
/// cannot be copied, so a handler cannot keep it.
@safe
@usableFromInline
package struct XMLStartTag: ~Copyable {
  // Every `unsafe` of this type uses these bytes.

  /// The line, from 1, where the tag ended.
  package let line: Int
  /// Identifies the namespace within the document; 0 for none.
  package let namespace: Int
  let uri: UnsafePointer<xmlChar>?
  /// Five pointers per attribute: local name, prefix, URI, and start and end of the value.
  let parts: UnsafeBufferPointer<UnsafePointer<xmlChar>?>

  /// The URI of the namespace; empty without one or if its prefix is undeclared.
  package var namespaceURI: String { unsafe uri.map { unsafe String(cString: $0) } ?? "" }

  /// The attributes, without namespace declarations.
  package var attributes: [(name: String, value: String)] {
    firstParts.map { first in
      let name = unsafe parts[first].map { unsafe String(cString: $0) } ?? ""
      return (name, unsafe String(utf8: value(at: first).span))
    }
  }

  /// Calls a closure with the value of an attribute, if the tag has it.
  ///
  /// An attribute without a namespace takes precedence. `name` is the local name, in ASCII.
  package func withAttribute(_ name: StaticString, _ body: (Span<UInt8>) -> Void) {
    var found: Int?
    for first in firstParts where unsafe xmlStrEqual(parts[first], name.utf8Start) != 0 {
      if unsafe found == nil || parts[first + 2] == nil { found = first }
      if unsafe parts[first + 2] == nil { break }
    }
    if let found { unsafe body(value(at: found).span) }
  }

  private var firstParts: StrideTo<Int> { unsafe stride(from: 0, to: parts.count, by: 5) }

  private func value(at first: Int) -> UnsafeBufferPointer<xmlChar> {
    guard let begin = unsafe parts[first + 3], let end = unsafe parts[first + 4] else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeBufferPointer(start: begin, count: end - begin)
  }
}
