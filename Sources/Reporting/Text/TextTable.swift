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
