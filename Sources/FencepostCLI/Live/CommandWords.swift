/// Splits a command into words as a shell does, and does nothing else that a shell does.
enum CommandWords {
  /// The words of a command.
  ///
  /// Blanks separate words. Within single quotes all is literal; within double quotes a backslash
  /// makes `"` and `\` literal; elsewhere it makes any character literal.
  ///
  /// - Returns: Nil where a quote is not closed, or nothing follows a backslash.
  static func split(_ command: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var rest = command[...]
    while let character = rest.popFirst() {
      switch character {
      case " ", "\t", "\n":
        if let complete = word { words.append(complete) }
        word = nil
      case "'":
        guard let end = rest.firstIndex(of: "'") else { return nil }
        word = (word ?? "") + rest[..<end]
        rest = rest[rest.index(after: end)...]
      case "\"":
        guard let quoted = doubleQuoted(&rest) else { return nil }
        word = (word ?? "") + quoted
      case "\\":
        guard let literal = rest.popFirst() else { return nil }
        word = (word ?? "") + String(literal)
      default:
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }

  /// Takes what stands before the closing quote, and the quote; nil where there is none.
  private static func doubleQuoted(_ rest: inout Substring) -> String? {
    var text = ""
    while let character = rest.popFirst() {
      if character == "\"" { return text }
      if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
        rest.removeFirst()
        text.append(next)
      } else {
        text.append(character)
      }
    }
    return nil
  }
}
