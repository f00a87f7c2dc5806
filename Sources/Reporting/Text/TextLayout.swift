/// The width and style of the text form.
public struct TextLayout: Equatable, Sendable {
  /// The number of columns, at least 60.
  public let columns: Int
  /// Whether long remarks are cut at the last column, which a terminal needs and a file does not.
  public let cutsRemarks: Bool
  /// Whether headings are bold and suppressed rows faint.
  public let isStyled: Bool

  /// Makes the layout for a terminal of that many columns.
  public init(terminalColumns: Int, isStyled: Bool = false) {
    self.columns = max(60, terminalColumns)
    self.cutsRemarks = true
    self.isStyled = isStyled
  }

  /// Makes the layout for a file or a pipe.
  public init() {
    self.columns = 100
    self.cutsRemarks = false
    self.isStyled = false
  }

  /// A style, where styles are wanted at all.
  func style(_ style: TextStyle) -> TextStyle { isStyled ? style : .plain }

  /// Writes the heading of a table, with a blank line before it if something precedes it.
  func writeHeading(_ text: String, to output: inout OutputBuffer) {
    if !output.isEmpty { output.append("\n") }
    output.append(line: text, style: style(.bold))
  }

  /// Writes a table with its heading, and how many rows it leaves out, if it does.
  func write(
    _ table: TextTable, under heading: String, leavingOut count: Int = 0,
    to output: inout OutputBuffer
  ) {
    writeHeading(heading, to: &output)
    table.write(to: &output, layout: self)
    writeMore(count, to: &output)
  }

  /// Writes how many rows a table leaves out, if it does.
  func writeMore(_ count: Int, to output: inout OutputBuffer) {
    guard count > 0 else { return }
    output.append(verbatim: "… and \(ReportNumber.count(count)) more; --format ndjson has all\n")
  }

  static let timeColumns = 8
  static let distanceColumns = 8
  /// The gaps between the five columns.
  private static let gapColumns = 8

  /// Columns of the place's id.
  var placeColumns: Int { min(24, max(10, freeColumns / 4)) }
  /// Columns of the remark, the last one.
  var remarkColumns: Int { min(28, max(22, freeColumns * 2 / 5)) }
  /// Columns of the title: the rest.
  var titleColumns: Int { min(60, max(4, freeColumns - placeColumns - remarkColumns)) }

  private var freeColumns: Int {
    columns - Self.timeColumns - Self.distanceColumns - Self.gapColumns
  }
}

/// The weight of text on a terminal.
enum TextStyle {
  case plain
  case bold
  case faint
}

extension OutputBuffer {
  /// Begins text in a style (ECMA-48, SGR).
  mutating func begin(_ style: TextStyle) {
    switch style {
    case .plain: break
    case .bold: append("\u{1B}[1m")
    case .faint: append("\u{1B}[2m")
    }
  }

  /// Ends text in a style.
  mutating func end(_ style: TextStyle) {
    if style != .plain { append("\u{1B}[0m") }
  }

  /// Appends a line in a style, safe for a terminal.
  mutating func append(line: String, style: TextStyle) {
    begin(style)
    append(verbatim: line.forTerminal)
    end(style)
    append(UInt8(ascii: "\n"))
  }

  /// Appends a text safe for a terminal, cut or padded to exactly `columns` columns.
  public mutating func append(cell text: String, columns: Int, isRight: Bool = false) {
    let shown = text.forTerminal.cut(toColumns: columns)
    let padding = max(0, columns - shown.displayWidth)
    if isRight { append(spaces: padding) }
    append(verbatim: shown)
    if !isRight { append(spaces: padding) }
  }

  private mutating func append(spaces count: Int) {
    for _ in 0..<count { append(UInt8(ascii: " ")) }
  }
}

/// A table for people: columns as wide as their contents, the first one cut if the table is too wide.
struct TextTable {
  /// A column: a literal makes one for numbers, which are set flush right.
  struct Column: ExpressibleByStringLiteral {
    fileprivate var title: String
    fileprivate var isRight = true

    init(stringLiteral title: String) {
      self.title = title
    }

    /// A column for texts.
    static func left(_ title: String) -> Column {
      var column = Column(stringLiteral: title)
      column.isRight = false
      return column
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func append(_ row: [String]) {
    rows.append(row)
  }

  /// Appends the heading and the rows.
  func write(to output: inout OutputBuffer, layout: TextLayout) {
    var widths = columns.map { $0.title.displayWidth }
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], cell.displayWidth)
      }
    }
    let others = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
    widths[0] = max(12, min(widths[0], layout.columns - others))
    let style = layout.style(.bold)
    output.begin(style)
    write(columns.map(\.title), widths, to: &output)
    output.end(style)
    output.append("\n")
    for row in rows {
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
