/// The result of an import.
///
/// Every row is imported, updated or refused, except repetitions of an earlier row, which are only
/// mentioned in a warning.
public struct ImportReport: Equatable, Sendable {
  /// The most refusals that are kept; further ones are only counted.
  package static let keptRefusals = 1000

  /// Where a row begins.
  ///
  /// Messages show it in the words of the program in which the owner sees the file: spreadsheets
  /// have rows, text editors lines.
  package struct Position: Equatable, Sendable, CustomStringConvertible {
    /// The file name as given, or empty if the import has only one file.
    package var file: String
    /// The line, or the row if ``isRow``, counted from 1.
    package var line: Int
    /// Whether ``line`` counts the rows of a table.
    package var isRow: Bool
    /// The title of the story, or empty.
    package var title: String

    /// Creates a position; a table's row is counted as its line.
    package init(file: String, line: Int, isRow: Bool = false, title: String = "") {
      self.file = file
      self.line = line
      self.isRow = isRow
      self.title = title
    }

    /// The file, the row or line and the title, such as `stories.csv, row 7 (Kunsthalle)`.
    package var description: String { place + (title.isEmpty ? "" : " (\(shortTitle))") }

    /// The title before the file and row, such as `“Kunsthalle” (stories.csv, row 7)`.
    package var titleFirst: String { title.isEmpty ? place : "“\(shortTitle)” (\(place))" }

    private var place: String {
      (file.isEmpty ? "" : "\(file), ") + "\(isRow ? "row" : "line") \(line)"
    }

    /// The title on one line, of at most 40 characters.
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
  /// The refused rows by reason, including those not kept in ``refusals``.
  package var refusedByReason: [PlaceRefusal.Reason: Int] = [:]
  /// The first refusals, at most 1,000.
  public var refusals: [PlaceRefusal] = []
  /// What the owner of the files should know about accepted rows.
  package var warnings: [Warning] = []

  /// Creates the report of an import that has read nothing.
  package init() {}

  /// Whether the next refusal is kept; otherwise it is only counted.
  var keepsRefusals: Bool { refusals.count < ImportReport.keptRefusals }

  /// Counts a refusal, and keeps it among the first.
  mutating func add(_ refusal: PlaceRefusal) {
    if keepsRefusals { refusals.append(refusal) }
    count(refusal.reason)
  }

  /// Counts a refusal without keeping it.
  mutating func count(_ reason: PlaceRefusal.Reason) {
    refused += 1
    refusedByReason[reason, default: 0] += 1
  }
}

/// A row that an import refused, and why.
///
/// The other rows are imported all the same, unless the import is strict.
public struct PlaceRefusal: Equatable, Sendable, CustomStringConvertible {
  /// The kind of fault.
  ///
  /// Programs tell refusals apart by it; the sentence is for people.
  public enum Reason: String, Equatable, Hashable, Sendable, CaseIterable {
    /// The position is missing or incomplete.
    case missingPosition
    /// The latitude is not a number from −90 to 90.
    case badLatitude
    /// The longitude is not a number from −180 to 180.
    case badLongitude
    /// The radius is not a number above 0 and at most 20,000,000.
    case badRadius
    /// The priority is neither a whole number nor a word such as `high`.
    case badPriority
    /// The date of publication or expiry cannot be read.
    case badTime
    /// The row has fewer fields than the header.
    case shortRow
    /// An earlier row of this import has the same id.
    case duplicateID
    /// The geometry is not a point or cannot be a place.
    case badGeometry
    /// The file violates its format. The rest may be lost.
    case malformed
  }

  /// The file name as given.
  public var file: String
  /// The line where the row begins, from 1.
  public var line: Int
  /// The spreadsheet row from 1, or nil if the file is not a table.
  public var row: Int?
  /// The title of the row, or empty.
  public var title = ""
  /// The kind of fault.
  public var reason: Reason
  /// The fault as a sentence without its position and without a period.
  public var sentence: String

  /// The position and the fault, and that the row was skipped.
  public var description: String { "\(fault) Skipped." }

  /// The position and the fault as a sentence, with its period.
  package var fault: String {
    let position = ImportReport.Position(
      file: file, line: row ?? line, isRow: row != nil, title: title)
    return "\(position): \(sentence)."
  }
}
