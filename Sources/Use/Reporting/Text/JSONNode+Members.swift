package import FencepostFormats

extension JSONNode {
  /// Returns what a member holds; throws if it is missing.
  func integer(_ key: String) throws(JSONPathError) -> Int { try member(key).integer() }
  /// Returns the text of a member; throws if it is missing.
  func string(_ key: String) throws(JSONPathError) -> String { try member(key).string() }
  /// Returns the number of a member; throws if it is missing.
  func double(_ key: String) throws(JSONPathError) -> Double { try member(key).double() }

  /// The value of a member, or nil if it is missing or null.
  package func optional<Value>(
    _ key: String, _ value: (JSONNode) -> () throws(JSONPathError) -> Value
  ) throws(JSONPathError) -> Value? {
    guard let node = try optionalMember(key) else { return nil }
    return try value(node)()
  }

  /// The elements of an array of whole numbers; throws unless there are `count`, if that is given.
  func integers(count: Int? = nil) throws(JSONPathError) -> [Int] {
    var numbers: [Int] = []
    for element in try elements() { numbers.append(try element.integer()) }
    guard let count, numbers.count != count else { return numbers }
    throw error("expected \(count) numbers")
  }
}
