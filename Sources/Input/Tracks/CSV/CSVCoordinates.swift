import FencepostFormats
import FencepostGeodesy

/// Reads the positions of a table's rows, and describes those that cannot be read.
///
/// The columns decide the form; see ``CSVFixColumns/Positions``. Positions that are not on the map
/// are left to the caller, which knows what else the row says.
struct CSVCoordinates: Sendable {
  /// What `O` means beside a longitude; nil if that is unknown.
  var meaningOfO: CSVHemisphere?
  /// Whether a row had a letter in its column of hemispheres.
  private var hasLetters = false
  /// How many rows had no readable position, and the sentence about the first.
  private var faultCount = 0
  private var firstFault = ""

  /// A warning for a table with more faults than fixes, without a final period.
  func notice(besides fixCount: Int) -> String? {
    guard faultCount > fixCount else { return nil }
    return firstFault + "; write coordinates in decimal degrees, such as 52.1003 and -11.603"
  }

  /// The row's position, not range-checked; nil if unreadable.
  // Inlined, because a call would copy the reader for each row.
  @inline(__always)
  mutating func read(
    _ reader: borrowing CSVReader, _ columns: CSVFixColumns.Fields
  ) -> Coordinate? {
    switch columns.positions {
    case .wellKnownText:
      return Coordinate(
        wellKnownText: reader.bytes.span.extracting(reader.trimmedRange(columns.latitude)))
    case .e7:
      guard let latitude = reader.number(columns.latitude),
        let longitude = reader.number(columns.longitude)
      else { return nil }
      return Coordinate(
        latitudeDegrees: GooglePosition.degrees(e7: latitude, limit: 90),
        longitudeDegrees: GooglePosition.degrees(e7: longitude, limit: 180))
    case .degrees:
      guard let latitude = degrees(reader, columns, .latitude),
        let longitude = degrees(reader, columns, .longitude)
      else { return nil }
      return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }
  }

  /// Reads a number of degrees, and applies the letter in a column of hemispheres.
  ///
  /// Nil if the number or the letter cannot be read, or if the two contradict each other.
  @inline(__always)
  private mutating func degrees(
    _ reader: borrowing CSVReader, _ columns: CSVFixColumns.Fields, _ axis: CSVAxis
  ) -> Double? {
    let isLatitude = axis == .latitude
    let (column, hemisphere) =
      isLatitude
      ? (columns.latitude, columns.latitudeHemisphere)
      : (columns.longitude, columns.longitudeHemisphere)
    let degrees = CSVNumber.degrees(
      parsing: reader.bytes.span.extracting(reader.trimmedRange(column)),
      negative: UInt8(ascii: isLatitude ? "S" : "W"), positive: UInt8(ascii: isLatitude ? "N" : "E")
    )
    guard let degrees, let hemisphere else { return degrees }
    // Where other rows have letters, a number without one could be on either side.
    guard !reader.trimmedRange(hemisphere).isEmpty else {
      return degrees > 0 && hasLetters ? nil : degrees
    }
    guard let isNegative = isNegative(reader, hemisphere, axis) else { return nil }
    hasLetters = true
    return isNegative ? -abs(degrees) : degrees < 0 ? nil : degrees
  }

  /// The sign that a row's letter gives; nil if it is not a hemisphere of this axis.
  private func isNegative(
    _ reader: borrowing CSVReader, _ hemisphere: Int, _ axis: CSVAxis
  ) -> Bool? {
    let word = reader.withTrimmedField(hemisphere) { CSVHemisphere($0) }
    return word?.isNegative(on: axis, meaningOfO: meaningOfO)
  }

  /// How many rows without a position are described, because describing one takes longer than
  /// reading it.
  private static var mostDescribed: Int { 1000 }

