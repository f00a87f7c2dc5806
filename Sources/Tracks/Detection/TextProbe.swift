import FencepostFormats

/// Distinguishes NMEA 0183, delimited text and other text.
enum TextProbe {
  static func judge(_ text: Span<UInt8>, isLast: Bool) -> FormatDetector.Verdict {
    let firstLine = firstLine(text)
    if let isIGC = IGCDecoder.isIGC(text), isIGC { return .format(.igc) }
    if PLTDecoder.isPLT(text) { return .format(.plt) }
    if OwnTracksRecorderDecoder.isRecord(text.extracting(firstLine)) {
      return .format(.ownTracksRecorder)
    }
    if firstLine.upperBound < text.count || isLast,
      WaypointLinesDecoder.isWaypoint(text.extracting(firstLine)),
      !namesColumns(text.extracting(first: firstLine.upperBound))
    {
      return .format(.waypointLines)
    }
    let sentence = firstSentence(text)
    if let sentence, sentence < firstLine.upperBound { return .format(.nmea) }
    let dialect = CSVDialect.recognize(
      text, isWhole: isLast, namesColumns: { CSVFixColumns(header: $0) != nil })
    guard let dialect else { return .open }
    if dialect.namesColumns { return .format(.csv) }
    if sentence != nil { return .format(.nmea) }
    return isLast ? .foreign(describe(text, text.extracting(firstLine), dialect)) : .open
  }

  /// Whether the header is in the comments before the first row.
  private static func namesColumns(_ beginning: Span<UInt8>) -> Bool {
    let dialect = CSVDialect.recognize(
      beginning, isWhole: true, namesColumns: { CSVFixColumns(header: $0) != nil })
    return dialect?.namesColumns ?? false
  }

  private static func firstLine(_ text: Span<UInt8>) -> Range<Int> {
    var start = 0
    var end = 0
    while true {
      while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
      guard end < text.count, text[start] == UInt8(ascii: "#") || end == start else {
        return start..<end
      }
      end += 1
      start = end
      guard start < text.count else { return start..<start }
    }
  }

  /// The index of the first `$`, or `!` for AIS, that an address and a comma follow.
  private static func firstSentence(_ text: Span<UInt8>) -> Int? {
    for start in text.indices
    where text[start] == UInt8(ascii: "$") || text[start] == UInt8(ascii: "!") {
      var end = start + 1
      while end < min(text.count, start + 10), isAddressByte(text[end], isFirst: end == start + 1) {
        end += 1
      }
      if end >= start + 4, end < text.count, text[end] == UInt8(ascii: ",") { return start }
    }
    return nil
  }

  private static func isAddressByte(_ byte: UInt8, isFirst: Bool) -> Bool {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      || (!isFirst && UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte)
  }

  /// Unsupported text formats, by the start of their first line, and how to convert them.
  private static let named: [(start: StaticString, sentence: String)] = [
    ("OziExplorer Waypoint File", BinaryProbe.babel("OziExplorer waypoints", "ozi")),
    ("[EASYGPS]", BinaryProbe.babel("EasyGPS waypoints", "easygps")),
    ("Grid\t", BinaryProbe.babel("Garmin MapSource text", "garmin_txt")),
    // GPSBabel dropped these two in version 1.8 (2022).
    ("G  WGS 84", "a CompeGPS track; save it as GPX in CompeGPS or TwoNav Land"),
    ("H  SOFTWARE NAME & VERSION", "a Garmin PCX5 file; convert it with GPSBabel 1.7 or older"),
  ]

  private static func starts(_ line: Span<UInt8>, with text: StaticString) -> Bool {
    line.count >= text.utf8CodeUnitCount
      && line.extracting(first: text.utf8CodeUnitCount).equals(text)
  }

  private static func describe(
    _ text: Span<UInt8>, _ firstLine: Span<UInt8>, _ dialect: CSVDialect
  ) -> String {
    if let foreign = named.first(where: { starts(firstLine, with: $0.start) }) {
      return foreign.sentence
    }
    if CSVDialect.separators.contains(where: { numbers(in: firstLine, $0) >= 2 }) {
      return "a table without a header; add a first line that names the columns, such as "
        + "time,lat,lon"
    }
    let columns = count(dialect.separator, firstLine)
    if columns >= 2, count(UInt8(ascii: " "), firstLine) <= columns {
      return "looks like CSV, but its first line does not name the columns lat and lon"
    }
    return "unknown format; \(FormatDetector.expectation)"
  }

  /// How many fields of a line are numbers; 0 if the line is damaged.
  private static func numbers(in line: Span<UInt8>, _ separator: UInt8) -> Int {
    var reader = CSVReader(separator: separator)
    reader.push(line)
    reader.finish()
    guard (try? reader.next()) == true else { return 0 }
    return (0..<reader.fieldCount).count { reader.withField($0, CSVNumber.double) != nil }
  }

  private static func count(_ byte: UInt8, _ line: Span<UInt8>) -> Int {
    var count = 0
    for index in line.indices where line[index] == byte { count += 1 }
    return count
  }
}
