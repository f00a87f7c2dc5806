import FencepostFormats

/// Parses a KML `coordinates` element piece by piece: `lon,lat[,alt]` separated by white space.
///
/// A line may have millions of positions, so complete tuples can be taken while the element is
/// still open.
package struct KMLCoordinates: Sendable {
  /// A position in degrees as written; NaN where a number is missing, ranges unchecked.
  ///
  /// The altitude is dropped.
  package struct Tuple: Sendable {
    /// Degrees east, as written.
    package var longitude: Double
    /// Degrees north, as written.
    package var latitude: Double
    /// The line, from 1, on which the tuple ends; 0 if unknown.
    package var line = 0

    /// Parses longitude and latitude, separated by a comma or white space.
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

  /// The longest valid tuple, in bytes.
  private static var mostBytes: Int { 128 }

  /// The start of an unfinished tuple; keeps one byte above the limit if too long.
  private var tuple: [UInt8] = []
  private var endsWithComma = false
  private var complete: [Tuple] = []

  package init() {}

  /// Adds the next piece of text; `endLine` is the line on which it ends.
  package mutating func append(_ text: Span<UInt8>, endLine: Int) {
    var line = endLine
    for index in text.indices where text[index] == 0x0A { line -= 1 }
    var start = 0
    for index in text.indices {
      let byte = text[index]
      if Self.isWhiteSpace(byte) {
        if start < index { gather(text.extracting(start..<index)) }
        start = index + 1
        // Some programs write a space after the comma.
        if !endsWithComma { endTuple(line: line) }
        if byte == 0x0A { line += 1 }
      } else {
        endsWithComma = byte == UInt8(ascii: ",")
      }
    }
    if start < text.count { gather(text.extracting(start..<text.count)) }
  }

  /// Ends the element, and completes its last tuple.
  package mutating func finish(endLine: Int) { endTuple(line: endLine) }

  /// Returns the complete tuples and removes them.
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
