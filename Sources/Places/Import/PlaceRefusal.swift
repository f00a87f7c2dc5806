/// A row that an import refused, with its line and the reason.
public struct PlaceRefusal: Equatable, Sendable, CustomStringConvertible {
  /// The kind of fault.
  public enum Reason: String, Equatable, Hashable, Sendable, CaseIterable {
    /// The position is missing, or half of it.
    case missingPosition
    /// The latitude is not a number of −90 … 90.
    case badLatitude
    /// The longitude is not a number of −180 … 180.
    case badLongitude
    /// The radius is not a number above 0 and up to 20,000,000.
    case badRadius
    /// The priority is not a whole number.
    case badPriority
    /// The date of publication or expiry is not an ISO 8601 time.
    case badTime
    /// The row has fewer fields than the header.
    case shortRow
    /// An earlier row of this import has the same id.
    case duplicateID
    /// The geometry is not a point, or nothing that could be a place.
    case badGeometry
    /// The file violates its format; what follows may be lost.
    case malformed
  }

  /// The file's name as given.
  public var file: String
  /// The line, from 1, where the row begins.
  public var line: Int
  /// The row of the spreadsheet, from 1; nil if the file is not a table.
  public var row: Int?
  /// The title of the row; empty if it has none.
  public var title: String
  /// The kind of fault.
  public var reason: Reason
  /// The fault as a sentence without its position and without a full stop.
  public var sentence: String

  /// Makes a refusal.
  public init(
    file: String, line: Int, row: Int? = nil, title: String = "", reason: Reason, sentence: String
  ) {
    self.row = row
    self.title = title
    self.file = file
    self.line = line
    self.reason = reason
    self.sentence = sentence
  }

  /// Position, fault and what became of the row.
  ///
  /// An example is `stories.csv, row 22 (Kunsthalle): no coordinates. Skipped.`
  public var description: String { "\(fault) Skipped." }

  /// Position and fault without what became of the row.
  var fault: String {
    let position = ImportReport.Position(
      file: file, line: row ?? line, isRow: row != nil, title: title)
    return "\(position): \(sentence)."
  }
}
