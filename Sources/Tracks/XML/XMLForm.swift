import FencepostFixes

/// A form of XML document that holds a track: which of its elements matter, and what they mean.
///
/// Elements are known by their place and local name, in any namespace or none.
protocol XMLForm: Sendable {
  associatedtype Place: Sendable

  /// The place of the document, whose only child is the root element.
  static var document: Place { get }

  /// Makes a form at the beginning of a document.
  init()

  /// The place of a child by its local name; nil to skip it with everything in it.
  func child(of place: Place, named name: Span<UInt8>) -> Place?

  /// An element begins.
  mutating func begin(_ place: Place)

  /// A piece of an element's text, which may come in several; it ends on a line.
  mutating func take(
    _ text: Span<UInt8>, at place: Place, line: Int, into batch: inout FixBatch
  ) throws(DecodeError)

  /// An element ends on a line.
  mutating func end(_ place: Place, line: Int, into batch: inout FixBatch) throws(DecodeError)

  /// The document ends, complete or not: appends what was held back.
  mutating func finish(into batch: inout FixBatch)
}
