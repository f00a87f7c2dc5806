/// Splits a command into words as a shell does, without expansions.
enum ShellWords {
  /// The words of a command.
  ///
  /// Blanks separate words. Single quotes make everything literal; within double quotes a backslash
  /// escapes `"` and `\`; elsewhere it escapes any character.
  ///
  /// - Returns: Nil if a quote is not closed, or nothing follows a backslash.
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

  /// Takes the text up to the closing quote, and the quote; nil if there is none.
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
