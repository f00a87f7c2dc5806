package import FencepostFormats

/// The members of a JSON object, listed once for both directions: an ``OutputBuffer`` appends each as it stands, and
/// a ``DocumentReader`` replaces each by what the document has.
///
/// What a document of an earlier version lacks keeps its value.
protocol DocumentMembers: ~Copyable {
  associatedtype Failure: Error

  mutating func property<Value: DocumentValue>(
    _ key: StaticString, _ value: inout Value
  ) throws(Failure)
  /// A value that is `null` if there is none.
  mutating func property<Value: DocumentValue>(
    _ key: StaticString, _ value: inout Value?
  ) throws(Failure)
  /// A value that is left out if there is none.
  mutating func property<Value: DocumentValue>(
    ifAny key: String, _ value: inout Value?
  ) throws(Failure)
  /// An array of `count` numbers.
  mutating func property(
    _ key: StaticString, _ numbers: inout [Int], count: Int
  ) throws(Failure)
  mutating func property(
    _ key: StaticString, _ value: inout Double, decimals: Int
  ) throws(Failure)
  /// An instant in milliseconds since 1970.
  mutating func property(_ key: StaticString, time: inout Int64?) throws(Failure)
  /// Members that follow from others: written, never read.
  mutating func derived(_ write: (inout OutputBuffer) -> Void)
}

extension OutputBuffer: DocumentMembers {
  typealias Failure = Never

  mutating func property<Value: DocumentValue>(_ key: StaticString, _ value: inout Value) {
    member(key, value)
  }

  mutating func property<Value: DocumentValue>(_ key: StaticString, _ value: inout Value?) {
    member(key, value)
  }

  mutating func property<Value: DocumentValue>(ifAny key: String, _ value: inout Value?) {
    guard let value else { return }
    self.key(named: key)
    value.append(to: &self)
  }

  mutating func property(_ key: StaticString, _ numbers: inout [Int], count: Int) {
    property(key, &numbers)
  }

  mutating func property(_ key: StaticString, _ value: inout Double, decimals: Int) {
    member(key, value, decimals: decimals)
  }

  mutating func property(_ key: StaticString, time: inout Int64?) { member(key, jsonTime: time) }

  mutating func derived(_ write: (inout OutputBuffer) -> Void) { write(&self) }
}

/// Reads the members of one object of a document.
struct DocumentReader: DocumentMembers {
  typealias Failure = JSONPathError

  let node: JSONNode

  mutating func property<Value: DocumentValue>(
    _ key: StaticString, _ value: inout Value
  ) throws(JSONPathError) {
    if let member = try node.optionalMember("\(key)") { value = try Value(member) }
  }

  mutating func property<Value: DocumentValue>(
    _ key: StaticString, _ value: inout Value?
  ) throws(JSONPathError) {
    try property(ifAny: "\(key)", &value)
  }

  mutating func property<Value: DocumentValue>(
    ifAny key: String, _ value: inout Value?
  ) throws(JSONPathError) {
    if let member = try node.optionalMember(key) { value = try Value(member) }
  }

  mutating func property(
    _ key: StaticString, _ numbers: inout [Int], count: Int
  ) throws(JSONPathError) {
    if let member = try node.optionalMember("\(key)") {
      numbers = try [Int](member, count: count)
    }
  }

  mutating func property(
    _ key: StaticString, _ value: inout Double, decimals: Int
  ) throws(JSONPathError) {
    if let member = try node.optionalMember("\(key)") { value = try member.double() }
  }

  mutating func property(_ key: StaticString, time: inout Int64?) throws(JSONPathError) {
    if let member = try node.optionalMember("\(key)") { time = try member.instantMilliseconds() }
  }

  mutating func derived(_ write: (inout OutputBuffer) -> Void) {}
}

/// A value that documents hold.
package protocol DocumentValue {
  /// Reads the value.
  init(_ node: JSONNode) throws(JSONPathError)
  /// Writes the value.
  func append(to output: inout OutputBuffer)
}

extension Int: DocumentValue {
  package init(_ node: JSONNode) throws(JSONPathError) { self = try node.integer() }
  package func append(to output: inout OutputBuffer) { output.append(decimal: self) }
}

extension String: DocumentValue {
  package init(_ node: JSONNode) throws(JSONPathError) { self = try node.string() }
  package func append(to output: inout OutputBuffer) { output.append(json: self) }
}

extension Bool: DocumentValue {
  package init(_ node: JSONNode) throws(JSONPathError) { self = try node.boolean() }
  package func append(to output: inout OutputBuffer) { output.append(self ? "true" : "false") }
}

extension Array: DocumentValue where Element: DocumentValue {
  package init(_ node: JSONNode) throws(JSONPathError) {
    self = []
    for element in try node.elements() { append(try Element(element)) }
  }

  package func append(to output: inout OutputBuffer) {
    output.appendArray(self) { $1.append(to: &$0) }
  }
}

extension [Int] {
  /// Reads an array of so many numbers.
  init(_ node: JSONNode, count: Int) throws(JSONPathError) {
    try self.init(node)
    guard self.count == count else { throw node.error("expected \(count) numbers") }
  }
}

/// Counts, in the order of their keys so that runs compare.
extension Dictionary: DocumentValue
where Key: LosslessStringConvertible & Comparable, Value == Int {
  package init(_ node: JSONNode) throws(JSONPathError) {
    self = [:]
    for name in try node.keys() {
      guard let key = Key(name) else { throw node.error("‘\(name)’ cannot be a key here") }
      self[key] = try node.member(name).integer()
    }
  }

  package func append(to output: inout OutputBuffer) {
    output.appendObject {
      for (key, count) in sorted(by: { $0.key < $1.key }) {
        $0.member(named: key.description, count)
      }
    }
  }
}

extension JSONNode {
  /// A line of a document.
  init(line: String) throws(JSONPathError) {
    do throws(JSONError) {
      self.init(try JSONValue(parsing: line))
    } catch {
      throw JSONPathError(path: "", sentence: "\(error)")
    }
  }
}
