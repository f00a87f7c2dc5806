import FencepostFixes
import FencepostFormats

/// A shortcut for track points in the form that nearly all recorders write: `<trkpt lat="…" lon="…">` with
/// children without attributes, in ASCII without references.
///
/// Its result must equal that of ``GPXTreeReader``, which reads all other points.
struct GPXPointScanner: Sendable {
  /// How deeply elements in a point may be nested.
  private static var maximumDepth: Int { 64 }

  private var clock = DayClock()
  /// The names of the open elements in a child that is skipped.
  private var open: [Range<Int>] = []

  /// Reads a point with its end tag.
  ///
  /// - Returns: The point; nil, at an undefined position, if it has another form or is incomplete.
  mutating func scan(_ cursor: inout ByteCursor) -> GPXPoint? {
    guard cursor.skip(literal: "<trkpt"), var point = Self.position(&cursor) else { return nil }
    if cursor.skip(literal: "/>") { return point }
    guard cursor.skip(">") else { return nil }
    var hasSpeed = false
    var hasCourse = false
    while true {
      cursor.skip(to: "<")
      if cursor.skip(literal: "</trkpt>") { return point }
      if cursor.skip(literal: "<ele>") {
        cursor.skip(to: "<")
        guard cursor.skip(literal: "</ele>") else { return nil }
      } else if cursor.skip(literal: "<time>") {
        guard point.rawTimeMilliseconds == Fix.noTime, let time = time(&cursor) else { return nil }
        point.rawTimeMilliseconds = time
      } else if cursor.skip(literal: "<speed>"), !hasSpeed {
        hasSpeed = true
        guard Self.number(&cursor, { point.setSpeed($0) }), cursor.skip(literal: "</speed>")
        else { return nil }
      } else if cursor.skip(literal: "<course>"), !hasCourse {
        hasCourse = true
        guard Self.number(&cursor, { point.setCourse($0) }), cursor.skip(literal: "</course>")
        else { return nil }
      } else if !skipElement(&cursor) {
        return nil
      }
    }
  }

  /// Reads the attributes `lat` and `lon` in either order.
  private static func position(_ cursor: inout ByteCursor) -> GPXPoint? {
    var point = GPXPoint()
    for _ in 0..<2 {
      guard cursor.skipXMLWhiteSpace() else { return nil }
      let isLatitude = cursor.skip(literal: "lat=")
      guard isLatitude || cursor.skip(literal: "lon=") else { return nil }
      let quote: Unicode.Scalar = cursor.next == UInt8(ascii: "\"") ? "\"" : "'"
      guard cursor.skip(quote), let degrees = cursor.decimal(), cursor.skip(quote) else {
        return nil
      }
      if isLatitude { point.latitudeDegrees = degrees } else { point.longitudeDegrees = degrees }
    }
    // If one attribute is there twice, the other stays NaN.
    guard abs(point.latitudeDegrees) <= 90, abs(point.longitudeDegrees) <= 180 else { return nil }
    return point
  }

  /// Reads `2026-03-04T17:00:12Z</time>` or another time of ISO 8601.
  private mutating func time(_ cursor: inout ByteCursor) -> Int64? {
    let start = cursor.index
    cursor.skip(to: "<")
    guard cursor.index - start <= GPXTreeReader.maximumFieldBytes else { return nil }
    let time = cursor.withSpan(start..<cursor.index) { clock.milliseconds($0) }
    return cursor.skip(literal: "</time>") ? time : nil
  }

  /// Reads text up to the next tag; false if it is too long for a number.
  private static func number(_ cursor: inout ByteCursor, _ body: (Span<UInt8>) -> Void) -> Bool {
    let start = cursor.index
    cursor.skip(to: "<")
    guard cursor.index - start <= GPXTreeReader.maximumFieldBytes else { return false }
    cursor.withSpan(start..<cursor.index) { body($0.extracting($0.trimmedRange)) }
    return true
  }

  /// Skips a child with all its contents; false if a tag in it has another form.
  private mutating func skipElement(_ cursor: inout ByteCursor) -> Bool {
    open.removeAll(keepingCapacity: true)
    repeat {
      if cursor.skip(literal: "</") {
        guard let name = open.popLast(), cursor.skip(bytesOf: name), cursor.skip(">") else {
          return false
        }
      } else {
        guard cursor.skip("<"), let name = cursor.xmlName() else { return false }
        let localName = (name.colon.map { $0 + 1 } ?? name.range.lowerBound)..<name.range.upperBound
        // The tree reader decides on fields of other namespaces and on repeated ones.
        if open.isEmpty, cursor.withSpan(localName, { GPXField($0) }) != nil { return false }
        if !cursor.skip(literal: "/>") {
          guard cursor.skip(">"), open.count < Self.maximumDepth else { return false }
          open.append(name.range)
        }
      }
      if !open.isEmpty { cursor.skip(to: "<") }
    } while !open.isEmpty
    return true
  }
}
