/// A syntax error in JSON text.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with the text.
  package enum Reason: String, Equatable, Sendable {
    case unexpectedCharacter
    /// The text is empty or ends within a value.
    case truncated
    case trailingText
    case badNumber
    /// A string has a control character, an unknown escape or a lone surrogate.
    case badString
    case invalidUTF8
    case tooDeep
    case tooLong
    /// An object repeats a key; only ``JSONValue`` checks this.
    case duplicateKey
  }

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
