import FencepostTime

/// A value in a JSON document that has the wrong kind or content.
package struct JSONPathError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path, such as `reminders[3].hour`; empty for the document itself.
  package var path: String
  /// The message, without the path.
  package var sentence: String

  package init(path: String, sentence: String) {
    self.path = path
    self.sentence = sentence
  }

  /// The message with the path, without a final period.
  package var description: String {
    path.isEmpty ? "the document: \(sentence)" : "\(path): \(sentence)"
  }
}

/// A JSON value that knows its path, so that errors can name it.
///
/// Each method throws ``JSONPathError`` if the value is not of the requested kind.
package struct JSONNode: Equatable, Sendable {
  package let value: JSONValue
  /// The path, such as `reminders[3].hour`; empty for the document itself.
  package let path: String

  /// Creates the root node of a document.
  package init(_ value: JSONValue) { self.init(value, path: "") }

  /// Creates a node at a path of its document.
  package init(_ value: JSONValue, path: String) {
    self.value = value
    self.path = path
  }

  package func error(_ sentence: String) -> JSONPathError {
    JSONPathError(path: path, sentence: sentence)
  }

  /// Returns an object's member; throws if it is missing or null.
  package func member(_ key: String) throws(JSONPathError) -> JSONNode {
    guard let node = try optionalMember(key) else { throw error("\"\(key)\" is missing") }
    return node
  }

  /// Returns an object's member, or nil if it is missing or null.
  package func optionalMember(_ key: String) throws(JSONPathError) -> JSONNode? {
    guard case .object = value else { throw mismatch("an object") }
    guard let member = value[key], member != .null else { return nil }
    return JSONNode(member, path: path.isEmpty ? key : "\(path).\(key)")
  }

  package func keys() throws(JSONPathError) -> [String] {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return members.map { $0.key }
  }

  package func elements() throws(JSONPathError) -> [JSONNode] {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return elements.enumerated().map { JSONNode($0.element, path: "\(path)[\($0.offset)]") }
  }

  package func string() throws(JSONPathError) -> String {
    guard let string = value.string else { throw mismatch("a string") }
    return string
  }

  /// Returns the number, which must be finite.
  package func double() throws(JSONPathError) -> Double {
    guard let double = value.double else { throw mismatch("a number") }
    guard double.isFinite else { throw error("the number is too large") }
    return double
  }

  package func integer() throws(JSONPathError) -> Int {
    guard case .number = value else { throw mismatch("a whole number") }
    guard let integer = value.integer else { throw error("expected a whole number") }
    return integer
  }

  package func boolean() throws(JSONPathError) -> Bool {
    guard let boolean = value.boolean else { throw mismatch("true or false") }
    return boolean
  }

  /// Parses an ISO 8601 string as milliseconds since 1970-01-01T00:00:00Z.
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
