import FencepostFormats
package import FencepostGeodesy
import FencepostTime

/// A row as decoded: text only, unchecked.
///
/// Decoders of all formats fill it, and ``PlaceStaging`` checks it. One draft is used for row after
/// row, so that no row needs memory of its own.
package struct PlaceDraft {
  /// The fields of a place, each with at most one text.
  package enum Field: Int, CaseIterable {
    case id, title, blurb, url, category, priority, published, expires, latitude, longitude, radius
  }

  /// The line where the row begins, from 1.
  package var line = 1
  /// The spreadsheet row from 1, or nil if the file is not a table.
  package var row: Int?
  /// The unit of a radius written without one, in meters.
  package var radiusUnitMeters = 1.0
  /// Whether the blurb is known to have no HTML.
  package var isPlainText = false
  /// The texts of all fields in UTF-8, among others that no field uses.
  package private(set) var bytes: ContiguousArray<UInt8> = []
  /// Where each field is in ``bytes``, by its raw value.
  private var ranges = [Range<Int>](repeating: 0..<0, count: Field.allCases.count)
  /// A bit for each field that is already in the form that the store keeps.
  private var normalFields: UInt16 = 0

  /// Creates an empty draft of a row that begins on a line.
  package init(line: Int = 1) { self.line = line }

  /// Empties all fields but keeps the storage.
  package mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    for index in ranges.indices { ranges[index] = 0..<0 }
    normalFields = 0
    radiusUnitMeters = 1
    isPlainText = false
  }

  /// Where a field is in ``bytes``, or an empty range.
  package func range(_ field: Field) -> Range<Int> { ranges[field.rawValue] }

  /// Starts a row whose fields are all within part of a buffer.
  package mutating func begin(_ row: Range<Int>, of source: [UInt8]) {
    clear()
    bytes.append(contentsOf: source[row])
  }

  /// Makes part of ``bytes`` the text of a field.
  package mutating func set(_ field: Field, range: Range<Int>) { ranges[field.rawValue] = range }

  /// Sets the text of a field, replacing any other.
  package mutating func set(_ field: Field, _ text: String) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    ranges[field.rawValue] = start..<bytes.count
  }

  /// Sets the text of a field unless it has one.
  package mutating func fill(_ field: Field, _ text: String) {
    if isEmpty(field) { set(field, text) }
  }

  /// Sets a time, clamped to the years 0 … 9999.
  ///
  /// The last day of 9999, by which many programs mean never, has no next day to expire on.
  package mutating func set(_ field: Field, milliseconds: Int64) {
    let years = EpochTime.fourDigitYears
    set(
      field,
      ISO8601.string(milliseconds: min(max(milliseconds, years.lowerBound), years.upperBound)))
    normalFields |= 1 << field.rawValue
  }

  /// Sets a radius in meters, which no unit changes.
  package mutating func set(radiusMeters: Double) {
    set(.radius, "\(radiusMeters)")
    normalFields |= 1 << Field.radius.rawValue
  }

  /// Writes a unit that stands in another column or member behind the radius, unless it has one.
  package mutating func setRadiusUnit(_ unit: String) {
    trim(.radius)
    guard !unit.isEmpty, let last = bytes[range(.radius)].last, last &- 0x30 <= 9 else { return }
    set(.radius, "\(text(.radius)) \(unit)")
  }

  /// Whether a field is in the form that the store keeps, so that it need not be parsed.
  package func isNormal(_ field: Field) -> Bool { normalFields & 1 << field.rawValue != 0 }

  /// Sets latitude and longitude.
  package mutating func set(_ coordinate: Coordinate) {
    set(.latitude, "\(coordinate.latitudeDegrees)")
    set(.longitude, "\(coordinate.longitudeDegrees)")
  }

  /// Whether a field has no text.
  package func isEmpty(_ field: Field) -> Bool { ranges[field.rawValue].isEmpty }

  /// The text of a field, or an empty string.
  package func text(_ field: Field) -> String {
    String(decoding: bytes[range(field)], as: UTF8.self)
  }

  /// Drops spaces and control characters at both ends of a field.
  package mutating func trim(_ field: Field) {
    var range = ranges[field.rawValue]
    guard !range.isEmpty, bytes[range.lowerBound] <= 0x20 || bytes[range.upperBound - 1] <= 0x20
    else { return }
    while let first = range.first, bytes[first] <= 0x20 { range = (first + 1)..<range.upperBound }
    while let last = range.last, bytes[last] <= 0x20 { range = range.lowerBound..<last }
    ranges[field.rawValue] = range
  }
}

extension PlaceRefusal {
  /// Describes why a draft was refused, with its line, row and title.
  package init(_ draft: PlaceDraft, file: String, reason: Reason, sentence: String) {
    self.init(
      file: file, line: draft.line, row: draft.row, title: draft.text(.title), reason: reason,
      sentence: sentence)
  }
}
