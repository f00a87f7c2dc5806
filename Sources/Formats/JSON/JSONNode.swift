/// A value that is not what a document should have at a place, with the path to it.
public struct JSONPathError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The place, such as `reminders[3].hour`; empty for the document itself.
  public var path: String
  /// What is wrong there, without the path.
  public var sentence: String

  /// Makes an error of its parts.
  public init(path: String, sentence: String) {
    self.path = path
    self.sentence = sentence
  }

  /// Path and fault as one sentence without a full stop.
  public var description: String {
    path.isEmpty ? "the document: \(sentence)" : "\(path): \(sentence)"
  }
}

/// A value within a document together with the path that leads to it, so that whoever reads the
/// document can say where it is wrong.
public struct JSONNode: Equatable, Sendable {
  /// The value.
  public let value: JSONValue
  /// The place, such as `reminders[3].hour`; empty for the document itself.
  public let path: String

  /// Makes the node of a whole document.
  public init(_ value: JSONValue) {
    self.init(value, path: "")
  }

  private init(_ value: JSONValue, path: String) {
    self.value = value
    self.path = path
  }

  /// The error that says what is wrong with this node.
  public func error(_ sentence: String) -> JSONPathError {
    JSONPathError(path: path, sentence: sentence)
  }

  /// An object's member.
  ///
  /// - Throws: ``JSONPathError`` where there is none or this is no object.
  public func member(_ key: String) throws(JSONPathError) -> JSONNode {
    guard let node = try optionalMember(key) else { throw error("\"\(key)\" is missing") }
    return node
  }

  /// An object's member, or nil where there is none or it is null.
  ///
  /// - Throws: ``JSONPathError`` where this is no object.
  public func optionalMember(_ key: String) throws(JSONPathError) -> JSONNode? {
    guard case .object = value else { throw mismatch("an object") }
    guard let member = value[key], member != .null else { return nil }
    return JSONNode(member, path: path.isEmpty ? key : "\(path).\(key)")
  }

  /// The names of an object's members in their order.
  ///
  /// - Throws: ``JSONPathError`` where this is no object.
  public func keys() throws(JSONPathError) -> [String] {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return members.map(\.key)
  }

  /// An array's elements.
  ///
  /// - Throws: ``JSONPathError`` where this is no array.
  public func elements() throws(JSONPathError) -> [JSONNode] {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return elements.enumerated().map { JSONNode($0.element, path: "\(path)[\($0.offset)]") }
  }

  /// The string.
  ///
  /// - Throws: ``JSONPathError`` where this is none.
  public func string() throws(JSONPathError) -> String {
    guard let string = value.string else { throw mismatch("a string") }
    return string
  }

  /// The number.
  ///
  /// - Throws: ``JSONPathError`` where this is none, or not a finite one.
  public func double() throws(JSONPathError) -> Double {
    guard let double = value.double else { throw mismatch("a number") }
    guard double.isFinite else { throw error("the number is too large") }
    return double
  }

  /// The whole number.
  ///
  /// - Throws: ``JSONPathError`` where this is none.
  public func integer() throws(JSONPathError) -> Int {
    guard case .number = value else { throw mismatch("a whole number") }
    guard let integer = value.integer else { throw error("expected a whole number") }
    return integer
  }

  /// The truth value.
  ///
  /// - Throws: ``JSONPathError`` where this is none.
  public func boolean() throws(JSONPathError) -> Bool {
    guard let boolean = value.boolean else { throw mismatch("true or false") }
    return boolean
  }

  /// The instant of an ISO 8601 string, in milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// - Throws: ``JSONPathError`` where this is none.
  public func instantMilliseconds() throws(JSONPathError) -> Int64 {
    guard let instant = ISO8601.milliseconds(parsing: try string()) else {
      throw error("expected a time such as 2026-03-04T17:00:12Z")
    }
    return instant
  }

  private func mismatch(_ expected: String) -> JSONPathError {
    error("expected \(expected), found \(value.kind)")
  }
}
