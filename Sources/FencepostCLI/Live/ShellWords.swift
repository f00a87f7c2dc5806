/// Splits a command into words as a shell does, without expansions.
enum ShellWords {
  /// A word of a command.
  struct Word: Equatable {
    /// Its text, without quotes and backslashes.
    var text = ""
    /// Whether a shell would replace something in it, or take it for an operator.
    var isForShell = false
  }

  /// The words of a command; nil if a quote is not closed, or nothing follows a backslash.
  static func split(_ command: String) -> [String]? { read(command)?.map(\.text) }

  /// The words of a command, and which of them are meant for a shell.
  ///
  /// Blanks separate words. Single quotes make everything literal; within double quotes a backslash
  /// escapes `"` and `\`; elsewhere it escapes any character.
  ///
  /// - Returns: Nil if a quote is not closed, or nothing follows a backslash.
  static func read(_ command: String) -> [Word]? {
    var words: [Word] = []
    var word: Word?
    var rest = command[...]
    while let character = rest.popFirst() {
      var next = word ?? Word()
      switch character {
      case " ", "\t", "\n":
        if let complete = word { words.append(complete) }
        word = nil
        continue
      case "'":
        guard let end = rest.firstIndex(of: "'") else { return nil }
        next.text += rest[..<end]
        rest = rest[rest.index(after: end)...]
      case "\"":
        guard takeDoubleQuoted(&rest, into: &next) else { return nil }
      case "\\":
        guard let literal = rest.popFirst() else { return nil }
        next.text.append(literal)
      default:
        let isOperator = "|&;<>".contains(character) || (character == "~" && word == nil)
        if isOperator || isExpansion(character, before: rest) { next.isForShell = true }
        next.text.append(character)
      }
      word = next
    }
    if let word { words.append(word) }
    return words
  }

  /// Takes the text up to the closing quote, and the quote; false if the quote is never closed.
  private static func takeDoubleQuoted(_ rest: inout Substring, into word: inout Word) -> Bool {
    while let character = rest.popFirst() {
      if character == "\"" { return true }
      if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
        rest.removeFirst()
        word.text.append(next)
      } else {
        if isExpansion(character, before: rest) { word.isForShell = true }
        word.text.append(character)
      }
    }
    return false
  }

  /// Whether a shell would put something else for what begins here: a variable, or a command's output.
  private static func isExpansion(_ character: Character, before rest: Substring) -> Bool {
    guard character == "$" else { return character == "`" }
    guard let next = rest.first else { return false }
    return next.isLetter || next == "_" || next == "{" || next == "("
  }
}
