import FencepostFormats
import FencepostMonitoring

extension PhoneProfile {
  /// Reads a profile from JSON, as described by `Data/schemas/profile.schema.json`.
  ///
  /// - Parameter bytes: The JSON. Unknown members are errors. With a `base`, values that are not
  ///   given are those of that built-in profile.
  /// - Throws: The first error, with its line and the path of the value.
  package init(parsing bytes: Span<UInt8>) throws(ProfileError) {
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw ProfileError(line: error.line, path: "", sentence: error.sentence)
    }
    do throws(JSONPathError) {
      self = try PhoneProfile(JSONNode(document))
    } catch {
      throw ProfileError(error, in: bytes)
    }
  }

  private init(_ node: JSONNode) throws(JSONPathError) {
    let sections = ProfileField.sections
    try node.allow(["name", "title", "base", "card"] + sections.map { $0.name })
    let base = try node.optionalMember("base")
    self = PhoneProfile(name: "", title: "")
    if let base { self = try BuiltInProfile(base).profile }
    name = try Self.readName(node.member("name"))
    title = try node.member("title").string()
    card = []
    for line in try node.optionalMember("card")?.elements() ?? [] { card.append(try line.string()) }
    for section in sections {
      let isWhole = base == nil && section.name != "faults"
      let found = isWhole ? try node.member(section.name) : try node.optionalMember(section.name)
      guard let found else { continue }
      try found.allow(section.fields.map { $0.key })
      for field in section.fields {
        let value = isWhole ? try found.member(field.key) : try found.optionalMember(field.key)
        if let value { try field.read(value, &self) }
      }
    }
    guard test.accuracy.value == .ignore || test.at.value == .fixes else {
      throw JSONPathError(
        path: "test.accuracy.value",
        sentence: "must be \"ignore\" unless test.at is \"fixes\"")
    }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  private static func readName(_ node: JSONNode) throws(JSONPathError) -> String {
    let name = try node.string()
    guard isName(name) else {
      throw node.error("expected lowercase letters, digits and hyphens")
    }
    return name
  }

  /// The whole profile as JSON with an indent of two spaces and a final newline.
  package var json: String {
    let sections = ProfileField.sections.compactMap { section -> (String, JSONValue)? in
      let given = section.fields.filter { $0.basis(self) != nil }
      return given.isEmpty
        ? nil : (section.name, JSONValue.object(given.map { ($0.key, $0.json(self)) }))
    }
    let card: [(String, JSONValue)] =
      card.isEmpty ? [] : [("card", .array(card.map { .string($0) }))]
    return JSONValue.object([("name", .string(name)), ("title", .string(title))] + card + sections)
      .indentedText() + "\n"
  }
}

extension Sourced where Value: ProfileValue {
  /// Reads a value with its source; `fault` returns a message if the value is out of range.
  init(_ node: JSONNode, _ fault: (Value) -> String?) throws(JSONPathError) {
    func checked(_ node: JSONNode) throws(JSONPathError) -> Value {
      let value = try Value(node)
      if let sentence = fault(value) { throw node.error(sentence) }
      return value
    }
    try node.allow(["value", "low", "high", "basis", "source"])
    value = try checked(node.member("value"))
    if let member = try node.optionalMember("low") { low = try checked(member) }
    if let member = try node.optionalMember("high") { high = try checked(member) }
    guard (low == nil) == (high == nil) else {
      throw node.error("\"low\" and \"high\" must be given together")
    }
    basis = try Basis(node.member("basis"))
    guard basis != .assumed || low != nil else {
      throw node.error("an assumed value must have a \"low\" and a \"high\" value")
    }
    source = try node.member("source").string()
    guard !source.isEmpty else { throw try node.member("source").error("the source is empty") }
  }

  var json: JSONValue {
    var members = [("value", value.json)]
    if let low { members.append(("low", low.json)) }
    if let high { members.append(("high", high.json)) }
    return .object(members + [("basis", basis.json), ("source", .string(source))])
  }
}

protocol ProfileValue: Equatable, Sendable {
  init(_ node: JSONNode) throws(JSONPathError)
  var json: JSONValue { get }
  /// The value as text for people.
  var words: String { get }
}

extension ProfileValue {
  var words: String { json.string ?? json.indentedText() }
}

extension Double: ProfileValue {
  init(_ node: JSONNode) throws(JSONPathError) { self = try node.double() }
  var json: JSONValue { .number(self, text: "") }
}

extension Int: ProfileValue {
  init(_ node: JSONNode) throws(JSONPathError) { self = try node.integer() }
  var json: JSONValue { .number(Double(self), text: "") }
}

extension Bound: ProfileValue where Value: ProfileValue {
  init(_ node: JSONNode) throws(JSONPathError) {
    if case .string(let text) = node.value {
      guard text == "none" else { throw node.error("expected a number or \"none\"") }
      self = .none
    } else {
      self = .at(try Value(node))
    }
  }

  var json: JSONValue { value?.json ?? .string("none") }
}

protocol ProfileWord: ProfileValue, RawRepresentable<String>, CaseIterable {}

extension ProfileWord {
  init(_ node: JSONNode) throws(JSONPathError) {
    guard let word = Self(rawValue: try node.string()) else {
      let words = Self.allCases.map { $0.rawValue }.joined(separator: ", ")
      throw node.error("expected one of \(words)")
    }
    self = word
  }

  var json: JSONValue { .string(rawValue) }
}

extension Basis: ProfileWord {}
extension MonitoringOptions.InitialState: ProfileWord {}
extension SideTest: ProfileWord {}
extension AccuracyRule: ProfileWord {}
extension PhoneProfile.Kept: ProfileWord {}

extension JSONNode {
  func allow(_ names: [String]) throws(JSONPathError) {
    for key in try keys() where !names.contains(key) {
      throw error(
        "unknown member \"\(key)\"; expected one of \(names.joined(separator: ", "))")
    }
  }
}

extension JSONValue {
  static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { Member(key: $0.0, value: $0.1) })
  }

  /// The value as text with an indent of two spaces; an array of numbers stays on one line.
  func indentedText(_ indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .null: return "null"
    case .boolean(let flag): return flag ? "true" : "false"
    case .number(let number, _):
      let text = "\(number)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    case .string(let string): return Self.quoted(string)
    case .array(let elements):
      let texts = elements.map { $0.indentedText(inner) }
      if elements.allSatisfy({ $0.double != nil }) {
        return "[" + texts.joined(separator: ", ") + "]"
      }
      return "[\n\(inner)" + texts.joined(separator: ",\n\(inner)") + "\n\(indent)]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let texts = members.map { Self.quoted($0.key) + ": " + $0.value.indentedText(inner) }
      return "{\n\(inner)" + texts.joined(separator: ",\n\(inner)") + "\n\(indent)}"
    }
  }

  private static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case ..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
