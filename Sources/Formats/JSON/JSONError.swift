/// A fault in JSON text, with its place.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: String, Equatable, Sendable {
    /// A character that the grammar does not allow there.
    case unexpectedCharacter
    /// The text ends within a value, or is empty.
    case truncated
    /// Something follows the value.
    case trailingText
    /// A number is not of JSON's form.
    case badNumber
    /// A string has a control character, an unknown escape or half a surrogate pair.
    case badString
    /// Bytes are not UTF-8.
    case invalidUTF8
    /// Arrays and objects are nested more deeply than permitted.
    case tooDeep
    /// A string or number is longer than permitted.
    case tooLong
    /// An object has two members of one name; only ``JSONValue`` checks this.
    case duplicateKey
  }

  /// What is wrong.
  package var reason: Reason
  /// The offset of the fault, from 0.
  package var byteOffset: Int
  /// The line of the fault, from 1.
  package var line: Int
  /// The name or character at fault or the bound that was exceeded, or empty.
  package var detail: String

  /// Makes an error of its parts.
  package init(reason: Reason, byteOffset: Int, line: Int, detail: String = "") {
    self.reason = reason
    self.byteOffset = byteOffset
    self.line = line
    self.detail = detail
  }

  /// The fault as one sentence without a full stop.
  package var description: String { "line \(line), byte \(byteOffset): \(sentence)" }

  /// The fault without its place.
  package var sentence: String {
    switch reason {
    case .unexpectedCharacter: "unexpected \(detail) in JSON"
    case .truncated: "the JSON text ends too early"
    case .trailingText: "text follows the JSON value"
    case .badNumber: "not a JSON number"
    case .badString: "not a JSON string: \(detail)"
    case .invalidUTF8: "the text is not UTF-8"
    case .tooDeep: "the JSON text is nested more than \(detail) deep"
    case .tooLong: "a JSON string or number is longer than \(detail) bytes"
    case .duplicateKey: "the member \"\(detail)\" is there twice"
    }
  }
}
