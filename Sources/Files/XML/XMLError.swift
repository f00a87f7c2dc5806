/// A fault in XML, with its place.
package struct XMLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: String, Equatable, Sendable {
    /// The text is not well-formed.
    case notWellFormed
    /// The bytes are not in the declared encoding, or the encoding is unknown.
    case badEncoding
    /// The document type declares entities, which are never expanded.
    case entityDeclaration
    /// An element is nested too deeply or an attribute is too long.
    case limit
    /// There is no memory for the parser.
    case outOfMemory
  }

  /// What is wrong.
  package var reason: Reason
  /// The line of the fault, from 1.
  package var line: Int
  /// The column, from 1, in characters; 0 if unknown.
  package var column: Int
  /// The fault as one sentence without its place and without a full stop.
  package var sentence: String

  /// Makes an error of its parts.
  package init(reason: Reason, line: Int, column: Int, sentence: String) {
    self.reason = reason
    self.line = line
    self.column = column
    self.sentence = sentence
  }

  /// Place and fault as one sentence without a full stop.
  package var description: String {
    column > 0 ? "line \(line), column \(column): \(sentence)" : "line \(line): \(sentence)"
  }
}
