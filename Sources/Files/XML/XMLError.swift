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

  /// The message with its position, without a final period.
  package var description: String {
    column > 0 ? "line \(line), column \(column): \(sentence)" : "line \(line): \(sentence)"
  }
}
