extension Character {
  /// The width of the character on a terminal: 0, 1 or 2 columns.
  ///
  /// Follows Unicode's East Asian Width (UAX #11), where W and F take two columns, and gives emoji
  /// two. Terminals disagree in rare cases.
  var displayWidth: Int {
    var width = 0
    for scalar in unicodeScalars {
      if scalar == "\u{FE0F}" { return 2 }  // selects the emoji's picture
      width = max(width, scalar.displayWidth)
    }
    return width
  }
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    if isASCII { return isControl ? 0 : 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    return isWide || properties.isEmojiPresentation ? 2 : 1
  }

  /// Whether the East Asian Width is W or F.
  ///
  /// From Unicode 16's `EastAsianWidth.txt`, with ranges joined over unassigned code points.
  private var isWide: Bool {
    switch value {
    case 0x1100...0x115F,  // Hangul Jamo initials
      0x2E80...0x303E,  // CJK radicals, punctuation
      0x3041...0x33FF,  // kana, compatibility
      0x3400...0x4DBF, 0x4E00...0x9FFF,  // ideographs
      0xA000...0xA4CF,  // Yi
      0xA960...0xA97F, 0xAC00...0xD7A3,  // Hangul
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,  // compatibility forms
      0xFF00...0xFF60, 0xFFE0...0xFFE6,  // full-width forms
      0x16FE0...0x18D08, 0x1AFF0...0x1B2FB,  // Tangut, Khitan, kana
      0x1F200...0x1F265,  // enclosed ideographs
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

extension String {
  /// The width of the text on a terminal, in columns.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The text on one line, safe for a terminal.
  ///
  /// Line ends and tabs become spaces, other controls U+FFFD, and directional marks are dropped. So
  /// a title cannot move the cursor, ring the bell, color the screen or disguise itself.
  package var forTerminal: String {
    guard unicodeScalars.contains(where: { $0.isControl || $0.isDirectionMark || $0.isLineEnd })
    else { return self }
    var result = ""
    var previous: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      defer { previous = scalar }
      if scalar == "\n" && previous == "\r" { continue }
      if scalar.isDirectionMark { continue }
      if scalar == "\t" || scalar.isLineEnd {
        result.append(" ")
      } else if scalar.isControl {
        result.append("\u{FFFD}")
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text if it fits in `columns`, at least 1, else its first words and `…`.
  ///
  /// A word that would leave less than half of the columns is cut itself.
  package func cut(toColumns columns: Int) -> String {
    // No text has more columns than bytes, so most need no measuring.
    if utf8.count <= columns { return self }
    var width = 0
    var end = startIndex
    var endOfWords: String.Index?
    for index in indices {
      if self[index] == " ", 2 * width >= columns, width < columns { endOfWords = index }
      width += self[index].displayWidth
      if width > columns { return String(self[..<(endOfWords ?? end)]) + "…" }
      // Leave a column for the ellipsis.
      if width <= columns - 1 { end = self.index(after: index) }
    }
    return self
  }

  /// The text if it fits in `columns`, at least 1, else its beginning, `…` and its end.
  ///
  /// Of a path or an id, the end tells as much as the beginning.
  package func cutInside(toColumns columns: Int) -> String {
    if utf8.count <= columns || displayWidth <= columns { return self }
    // A column is the ellipsis'.
    let last = suffix(fitting: (columns - 1) / 2)
    var width = 0
    let first = prefix { character in
      width += character.displayWidth
      return width <= columns - 1 - last.displayWidth
    }
    return first + "…" + last
  }

  /// The longest end of the text that fits in so many columns.
  private func suffix(fitting columns: Int) -> String {
    var width = 0
    let reversed = reversed().prefix { character in
      width += character.displayWidth
      return width <= columns
    }
    return String(reversed.reversed())
  }
}

extension Unicode.Scalar {
  /// Whether a terminal or an editor may begin a new line here.
  fileprivate var isLineEnd: Bool {
    self == "\n" || self == "\r" || self == "\u{85}" || self == "\u{2028}" || self == "\u{2029}"
  }
}
