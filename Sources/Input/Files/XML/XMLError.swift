/// An error in an XML document.
///
/// The handler receives everything before the error first.
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
