import FencepostFormats

/// Reads a `coordinates` element of KML of any length, piece by piece: tuples `lon,lat[,alt]` with white space between
/// them.
package struct KMLCoordinates: Sendable {
  /// A position as it is written, unchecked; NaN where there is no number.
  package struct Tuple: Sendable {
    /// The longitude in degrees.
    package var longitude: Double
    /// The latitude in degrees.
    package var latitude: Double
    /// The line, from 1, on which the tuple ends; 0 if unknown.
    package var line = 0

    /// Reads longitude and latitude, with commas or white space between the numbers.
    package init(_ text: Span<UInt8>) {
      var index = 0
      longitude = Self.number(text, &index)
      latitude = Self.number(text, &index)
    }

    private static func number(_ text: Span<UInt8>, _ index: inout Int) -> Double {
      while index < text.count, KMLCoordinates.isWhiteSpace(text[index]) { index += 1 }
      let start = index
      while index < text.count, text[index] != UInt8(ascii: ","),
        !KMLCoordinates.isWhiteSpace(text[index])
      {
        index += 1
      }
      let number = DecimalNumber.double(parsing: text.extracting(start..<index)) ?? .nan
      while index < text.count, KMLCoordinates.isWhiteSpace(text[index]) { index += 1 }
      if index < text.count, text[index] == UInt8(ascii: ",") { index += 1 }
      return number
    }
  }

  /// The most bytes of a tuple; a longer one is no position.
  private static var mostBytes: Int { 128 }

  /// The beginning of an incomplete tuple, with one byte more than allowed if it is too long.
  private var tuple: [UInt8] = []
  private var endsWithComma = false
  private var complete: [Tuple] = []

  /// Makes a reader at the beginning of an element.
  package init() {}

  /// Takes the next piece of the text, which ends on a line.
  package mutating func append(_ text: Span<UInt8>, endLine: Int) {
    var line = endLine
    for index in text.indices where text[index] == 0x0A { line -= 1 }
    var start = 0
    for index in text.indices {
      let byte = text[index]
      if Self.isWhiteSpace(byte) {
        if start < index { gather(text.extracting(start..<index)) }
        start = index + 1
        // Some programs write a blank behind the comma.
        if !endsWithComma { endTuple(line: line) }
        if byte == 0x0A { line += 1 }
      } else {
        endsWithComma = byte == UInt8(ascii: ",")
      }
    }
    if start < text.count { gather(text.extracting(start..<text.count)) }
  }

  /// Ends the text.
  package mutating func finish(endLine: Int) { endTuple(line: endLine) }

  /// Takes the tuples that are complete.
  package mutating func takeAll() -> [Tuple] {
    let taken = complete
    complete.removeAll(keepingCapacity: false)
    return taken
  }

  private mutating func gather(_ bytes: Span<UInt8>) {
    let room = Self.mostBytes + 1 - tuple.count
    tuple.append(contentsOf: bytes.extracting(first: min(bytes.count, max(0, room))))
  }

  private mutating func endTuple(line: Int) {
    guard !tuple.isEmpty else { return }
    var position = Tuple(tuple.span)
    position.line = line
    complete.append(position)
    tuple.removeAll(keepingCapacity: true)
    endsWithComma = false
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
