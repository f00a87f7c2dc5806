/// How wide and how plain the text form is.
public struct TextLayout: Equatable, Sendable {
  /// Number of columns, 60 at least.
  public let columns: Int
  /// Whether long remarks are cut at the last column, as a terminal needs and a file does not.
  public let cutsRemarks: Bool
  /// Whether headings stand out and suppressed rows stand back, by the terminal's own means.
  public let isStyled: Bool

  /// Makes the layout for a terminal of that width.
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

  static let timeColumns = 8
  static let distanceColumns = 8
  /// The gaps between the five columns.
  private static let gapColumns = 8

  /// Columns of the place's id.
  var placeColumns: Int { min(24, max(10, freeColumns / 4)) }
  /// Columns of the remark, the last one.
  var remarkColumns: Int { min(28, max(22, freeColumns * 2 / 5)) }
  /// Columns of the title: what the others leave.
  var titleColumns: Int { min(60, max(4, freeColumns - placeColumns - remarkColumns)) }

  private var freeColumns: Int {
    columns - Self.timeColumns - Self.distanceColumns - Self.gapColumns
  }
}
