import FencepostTime

/// A JSON value as a tree, for a single line or a document of moderate size.
///
/// For anything larger, read the tokens of a ``JSONReader``.
package enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  /// A number, as the nearest `Double` and as written.
  case number(Double, text: String)
  case string(String)
  case array([JSONValue])
  /// The members in document order; keys are unique.
  case object([Member])

  /// A key of an object with its value.
  package struct Member: Equatable, Sendable {
    /// The key, unescaped.
    package var key: String
    /// What stands behind the key.
    package var value: JSONValue

    /// Creates a member; the caller sees to it that keys are unique.
    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// Parses text that holds exactly one value.
  ///
  /// - Throws: ``JSONError``, including for a repeated key.
  package init(
    parsing bytes: Span<UInt8>, limits: JSONReader.Limits = JSONReader.Limits()
  ) throws(JSONError) {
    var reader = JSONReader(limits: limits)
    reader.push(bytes)
    reader.finish()
    guard let event = try reader.next() else {
      throw JSONError(reason: .truncated, byteOffset: 0, line: 1)
    }
    self = try JSONValue.read(event, &reader)
    _ = try reader.next()
  }

  /// Parses text that holds exactly one value, within the default limits.
  ///
  /// - Throws: ``JSONError``, including for a repeated key.
  package init(parsing text: String) throws(JSONError) {
    let bytes = ContiguousArray(text.utf8)
    try self.init(parsing: bytes.span)
  }

  /// Reads the rest of the value that an event begins.
  ///
  /// The reader must hold the whole value; otherwise the text counts as truncated.
  package static func read(
    _ event: JSONReader.Event, _ reader: inout JSONReader
  ) throws(JSONError) -> JSONValue {
    switch event {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .number: return .number(reader.double, text: reader.string)
    case .string, .key: return .string(reader.string)
    case .beginArray: return .array(try readElements(&reader))
    case .beginObject: return .object(try readMembers(&reader))
    case .endArray, .endObject: return .null
    }
  }

  private static func readElements(_ reader: inout JSONReader) throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    while true {
      let event = try require(&reader)
      if event == .endArray { return elements }
      elements.append(try read(event, &reader))
    }
  }

  private static func readMembers(_ reader: inout JSONReader) throws(JSONError) -> [Member] {
    var members: [Member] = []
    var keys: Set<String> = []
    while true {
      guard try require(&reader) == .key else { return members }
      let key = reader.string
      let isNew = keys.insert(key).inserted
      guard isNew else {
        throw JSONError(
          reason: .duplicateKey, byteOffset: reader.byteOffset, line: reader.line, detail: key)
      }
      members.append(Member(key: key, value: try read(try require(&reader), &reader)))
    }
  }

  private static func require(_ reader: inout JSONReader) throws(JSONError) -> JSONReader.Event {
    if let event = try reader.next() { return event }
    throw JSONError(reason: .truncated, byteOffset: reader.byteOffset, line: reader.line)
  }

  /// The member of an object; nil if it is missing or this is not an object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The number; nil for other values.
  package var double: Double? {
    if case .number(let value, _) = self { value } else { nil }
  }

  /// The whole number, even if written `1e3`; nil for other values or beyond the range of `Int`.
  package var integer: Int? {
    guard case .number(let value, let text) = self else { return nil }
    return Int(text) ?? Int(exactly: value)
  }

  /// The text of a string; nil for other values.
  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The flag; nil for other values.
  package var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The elements of an array; nil for other values.
  package var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The kind of value with its article, for messages: `a string`.
  package var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A value in a JSON document that has the wrong kind or content.
///
/// ``JSONNode`` throws it. It knows no line, because a tree does not keep lines.
package struct JSONPathError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path, such as `reminders[3].hour`; empty for the document itself.
  package var path: String
  /// The message, without the path.
  package var sentence: String

  /// Creates an error about the value at a path.
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
  /// The value itself.
  package let value: JSONValue
  /// The path, such as `reminders[3].hour`; empty for the document itself.
  package let path: String

  /// Creates a node at a path of its document, or its root.
  package init(_ value: JSONValue, path: String = "") { (self.value, self.path) = (value, path) }

  /// An error about this value, with its path.
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

  /// Returns the keys of an object in document order.
  package func keys() throws(JSONPathError) -> [String] {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return members.map { $0.key }
  }

  /// Returns the elements of an array, each with its path.
  package func elements() throws(JSONPathError) -> [JSONNode] {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return elements.enumerated().map { JSONNode($0.element, path: "\(path)[\($0.offset)]") }
  }

  /// Returns the text of a string.
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

  /// Returns a whole number, even if it is written `1e3`.
  package func integer() throws(JSONPathError) -> Int {
    guard case .number = value else { throw mismatch("a whole number") }
    guard let integer = value.integer else { throw error("expected a whole number") }
    return integer
  }

  /// Returns true or false.
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
