/// Why XML could not be read further, and where.
public struct XMLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: String, Equatable, Sendable {
    /// The text breaks the rules that every XML text keeps.
    case notWellFormed
    /// The bytes are not of the encoding that the text declares, or of one that is known.
    case badEncoding
    /// The document type declares entities, which are never expanded here.
    case entityDeclaration
    /// An element is nested too deeply or an attribute is too long.
    case limit
    /// There is no memory left for the parser.
    case outOfMemory
  }

  /// What is wrong.
  public var reason: Reason
  /// The line, from 1, where it was noticed.
  public var line: Int
  /// The column, from 1, in characters; 0 where it is unknown.
  public var column: Int
  /// The fault as one sentence without its place and without a full stop.
  public var sentence: String

  /// Makes an error of its parts.
  public init(reason: Reason, line: Int, column: Int, sentence: String) {
    self.reason = reason
    self.line = line
    self.column = column
    self.sentence = sentence
  }

  /// Place and fault as one sentence without a full stop.
  public var description: String {
    column > 0 ? "line \(line), column \(column): \(sentence)" : "line \(line): \(sentence)"
  }
}
