import FencepostFormats

extension JSONValue {
  /// An object of named members.
  static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { Member(key: $0.0, value: $0.1) })
  }

  /// The value as text, indented by two spaces; an array of numbers stays on a line.
  var indentedText: String {
    var text = ""
    append(to: &text, indent: "")
    return text
  }

  private func append(to text: inout String, indent: String) {
    switch self {
    case .null: text += "null"
    case .boolean(let flag): text += flag ? "true" : "false"
    case .number(let number, _): text += Self.text(number)
    case .string(let string): Self.append(quoted: string, to: &text)
    case .array(let elements): Self.append(elements, to: &text, indent: indent)
    case .object(let members):
      let inner = indent + "  "
      for (index, member) in members.enumerated() {
        text += (index == 0 ? "{\n" : ",\n") + inner
        Self.append(quoted: member.key, to: &text)
        text += ": "
        member.value.append(to: &text, indent: inner)
      }
      text += members.isEmpty ? "{}" : "\n\(indent)}"
    }
  }

  private static func append(_ elements: [JSONValue], to text: inout String, indent: String) {
    let isFlat = elements.allSatisfy { if case .number = $0 { true } else { false } }
    let inner = indent + "  "
    text += "["
    for (index, element) in elements.enumerated() {
      text += index == 0 ? "" : isFlat ? ", " : ","
      if !isFlat { text += "\n" + inner }
      element.append(to: &text, indent: inner)
    }
    text += isFlat ? "]" : "\n\(indent)]"
  }

  /// The shortest text that reads as the number; whole numbers without a fraction.
  private static func text(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func append(quoted string: String, to text: inout String) {
    text += "\""
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
    text += "\""
  }
}
