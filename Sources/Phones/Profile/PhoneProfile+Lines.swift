import FencepostFormats

extension PhoneProfile {
  /// How many of its values have a kind of source.
  public func values(restingOn basis: Basis) -> Int {
    entries.count { $0.basis == basis.rawValue }
  }

  /// The profile in lines for people: each value, its range, and on a line of its own the source.
  public var lines: [String] {
    var lines = ["\(name): \(title)"]
    var section = ""
    for entry in entries {
      if entry.section != section {
        section = entry.section
        lines += ["", section]
      }
      lines.append("  \(entry.key): \(entry.value)")
      lines.append("    \(entry.basis): \(entry.source)")
    }
    return lines
  }

  /// A value with its names, as text.
  private struct Entry {
    var section: String
    var key: String
    var value: String
    var basis: String
    var source: String
  }

  private var entries: [Entry] {
    guard case .object(let sections) = document else { return [] }
    return sections.flatMap { section -> [Entry] in
      guard case .object(let members) = section.value else { return [] }
      return members.map { member in
        var value = member.value["value"]?.words ?? ""
        if let low = member.value["low"], let high = member.value["high"] {
          value += " (low \(low.words), high \(high.words))"
        }
        return Entry(
          section: section.key, key: member.key, value: value,
          basis: member.value["basis"]?.string ?? "", source: member.value["source"]?.string ?? "")
      }
    }
  }
}

extension JSONValue {
  /// A value of a profile in words.
  var words: String {
    switch self {
    case .string(let string): string
    case .object: distributionWords
    default: indentedText
    }
  }

  private var distributionWords: String {
    switch self["kind"]?.string {
    case "constant": self["value"]?.words ?? ""
    case "lognormal":
      "lognormal, median \(self["median"]?.words ?? ""), sigma \(self["sigma"]?.words ?? "")"
    case "quantiles":
      (self["at"]?.array ?? []).map { pair in
        let share = ((pair.array?.first?.double ?? 0) * 1e4).rounded() / 100
        return "\(JSONValue.number(share, text: "").words) % ≤ \(pair.array?.last?.words ?? "")"
      }.joined(separator: ", ")
    default:
      (self["parts"]?.array ?? []).map { part in
        let share = ((part["share"]?.double ?? 0) * 1e4).rounded() / 100
        return "\(JSONValue.number(share, text: "").words) % of [\(part["of"]?.words ?? "")]"
      }.joined(separator: ", ")
    }
  }
}
