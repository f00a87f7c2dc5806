/// A row that an import refused, and why.
public struct PlaceRefusal: Equatable, Sendable, CustomStringConvertible {
  /// The kind of fault.
  public enum Reason: String, Equatable, Hashable, Sendable, CaseIterable {
    /// The position is missing or incomplete.
    case missingPosition
    /// The latitude is not a number from −90 to 90.
    case badLatitude
    /// The longitude is not a number from −180 to 180.
    case badLongitude
    /// The radius is not a number above 0 and at most 20,000,000.
    case badRadius
    /// The priority is not a whole number.
    case badPriority
    /// The date of publication or expiry is not an ISO 8601 time.
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

  /// The position and the fault only.
  var fault: String {
    let position = ImportReport.Position(
      file: file, line: row ?? line, isRow: row != nil, title: title)
    return "\(position): \(sentence)."
  }
}
