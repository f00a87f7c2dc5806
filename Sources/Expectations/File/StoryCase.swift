import FencepostFormats

/// One test: walks, the rules that apply, and what must happen.
package struct StoryCase: Sendable {
  package let name: String
  /// Where it stands in the document.
  package let path: String
  /// The walks of one reader, in order, at least one.
  package let tracks: [CaseTrack]
  package let rules: [CaseRule]
  /// What must happen; empty in a case that is still to be recorded.
  package let expectations: [StoryExpectation]

  init(
    _ node: JSONNode, _ shared: [CaseRule], _ persons: [String: [CaseTrack]],
    _ rulesIn: (String) throws -> [CaseRule]
  ) throws {
    try node.check(keys: ["name", "track", "person", "profile", "rules", "expect"])
    (name, path) = (try node.member("name").text(), node.path)
    var own = try CaseRule.all(in: node.optionalMember("rules"), rulesIn)
    if let profile = try node.optionalMember("profile") {
      own.append(CaseRule(name: "profile", values: try profile.texts(), path: profile.path))
    }
    rules = CaseRule.merged(shared, with: own)
    switch (try node.optionalMember("track"), try node.optionalMember("person")) {
    case (let track?, nil): tracks = try CaseTrack.all(in: track)
    case (nil, let person?):
      guard let known = persons[try person.text()] else {
        throw person.error("is not one of the file's persons")
      }
      tracks = known
    default: throw node.error("needs either \"track\" or \"person\"")
    }
    expectations =
      try node.optionalMember("expect")?.elements().map { try StoryExpectation($0) } ?? []
  }
}

// MARK: - Tables of parameters

extension StoryCase {
  /// The case, once for each row of its table of parameters.
  ///
  /// `<limit>` stands for the row's value of `limit`: a text that consists of it alone becomes the
  /// value itself.
  static func rows(of node: JSONNode) throws(JSONPathError) -> [JSONNode] {
    guard let table = try node.optionalMember("parameters"),
      case .object(let members) = node.value
    else { return [node] }
    let template = members.filter { $0.key != "parameters" }
    var rows: [JSONNode] = []
    for row in try table.elements() {
      guard case .object(let parameters) = row.value, !parameters.isEmpty else {
        throw row.error("must give each parameter a value")
      }
      var filled = JSONValue.object(template).filled(with: parameters)
      filled.appendToName(parameters, unless: members)
      rows.append(JSONNode(filled, path: node.path))
    }
    guard !rows.isEmpty else { throw table.error("there is no row") }
    return rows
  }
}

extension JSONValue {
  /// The value with `<name>` replaced by the parameter of that name.
  fileprivate func filled(with parameters: [Member]) -> JSONValue {
    switch self {
    case .string(let text):
      var result = text
      for parameter in parameters {
        let mark = "<\(parameter.key)>"
        if text == mark { return parameter.value }
        if let value = parameter.value.scalarText { result.replace(mark, with: value) }
      }
      return .string(result)
    case .array(let elements): return .array(elements.map { $0.filled(with: parameters) })
    case .object(let members):
      return .object(
        members.map { Member(key: $0.key, value: $0.value.filled(with: parameters)) })
    case .null, .boolean, .number: return self
    }
  }

  /// Appends the parameters to the case's name, unless the name shows one of them.
  fileprivate mutating func appendToName(_ parameters: [Member], unless template: [Member]) {
    guard case .object(var members) = self,
      let index = members.firstIndex(where: { $0.key == "name" }),
      let name = members[index].value.scalarText,
      template.first(where: { $0.key == "name" })?.value.scalarText == name
    else { return }
    let list = parameters.map { "\($0.key) \($0.value.scalarText ?? "…")" }
    members[index].value = .string("\(name) (\(list.joined(separator: ", ")))")
    self = .object(members)
  }
}
