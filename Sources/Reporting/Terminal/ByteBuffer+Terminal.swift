/// How a stretch of text stands out on a terminal.
enum TextStyle {
  case plain
  case bold
  case faint
}

extension ByteBuffer {
  /// Begins a stretch in a style (ECMA-48, SGR).
  mutating func begin(_ style: TextStyle) {
    switch style {
    case .plain: break
    case .bold: append("\u{1B}[1m")
    case .faint: append("\u{1B}[2m")
    }
  }

  /// Ends a stretch in a style.
  mutating func end(_ style: TextStyle) {
    if style != .plain { append("\u{1B}[0m") }
  }

  /// Appends a line in a style, made safe for a terminal.
  mutating func append(line: String, style: TextStyle) {
    begin(style)
    append(verbatim: line.forTerminal)
    end(style)
    append(UInt8(ascii: "\n"))
  }

  /// Appends a text made safe for a terminal and cut or padded to exactly so many columns.
  public mutating func append(cell text: String, columns: Int, isRight: Bool = false) {
    let shown = text.forTerminal.cut(toColumns: columns)
    let padding = max(0, columns - shown.displayWidth)
    if isRight { append(spaces: padding) }
    append(verbatim: shown)
    if !isRight { append(spaces: padding) }
  }

  /// Appends spaces.
  mutating func append(spaces count: Int) {
    for _ in 0..<count { append(UInt8(ascii: " ")) }
  }
}