  /// Counts a row without a position, and says why it has none.
  mutating func fault(
    in reader: borrowing CSVReader, _ columns: CSVFixColumns.Fields
  ) -> String {
    faultCount += 1
    guard faultCount <= Self.mostDescribed else { return "the position cannot be read" }
    let sentence = describe(reader, columns)
    if faultCount == 1 { firstFault = "line \(reader.line): \(sentence)" }
    return sentence
  }

  /// Says which of the two coordinates is wrong, and how.
  private mutating func describe(
    _ reader: borrowing CSVReader, _ columns: CSVFixColumns.Fields
  ) -> String {
    if columns.positions == .wellKnownText {
      return "the position must be a POINT in well-known text"
    }
    for (axis, column, hemisphere) in [
      (CSVAxis.latitude, columns.latitude, columns.latitudeHemisphere),
      (.longitude, columns.longitude, columns.longitudeHemisphere),
    ] {
      let text = XMLField.quoted(reader.bytes.span.extracting(reader.trimmedRange(column)))
      let degrees =
        columns.positions == .e7 ? reader.number(column) : degrees(reader, columns, axis)
      if let degrees {
        let value = columns.positions == .e7 ? degrees / 1e7 : degrees
        if abs(value) <= axis.limit { continue }
        return "the \(axis.name) \(text) is not within ±\(Int(axis.limit))°"
      }
      guard let hemisphere, reader.number(column) != nil else {
        return "the \(axis.name) \(text) is not a number of degrees"
      }
      let isNegative = isNegative(reader, hemisphere, axis)
      if isNegative != nil { return "the \(axis.name) \(text) is negative on the positive side" }
      let letter = XMLField.quoted(reader.bytes.span.extracting(reader.trimmedRange(hemisphere)))
      let letters = axis == .latitude ? "N or S" : "E or W"
      return "the \(axis.name) \(text) has the hemisphere \(letter) where \(letters) must be"
    }
    return "the position is not on the map"
  }
}

extension CSVReader {
  /// The range of a field without the spaces and NUL bytes that loggers pad with; may be empty.
  @inline(__always)
  func trimmedRange(_ column: Int?) -> Range<Int> {
    guard let column, column < fieldCount else { return 0..<0 }
    let field = fieldRange(column)
    var (start, end) = (field.lowerBound, field.upperBound)
    while start < end, Self.isPadding(bytes[start]) { start += 1 }
    while end > start, Self.isPadding(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  /// The number in a field; nil if the field is missing, empty or anything else.
  @inline(__always)
  func number(_ column: Int) -> Double? {
    CSVNumber.double(parsing: bytes.span.extracting(trimmedRange(column)))
  }

  /// Lends a field without the padding around it.
  func withTrimmedField<Result>(_ index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    body(bytes.span.extracting(trimmedRange(index)))
  }

  private static func isPadding(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0
  }
}

extension Coordinate {
  /// Parses `POINT (lon lat)`, optionally with an altitude or an `SRID=4326;` prefix.
  fileprivate init?(wellKnownText text: Span<UInt8>) {
    guard let open = text.firstIndex(of: UInt8(ascii: "("), from: 0),
      let close = text.firstIndex(of: UInt8(ascii: ")"), from: open)
    else { return nil }
    var kind: [UInt8] = []
    for index in 0..<open where text[index] != 0x20 {
      if text[index] == UInt8(ascii: ";") {
        kind.removeAll()
      } else {
        kind.append(text[index] & 0xDF)
      }
    }
    guard ["POINT", "POINTZ", "POINTM", "POINTZM"].contains(String(decoding: kind, as: UTF8.self))
    else { return nil }
    var numbers: [Double] = []
    var start = open + 1
    while start < close, numbers.count < 2 {
      let end = min(close, text.firstIndex(of: 0x20, from: start) ?? close)
      if end > start {
        guard let number = DecimalNumber.double(parsing: text.extracting(start..<end)) else {
          return nil
        }
        numbers.append(number)
      }
      start = end + 1
    }
    guard numbers.count == 2 else { return nil }
    self.init(latitudeDegrees: numbers[1], longitudeDegrees: numbers[0])
  }
}
