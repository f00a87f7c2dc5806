/// Writes values as JSON in one pass, several times faster than Foundation's encoder.
///
/// Live sessions and the C library write their saved states with it, and states can be large.
/// Foundation's encoder makes a tree of objects first. Members come in the order in which the value
/// encodes them.
package final class StateEncoder: Encoder {
  // One property, because every access to one of a class is checked at run time.
  fileprivate var text = JSONText()

  /// Always empty: errors do not say where in the value they arose.
  package let codingPath: [any CodingKey] = []
  /// Always empty.
  package let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Encodes a value.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot express, or the value's own error.
  package static func bytes(of value: some Encodable) throws -> [UInt8] {
    let encoder = StateEncoder()
    try encoder.write(value)
    var bytes: [UInt8] = []
    encoder.text.output.withBytes { (written: Span<UInt8>) in
      // The bytes are copied before the closure returns.
      bytes = unsafe written.withUnsafeBufferPointer { unsafe Array($0) }
    }
    return bytes
  }

  /// Begins the object of the value, or goes on with it if the value has asked before.
  package func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Container(encoder: self, depth: text.valueObject()))
  }

  /// Begins another object inside the value.
  fileprivate func newContainer<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Container(encoder: self, depth: text.begin("{", "}")))
  }

  /// Begins an array.
  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    Container<NoKey>(encoder: self, depth: text.begin("[", "]"))
  }

  /// Prepares for a value that is neither an object nor an array.
  package func singleValueContainer() -> any SingleValueEncodingContainer {
    Container<NoKey>(encoder: self, depth: nil)
  }

  /// Writes a value and ends every object and array that it began.
  fileprivate func write<Value: Encodable>(_ value: Value) throws {
    // Most of a session is lists, whose elements are slow to encode one by one.
    if Value.self == [Double].self, let list = value as? [Double] {
      return try text.write(list) { text, number throws in try text.write(number) }
    }
    if Value.self == [Int64].self, let list = value as? [Int64] {
      return text.write(list) { $0.write(Int($1)) }
    }
    if Value.self == [Int].self, let list = value as? [Int] {
      return text.write(list) { $0.write($1) }
    }
    if Value.self == [Bool].self, let list = value as? [Bool] {
      return text.write(list) { $0.write($1) }
    }
    let outer = text.start
    let start = text.beginValue()
    try value.encode(to: self)
    text.endValue(begun: start)
    text.start = outer
  }
}

/// JSON that is being written, with the objects and arrays that are still open.
///
/// Swift's `Encodable` never says that a container is complete. A container ends when an outer one
/// goes on, or when its value ends.
private struct JSONText: ~Copyable {
  private(set) var output = OutputBuffer()
  /// The closing bracket of each open container, and whether it has members yet.
  private var containers: [(end: UInt8, isEmpty: Bool)] = []

  /// Where the value that is being written began.
  var start = Start()

  /// The state of the text where a value began.
  struct Start {
    /// How many containers were open.
    var depth = 0
    /// The number of bytes.
    var count = 0
  }

  /// Begins an object or array, and returns the number of open ones, which is its depth.
  mutating func begin(_ start: Unicode.Scalar, _ end: Unicode.Scalar) -> Int {
    output.append(UInt8(ascii: start))
    containers.append((UInt8(ascii: end), true))
    return containers.count
  }

  /// Prepares for the next member or element of a container, which ends those inside it.
  mutating func advance(in depth: Int, to key: String?) {
    close(to: depth)
    if !containers[depth - 1].isEmpty { output.append(UInt8(ascii: ",")) }
    containers[depth - 1].isEmpty = false
    guard let key else { return }
    write(key)
    output.append(UInt8(ascii: ":"))
  }

  /// Remembers where a value begins, so that its end can be found.
  mutating func beginValue() -> Start {
    start = Start(depth: containers.count, count: output.count)
    return start
  }

  /// Ends a value: closes what it opened, or writes an empty object if it wrote nothing.
  mutating func endValue(begun start: Start) {
    // A value without members asks for no container.
    if output.count == start.count { write(verbatim: "{}") }
    close(to: start.depth)
  }

  /// Begins the object of the value, unless the value has begun it already.
  mutating func valueObject() -> Int {
    output.count == start.count ? begin("{", "}") : start.depth + 1
  }

  /// Ends the innermost containers until so many are open.
  private mutating func close(to depth: Int) {
    while containers.count > depth { output.append(containers.removeLast().end) }
  }

  /// Writes a whole array at once, without a container for its elements.
  mutating func write<Element>(
    _ list: [Element], _ element: (inout JSONText, Element) throws -> Void
  ) rethrows {
    output.append("[")
    for (index, value) in list.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      try element(&self, value)
    }
    output.append("]")
  }

  mutating func write(verbatim text: String) { output.append(verbatim: text) }
  mutating func write(_ number: Int) { output.append(decimal: number) }
  mutating func write(_ isTrue: Bool) { write(verbatim: isTrue ? "true" : "false") }

  /// Writes a number in Swift's shortest form; throws if it is not finite.
  mutating func write(_ number: some BinaryFloatingPoint & LosslessStringConvertible) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, .init(codingPath: [], debugDescription: "JSON has only finite numbers"))
    }
    write(verbatim: number.description)
  }

  mutating func write(_ text: String) { output.append(json: text) }
}

/// The key of containers without keys; it has no values.
private enum NoKey: CodingKey {}

/// An object, an array, or a single value, which has no key and no depth.
private struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol, UnkeyedEncodingContainer,
  SingleValueEncodingContainer
{
  let encoder: StateEncoder
  /// The number of open containers, this one included; nil for a single value.
  let depth: Int?
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  /// The encoder, ready for the value of a member, or of an element without a key.
  private mutating func next(_ key: String? = nil) -> StateEncoder {
    count += 1
    if let depth { encoder.text.advance(in: depth, to: key) }
    return encoder
  }

  mutating func encodeNil() { next().text.write(verbatim: "null") }
  mutating func encode(_ value: Bool) { next().text.write(value) }
  mutating func encode(_ value: String) { next().text.write(value) }
  mutating func encode(_ value: Double) throws { try next().text.write(value) }
  mutating func encode(_ value: Float) throws { try next().text.write(value) }
  mutating func encode(_ value: Int) { next().text.write(value) }
  mutating func encode(_ value: Int64) { next().text.write(Int(value)) }
  mutating func encode(_ value: some FixedWidthInteger & Encodable) {
    next().text.write(verbatim: value.description)
  }
  mutating func encode(_ value: some Encodable) throws { try next().write(value) }

  mutating func encodeNil(forKey key: Key) {
    next(key.stringValue).text.write(verbatim: "null")
  }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    try next(key.stringValue).write(value)
  }

  mutating func nestedContainer<Nested>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    next().newContainer(keyedBy: type)
  }

  mutating func nestedContainer<Nested>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    next(key.stringValue).newContainer(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    next().unkeyedContainer()
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    next(key.stringValue).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    superEncoder(named: Key.self == NoKey.self ? nil : "super")
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    superEncoder(named: key.stringValue)
  }

  /// After this, the value itself can ask for no further object.
  private mutating func superEncoder(named key: String?) -> StateEncoder {
    let encoder = next(key)
    _ = encoder.text.beginValue()
    return encoder
  }
}
