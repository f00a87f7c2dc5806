/// The result of an import.
public struct ImportReport: Equatable, Sendable {
  /// The maximum number of ``refusals``.
  package static let keptRefusals = 1000

  /// Where a row begins.
  package struct Position: Equatable, Sendable, CustomStringConvertible {
    /// The file name as given, or empty if the import has only one file.
    package var file: String
    /// The line, or the row if ``isRow``, counted from 1.
    package var line: Int
    /// Whether ``line`` is a spreadsheet row.
    package var isRow: Bool
    /// The title of the story, or empty.
    package var title: String

    /// Creates a position.
    package init(file: String, line: Int, isRow: Bool = false, title: String = "") {
      self.file = file
      self.line = line
      self.isRow = isRow
      self.title = title
    }

    /// The file, the row or line and the title, such as `stories.csv, row 7 (Kunsthalle)`.
    package var description: String {
      let title = title.isEmpty ? "" : " (\(shortTitle))"
      return (file.isEmpty ? "" : "\(file), ") + number + title
    }

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

  /// How many places were added to the store.
  public var imported = 0
  /// How many places in the store were replaced.
  public var updated = 0
  /// How many rows were refused.
  public var refused = 0
  /// How many rows were refused for each reason.
  package var refusedByReason: [PlaceRefusal.Reason: Int] = [:]
  /// The first refusals, at most 1,000.
  public var refusals: [PlaceRefusal] = []
  /// What the owner of the files should know about accepted rows.
  package var warnings: [Warning] = []
  /// The warnings as sentences.
  package var warningTexts: [String] { warnings.map(\.description) }

  /// Creates the report of an import that did nothing.
  package init() {}

  mutating func add(_ refusal: PlaceRefusal) {
    refused += 1
    refusedByReason[refusal.reason, default: 0] += 1
    if refusals.count < ImportReport.keptRefusals { refusals.append(refusal) }
  }
}
