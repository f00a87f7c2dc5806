import FencepostFormats
import FencepostGeodesy

/// Reads a `coordinates` element of any length, piece by piece: tuples `lon,lat[,alt]` with white space between them.
struct KMLCoordinates: Sendable {
  /// The beginning of an incomplete tuple; more than a tuple can have is dropped.
  private var tuple = XMLField()
  private var endsWithComma = false
  private var complete: [(coordinate: Coordinate, line: Int)] = []

  /// Takes the next piece of the text, which ends on a line.
  mutating func append(_ text: Span<UInt8>, endLine: Int) {
    var line = endLine
    for index in text.indices where text[index] == 0x0A { line -= 1 }
    var start = 0
    for index in text.indices {
      let byte = text[index]
      if isXMLWhiteSpace(byte) {
        if start < index { tuple.append(text.extracting(start..<index)) }
        start = index + 1
        // Some programs write a blank behind the comma.
        if !endsWithComma { endTuple(line: line) }
        if byte == 0x0A { line += 1 }
      } else {
        endsWithComma = byte == UInt8(ascii: ",")
      }
    }
    if start < text.count { tuple.append(text.extracting(start..<text.count)) }
  }

  /// Ends the text.
  mutating func finish(endLine: Int) { endTuple(line: endLine) }

  /// Takes the tuples that are complete; one that is no position has NaN.
  mutating func takeAll() -> [(coordinate: Coordinate, line: Int)] {
    let taken = complete
    complete.removeAll(keepingCapacity: false)
    return taken
  }

  private mutating func endTuple(line: Int) {
    guard !tuple.bytes.isEmpty else { return }
    complete.append((Self.coordinate(tuple.bytes.span), line))
    tuple.removeAll()
    endsWithComma = false
  }

  /// Reads longitude and latitude, with commas or white space between the numbers; NaN if they are none.
  static func coordinate(_ text: Span<UInt8>) -> Coordinate {
    var index = 0
    let longitude = number(text, &index)
    let latitude = number(text, &index)
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private static func number(_ text: Span<UInt8>, _ index: inout Int) -> Double {
    while index < text.count, isXMLWhiteSpace(text[index]) { index += 1 }
    let start = index
    while index < text.count, text[index] != UInt8(ascii: ","), !isXMLWhiteSpace(text[index]) {
      index += 1
    }
    let number = DecimalNumber.double(parsing: text.extracting(start..<index)) ?? .nan
    while index < text.count, isXMLWhiteSpace(text[index]) { index += 1 }
    if index < text.count, text[index] == UInt8(ascii: ",") { index += 1 }
    return number
  }
}
