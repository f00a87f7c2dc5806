/// What an import did.
public struct ImportReport: Equatable, Sendable {
  /// How many refusals are kept; more are only counted.
  public static let keptRefusals = 1000

  /// Where a row begins.
  public struct Position: Equatable, Sendable, CustomStringConvertible {
    /// The file's name as given; empty where there is only one.
    public var file: String
    /// The line, from 1; in a table the row of the spreadsheet.
    public var line: Int
    /// Whether ``line`` is a row of a spreadsheet.
    public var isRow: Bool
    /// The title of the row's story; empty if it has none.
    public var title: String

    /// Makes a position of its parts.
    public init(file: String, line: Int, isRow: Bool = false, title: String = "") {
      self.file = file
      self.line = line
      self.isRow = isRow
      self.title = title
    }

    /// File, row or line, and title, such as `stories.csv, row 7 (Kunsthalle)`.
    public var description: String {
      let title = title.isEmpty ? "" : " (\(shortTitle))"
      return (file.isEmpty ? "" : "\(file), ") + number + title
    }

    /// The title first, as in `“Kunsthalle” (row 7)`.
    var titleFirst: String {
      let place = (file.isEmpty ? "" : "\(file), ") + number
      return title.isEmpty ? place : "“\(shortTitle)” (\(place))"
    }

    private var number: String { "\(isRow ? "row" : "line") \(line)" }

    private var shortTitle: String {
      let words = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return words.count > 40 ? words.prefix(39) + "…" : words
    }
  }

  /// How many places are new in the store.
  public var imported = 0
  /// How many places in the store were replaced.
  public var updated = 0
  /// How many rows were refused.
  public var refused = 0
  /// How many rows were refused for each reason.
  public var refusedByReason: [PlaceRefusal.Reason: Int] = [:]
  /// The first refusals, at most ``keptRefusals``.
  public var refusals: [PlaceRefusal] = []
  /// The warnings about accepted rows.
  public var warnings: [Warning] = []

  /// Makes the report of an import that did nothing.
  public init() {}

  mutating func add(_ refusal: PlaceRefusal) {
    refused += 1
    refusedByReason[refusal.reason, default: 0] += 1
    if refusals.count < ImportReport.keptRefusals { refusals.append(refusal) }
  }
}
