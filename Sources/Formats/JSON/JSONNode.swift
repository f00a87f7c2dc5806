import FencepostTime

/// A value in a document that is not what it should be, with the path to it.
package struct JSONPathError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The place, such as `reminders[3].hour`; empty for the document itself.
  package var path: String
  /// What is wrong there, without the path.
  package var sentence: String

  /// Makes an error of its parts.
  package init(path: String, sentence: String) {
    self.path = path
    self.sentence = sentence
  }

  /// Path and fault as one sentence without a full stop.
  package var description: String {
    path.isEmpty ? "the document: \(sentence)" : "\(path): \(sentence)"
  }
}

/// A value in a document with its path, so that errors can name the place.
///
/// Each method throws a ``JSONPathError`` if the value is not of the kind it asks for.
package struct JSONNode: Equatable, Sendable {
  /// The value.
  package let value: JSONValue
  /// The place, such as `reminders[3].hour`; empty for the document itself.
  package let path: String

  /// Makes the node of a whole document.
  package init(_ value: JSONValue) {
    self.init(value, path: "")
  }

  private init(_ value: JSONValue, path: String) {
    self.value = value
    self.path = path
  }

  /// The error for this node.
  package func error(_ sentence: String) -> JSONPathError {
    JSONPathError(path: path, sentence: sentence)
  }

  /// A member of an object, which must have it.
  package func member(_ key: String) throws(JSONPathError) -> JSONNode {
    guard let node = try optionalMember(key) else { throw error("\"\(key)\" is missing") }
    return node
  }

  /// A member of an object, nil if it is missing or null.
  package func optionalMember(_ key: String) throws(JSONPathError) -> JSONNode? {
    guard case .object = value else { throw mismatch("an object") }
    guard let member = value[key], member != .null else { return nil }
    return JSONNode(member, path: path.isEmpty ? key : "\(path).\(key)")
  }

  /// The names of an object's members in their order.
  package func keys() throws(JSONPathError) -> [String] {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return members.map(\.key)
  }

  /// The elements of an array.
  package func elements() throws(JSONPathError) -> [JSONNode] {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return elements.enumerated().map { JSONNode($0.element, path: "\(path)[\($0.offset)]") }
  }

  /// The string.
  package func string() throws(JSONPathError) -> String {
    guard let string = value.string else { throw mismatch("a string") }
    return string
  }

  /// The number, which must be finite.
  package func double() throws(JSONPathError) -> Double {
    guard let double = value.double else { throw mismatch("a number") }
    guard double.isFinite else { throw error("the number is too large") }
    return double
  }

  /// The whole number.
  package func integer() throws(JSONPathError) -> Int {
    guard case .number = value else { throw mismatch("a whole number") }
    guard let integer = value.integer else { throw error("expected a whole number") }
    return integer
  }

  /// The truth value.
  package func boolean() throws(JSONPathError) -> Bool {
    guard let boolean = value.boolean else { throw mismatch("true or false") }
    return boolean
  }

  /// The instant of an ISO 8601 string, in milliseconds since 1970-01-01T00:00:00Z.
  package func instantMilliseconds() throws(JSONPathError) -> Int64 {
    guard let instant = ISO8601.milliseconds(parsing: try string()) else {
      throw error("expected a time such as 2026-03-04T17:00:12Z")
    }
    return instant
  }

  private func mismatch(_ expected: String) -> JSONPathError {
    error("expected \(expected), found \(value.kind)")
  }
}
