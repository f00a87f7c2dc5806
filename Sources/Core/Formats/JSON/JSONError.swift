/// A syntax error in JSON text.
///
/// A ``JSONReader`` that has thrown it cannot continue.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with the text.
  package enum Reason: String, Equatable, Sendable {
    case unexpectedCharacter
    /// The text is empty or ends within a value.
    case truncated
    /// More text follows the value.
    case trailingText
    /// A number breaks the grammar of JSON, such as `01` or `1.`.
    case badNumber
    /// A string has a control character, an unknown escape or a lone surrogate.
    case badString
    /// A string is not UTF-8.
    case invalidUTF8
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep
    /// A string or number is longer than the limit.
    case tooLong
    /// An object repeats a key; only ``JSONValue`` checks this.
    case duplicateKey
  }

  /// What is wrong with the text.
  package var reason: Reason
  /// The byte offset of the error, from 0.
  package var byteOffset: Int
  /// The line of the error, from 1.
  package var line: Int
  /// The offending name or character, or the limit exceeded; may be empty.
  package var detail = ""

  /// The message with its position, without a final period.
  package var description: String { "line \(line), byte \(byteOffset): \(sentence)" }

  /// The message without its position.
  package var sentence: String {
    switch reason {
    case .unexpectedCharacter: "unexpected \(detail) in JSON"
    case .truncated: "the JSON text ends too early"
    case .trailingText: "text follows the JSON value"
    case .badNumber: "invalid JSON number"
    case .badString: "invalid JSON string: \(detail)"
    case .invalidUTF8: "the text is not UTF-8"
    case .tooDeep: "the JSON text is nested more than \(detail) deep"
    case .tooLong: "a JSON string or number is longer than \(detail) bytes"
    case .duplicateKey: "the member \"\(detail)\" appears twice"
    }
  }
}
