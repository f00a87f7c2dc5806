/// How wide text is, and whether it may have styles.
///
/// A terminal has a width; a file has none.
package struct TextLayout: Equatable, Sendable {
  /// The number of columns, at least 60.
  package let columns: Int
  /// Whether whole lines are cut to the columns, as a terminal needs.
  ///
  /// In a file or pipe only what would push the next column aside is cut.
  package let cuts: Bool
  /// Whether headings are bold and suppressed rows faint.
  package let isStyled: Bool

  /// Creates the layout of a terminal; one narrower than 60 columns wraps.
  package init(terminalColumns: Int, isStyled: Bool = false) {
    self.columns = max(60, terminalColumns)
    self.cuts = true
    self.isStyled = isStyled
  }

  /// Creates the layout of a file or pipe: wide, without styles, and with whole lines.
  package init() {
    self.columns = 136
    self.cuts = false
    self.isStyled = false
  }

  /// The style, or plain text where styles are not wanted.
  func style(_ style: TextStyle) -> TextStyle { isStyled ? style : .plain }

  /// Appends a bold line, after an empty one unless it is the first.
  func writeHeading(_ text: String, to output: inout OutputBuffer) {
    if !output.isEmpty { output.append("\n") }
    output.append(line: text, style: style(.bold))
  }

  /// Appends how many rows were left out and how to see them; nothing if none were.
  func writeMore(_ count: Int, to output: inout OutputBuffer) {
    guard count > 0 else { return }
    output.append(
      verbatim: "… and \(ReportNumber.count(count)) more. To see all: --format ndjson\n")
  }

  /// Appends a heading and a table of the first `most` elements, or nothing for none.
  ///
  /// If rows are left out, a last line says how many. The closure makes the cells of a row, one for
  /// each column.
  func writeTable<Rows: Collection>(
    _ heading: String, _ columns: [TextTable.Column], _ rows: Rows, most: Int = .max,
    to output: inout OutputBuffer, _ cells: (Rows.Element) -> [String]
  ) {
    guard !rows.isEmpty else { return }
    writeHeading(heading, to: &output)
    TextTable(columns, rows.prefix(most).map(cells)).write(to: &output, layout: self)
    writeMore(rows.count - most, to: &output)
  }

  /// The width of a time, or of `fix` and a number.
  static let timeColumns = 8
  /// The width of a distance such as `812.5 m`.
  static let distanceColumns = 8
  private static let gapColumns = 8

  /// The most columns of an id, a title and what stands behind them.
  var placeColumns: Int { min(24, max(10, freeColumns / 4)) }
  var titleColumns: Int {
    min(Self.longTextColumns, max(5, freeColumns - placeColumns - remarkColumns))
  }
  var remarkColumns: Int { min(28, max(21, freeColumns * 2 / 5)) }
  /// The most columns of a title or of a table's first column.
  fileprivate static let longTextColumns = 60

  /// What the columns of fixed width leave for the others.
  private var freeColumns: Int {
    columns - Self.timeColumns - Self.distanceColumns - Self.gapColumns
  }
}

/// How a line stands out on a terminal.
enum TextStyle {
  /// As other text.
  case plain
  /// For headings and totals.
  case bold
  /// For what matters less, such as lookups and alerts that were held back.
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

  /// Ends a style, so that the next line is plain.
  mutating func end(_ style: TextStyle) { if style != .plain { append("\u{1B}[0m") } }

  /// Appends a line in a style, safe for a terminal.
  mutating func append(line: String, style: TextStyle) {
    begin(style)
    append(verbatim: line.forTerminal)
    end(style)
    append(UInt8(ascii: "\n"))
  }

  /// Appends text safe for a terminal, padded to `columns` columns, and cut to them if need be.
  ///
  /// Of a name, such as an id or a path, both ends are kept, because either may be what tells it from others.
  package mutating func append(
    cell text: String, columns: Int, isRight: Bool = false, isName: Bool = false
  ) {
    let line = text.forTerminal
    let shown = isName ? line.cutInside(toColumns: columns) : line.cut(toColumns: columns)
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
/// The first column is cut where it is long, or where a terminal is too narrow. Where 20 columns or
/// fewer are left for it, long texts stand on lines of their own. Numbers are aligned right and
/// texts left. The last column of text is never padded, so that lines have no spaces at the end.
struct TextTable {
  /// A column; a literal makes one for numbers, which are aligned right.
  struct Column: ExpressibleByStringLiteral {
    fileprivate var title: String
    fileprivate var isRight = true
    fileprivate var isName = false

    init(stringLiteral title: String) { self.title = title }

    /// A column of numbers.
    static func right(_ title: String) -> Column { Column(stringLiteral: title) }

    /// A column of text, which is cut at its end.
    static func left(_ title: String) -> Column {
      var column = Column(stringLiteral: title)
      column.isRight = false
      return column
    }

    /// A column of ids or paths, which are cut inside.
    static func name(_ title: String) -> Column {
      var column = left(title)
      column.isName = true
      return column
    }
  }

  private let columns: [Column]
  private let rows: [[String]]

  /// Creates a table; each row has a cell for each column.
  init(_ columns: [Column], _ rows: [[String]]) { (self.columns, self.rows) = (columns, rows) }

  /// Appends the titles and rows; the first column gives way where the others need the room.
  func write(to output: inout OutputBuffer, layout: TextLayout) {
    var widths = columns.map { $0.title.displayWidth }
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], cell.displayWidth)
      }
    }
    let others = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
    let most = layout.cuts ? layout.columns - others : TextLayout.longTextColumns
    let isNarrow = widths[0] > most
    if isNarrow { widths[0] = max(columns[0].title.displayWidth, most) }
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

  /// Appends the cells of a line without spaces at its end.
  private func write(_ cells: [String], _ widths: [Int], to output: inout OutputBuffer) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { output.append("  ") }
      let isLast = index == cells.count - 1
      if isLast, !columns[index].isRight {
        output.append(verbatim: cell.forTerminal)
      } else {
        let column = columns[index]
        output.append(
          cell: cell, columns: widths[index], isRight: column.isRight, isName: column.isName)
      }
    }
  }
}
