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

/// A table for people, with columns as wide as their contents.
///
/// On a terminal that is too narrow, the first column is cut. Where 20 columns or fewer are left
/// for it, long texts stand on lines of their own.
struct TextTable {
  /// A column; a literal makes one for numbers, which are aligned right.
  struct Column: ExpressibleByStringLiteral {
    fileprivate var title: String
    fileprivate var isRight = true

    init(stringLiteral title: String) { self.title = title }

    static func right(_ title: String) -> Column { Column(stringLiteral: title) }

    static func left(_ title: String) -> Column {
      var column = Column(stringLiteral: title)
      column.isRight = false
      return column
    }
  }

  private let columns: [Column]
  private let rows: [[String]]

  init(_ columns: [Column], _ rows: [[String]]) { (self.columns, self.rows) = (columns, rows) }

  func write(to output: inout OutputBuffer, layout: TextLayout) {
    var widths = columns.map { $0.title.displayWidth }
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], cell.displayWidth)
      }
    }
    let others = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
    let isNarrow = layout.cuts && widths[0] + others > layout.columns
    if isNarrow { widths[0] = max(columns[0].title.displayWidth, layout.columns - others) }
    let standsAlone = isNarrow && widths[0] <= 20
    let style = layout.style(.bold)
    output.begin(style)
    write(columns.map { $0.title }, widths, to: &output)
    output.end(style)
    output.append("\n")
    for var row in rows {
      if standsAlone, row[0].displayWidth > widths[0] {
        output.append(verbatim: row[0].forTerminal.cut(toColumns: layout.columns) + "\n")
        row[0] = ""
      }
      write(row, widths, to: &output)
      output.append("\n")
    }
  }

  private func write(_ cells: [String], _ widths: [Int], to output: inout OutputBuffer) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { output.append("  ") }
      let isLast = index == cells.count - 1
      if isLast, !columns[index].isRight {
        output.append(verbatim: cell.forTerminal)
      } else {
        output.append(cell: cell, columns: widths[index], isRight: columns[index].isRight)
      }
    }
  }
}
