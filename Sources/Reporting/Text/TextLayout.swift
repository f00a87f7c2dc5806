package struct TextLayout: Equatable, Sendable {
  /// The number of columns, at least 60.
  package let columns: Int
  /// Whether to cut long texts at their column, as a terminal needs; a file or pipe gets all.
  package let cuts: Bool
  /// Whether headings are bold and suppressed rows faint.
  package let isStyled: Bool

  package init(terminalColumns: Int, isStyled: Bool = false) {
    self.columns = max(60, terminalColumns)
    self.cuts = true
    self.isStyled = isStyled
  }

  package init() {
    self.columns = 100
    self.cuts = false
    self.isStyled = false
  }

  func style(_ style: TextStyle) -> TextStyle { isStyled ? style : .plain }

  func writeHeading(_ text: String, to output: inout OutputBuffer) {
    if !output.isEmpty { output.append("\n") }
    output.append(line: text, style: style(.bold))
  }

  func writeMore(_ count: Int, to output: inout OutputBuffer) {
    guard count > 0 else { return }
    output.append(
      verbatim: "… and \(ReportNumber.count(count)) more. To see all: --format ndjson\n")
  }

  /// Appends a heading and a table of the first `most` elements, or nothing for none.
  func writeTable<Rows: Collection>(
    _ heading: String, _ columns: [TextTable.Column], _ rows: Rows, most: Int = .max,
    to output: inout OutputBuffer, _ cells: (Rows.Element) -> [String]
  ) {
    guard !rows.isEmpty else { return }
    writeHeading(heading, to: &output)
    TextTable(columns, rows.prefix(most).map(cells)).write(to: &output, layout: self)
    writeMore(rows.count - most, to: &output)
  }

  static let timeColumns = 8
  static let distanceColumns = 8
  private static let gapColumns = 8

  var placeColumns: Int { min(24, max(10, freeColumns / 4)) }
  var remarkColumns: Int { min(28, max(22, freeColumns * 2 / 5)) }
  var titleColumns: Int { min(60, max(4, freeColumns - placeColumns - remarkColumns)) }

  private var freeColumns: Int {
    columns - Self.timeColumns - Self.distanceColumns - Self.gapColumns
  }
}

enum TextStyle {
  case plain
  case bold
  case faint
}

extension OutputBuffer {
  /// Starts a style (ECMA-48, SGR).
  mutating func begin(_ style: TextStyle) {
    switch style {
    case .plain: break
    case .bold: append("\u{1B}[1m")
    case .faint: append("\u{1B}[2m")
    }
  }

  mutating func end(_ style: TextStyle) { if style != .plain { append("\u{1B}[0m") } }

  /// Appends a line in a style, safe for a terminal.
  mutating func append(line: String, style: TextStyle) {
    begin(style)
    append(verbatim: line.forTerminal)
    end(style)
    append(UInt8(ascii: "\n"))
  }

  /// Appends text safe for a terminal, padded to `columns` columns, and cut to them if need be.
  package mutating func append(
    cell text: String, columns: Int, isRight: Bool = false, cuts: Bool = true
  ) {
    let line = text.forTerminal
    let shown = cuts ? line.cut(toColumns: columns) : line
    let padding = max(0, columns - shown.displayWidth)
    if isRight { append(spaces: padding) }
    append(verbatim: shown)
    if !isRight { append(spaces: padding) }
  }

  private mutating func append(spaces count: Int) {
    for _ in 0..<count { append(UInt8(ascii: " ")) }
  }
}
