import FencepostMonitoring
import FencepostFormats

/// A kind of value in a profile: how it is read and written.
protocol ProfileValue: Equatable, Sendable {
  static func read(_ node: JSONNode) throws(JSONPathError) -> Self
  var json: JSONValue { get }
}

extension Double: ProfileValue {
  static func read(_ node: JSONNode) throws(JSONPathError) -> Double { try node.double() }
  var json: JSONValue { .number(self, text: "") }
}

extension Int: ProfileValue {
  static func read(_ node: JSONNode) throws(JSONPathError) -> Int { try node.integer() }
  var json: JSONValue { .number(Double(self), text: "") }
}

extension Bound: ProfileValue where Value: ProfileValue {
  static func read(_ node: JSONNode) throws(JSONPathError) -> Bound {
    if case .string(let text) = node.value {
      guard text == "none" else { throw node.error("expected a number or \"none\"") }
      return .none
    }
    return .at(try Value.read(node))
  }

  var json: JSONValue {
    switch self {
    case .at(let value): value.json
    case .none: .string("none")
    }
  }
}

/// A choice among words.
protocol ProfileWord: ProfileValue, RawRepresentable<String>, CaseIterable {}

extension ProfileWord {
  static func read(_ node: JSONNode) throws(JSONPathError) -> Self {
    guard let word = Self(rawValue: try node.string()) else {
      throw node.error("expected one of \(allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  var json: JSONValue { .string(rawValue) }
}

extension Basis: ProfileWord {}
extension MonitoringOptions.InitialState: ProfileWord {}
extension SideTest: ProfileWord {}
extension AccuracyRule: ProfileWord {}
extension PhoneProfile.Kept: ProfileWord {}

extension Sourced where Value: ProfileValue {
  /// Reads a value with its source.
  ///
  /// - Parameters:
  ///   - node: The object.
  ///   - check: The sentence about a value that is out of range, nil for a good one.
  /// - Returns: The value.
  /// - Throws: The first fault with its path.
  static func read(
    _ node: JSONNode, _ check: (Value) -> String?
  ) throws(JSONPathError) -> Sourced {
    try node.allow(["value", "low", "high", "basis", "source"])
    let value = try checked(node.member("value"), check)
    var (low, high): (Value?, Value?)
    if let member = try node.optionalMember("low") { low = try checked(member, check) }
    if let member = try node.optionalMember("high") { high = try checked(member, check) }
    guard (low == nil) == (high == nil) else {
      throw node.error("\"low\" and \"high\" go together")
    }
    let basis = try Basis.read(node.member("basis"))
    guard basis != .assumed || low != nil else {
      throw node.error("what is assumed has a \"low\" and a \"high\" value")
    }
    let source = try node.member("source")
    guard try !source.string().isEmpty else { throw source.error("the source is empty") }
    return Sourced(value, low: low, high: high, basis: basis, source: try source.string())
  }

  private static func checked(
    _ node: JSONNode, _ check: (Value) -> String?
  ) throws(JSONPathError) -> Value {
    let value = try Value.read(node)
    if let sentence = check(value) { throw node.error(sentence) }
    return value
  }

  var json: JSONValue {
    .object(
      [
        ("value", value.json), ("low", low?.json), ("high", high?.json), ("basis", basis.json),
        ("source", .string(source)),
      ].compactMap { key, value in value.map { JSONValue.Member(key: key, value: $0) } })
  }
}

extension JSONNode {
  /// Fails if the object has a member of another name.
  func allow(_ names: [String]) throws(JSONPathError) {
    for key in try keys() where !names.contains(key) {
      throw error(
        "there is no member \"\(key)\" here; the members are \(names.joined(separator: ", "))")
    }
  }
}
