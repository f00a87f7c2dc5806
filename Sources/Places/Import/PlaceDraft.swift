import FencepostFormats
import FencepostGeodesy
import FencepostTime

/// A row as a decoder found it: all text, unchecked.
struct PlaceDraft {
  enum Field: Int, CaseIterable {
    case id, title, blurb, url, category, priority, published, expires, latitude, longitude, radius
  }

  /// The line, from 1, where the row begins.
  var line = 1
  /// The row of the spreadsheet, from 1; nil if the file is not a table.
  var row: Int?
  /// The unit of a radius that is a bare number, in meters.
  var radiusUnitMeters = 1.0
  /// Whether the blurb is certainly without HTML.
  var isPlainText = false
  /// What ``range(_:)`` points into.
  private(set) var bytes: [UInt8] = []
  private var ranges: InlineArray<11, Range<Int>> = .init(repeating: 0..<0)
  /// A bit for each field that has the form in which the store keeps it.
  private var normalFields: UInt16 = 0

  /// An empty row that begins on a line.
  init(line: Int = 1) { self.line = line }

  /// Empties all fields and keeps the storage.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    ranges = .init(repeating: 0..<0)
    normalFields = 0
    radiusUnitMeters = 1
    isPlainText = false
  }

  /// Where a field is in ``bytes``; an empty range if it has no text.
  func range(_ field: Field) -> Range<Int> { ranges[field.rawValue] }

  /// Begins a row whose fields are all within a part of some bytes.
  mutating func begin(_ row: Range<Int>, of source: [UInt8]) {
    clear()
    bytes.append(contentsOf: source.span.extracting(row))
  }

  /// Sets a field to a part of ``bytes``.
  mutating func set(_ field: Field, range: Range<Int>) {
    ranges[field.rawValue] = range
  }

  mutating func set(_ field: Field, _ text: Range<Int>, of source: [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: source.span.extracting(text))
    ranges[field.rawValue] = start..<bytes.count
  }

  mutating func set(_ field: Field, _ text: String) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    ranges[field.rawValue] = start..<bytes.count
  }

  /// Sets a field unless it is set.
  mutating func fill(_ field: Field, _ text: String) {
    if isEmpty(field) { set(field, text) }
  }

  /// Sets a field to a time in the form in which the store keeps it.
  mutating func set(_ field: Field, milliseconds: Int64) {
    let start = bytes.count
    ISO8601.append(milliseconds: milliseconds, to: &bytes)
    ranges[field.rawValue] = start..<bytes.count
    normalFields |= 1 << field.rawValue
  }

  /// Sets the radius to a number of meters.
  mutating func set(radiusMeters: Double) {
    set(.radius, "\(radiusMeters)")
    normalFields |= 1 << Field.radius.rawValue
  }

  /// Whether a field has the form in which the store keeps it.
  func isNormal(_ field: Field) -> Bool { normalFields & 1 << field.rawValue != 0 }

  /// Sets the position.
  mutating func set(_ coordinate: Coordinate) {
    set(.latitude, "\(coordinate.latitudeDegrees)")
    set(.longitude, "\(coordinate.longitudeDegrees)")
  }

  func isEmpty(_ field: Field) -> Bool { ranges[field.rawValue].isEmpty }

  /// The field as text.
  func text(_ field: Field) -> String { String(decoding: bytes[range(field)], as: UTF8.self) }

  /// Trims white space from a field.
  mutating func trim(_ field: Field) {
    var range = ranges[field.rawValue]
    // There is hardly ever any.
    guard !range.isEmpty, bytes[range.lowerBound] <= 0x20 || bytes[range.upperBound - 1] <= 0x20
    else { return }
    while let first = range.first, bytes[first] <= 0x20 { range = (first + 1)..<range.upperBound }
    while let last = range.last, bytes[last] <= 0x20 { range = range.lowerBound..<last }
    ranges[field.rawValue] = range
  }
}

extension PlaceRefusal {
  /// Refuses a draft.
  init(_ draft: PlaceDraft, file: String, reason: Reason, sentence: String) {
    self.init(
      file: file, line: draft.line, row: draft.row, title: draft.text(.title), reason: reason,
      sentence: sentence)
  }
}
