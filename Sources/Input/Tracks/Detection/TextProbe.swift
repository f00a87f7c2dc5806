import FencepostFormats

/// Distinguishes NMEA 0183, delimited text and other text.
///
/// Formats with an unmistakable first line come first, then sentences, then tables with a header.
enum TextProbe {
  /// Judges text by its first lines; its end may be cut off unless `isLast`.
  static func judge(_ text: Span<UInt8>, isLast: Bool) -> FormatDetector.Verdict {
    let firstLine = firstLine(text)
    if text.count >= 6, text.extracting(first: 6).equals("$FLYS,") { return .foreign(flySight) }
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
    if firstSentence(text.extracting(first: firstLine.upperBound)) != nil { return .format(.nmea) }
    let dialect = CSVDialect.recognize(
      text, isWhole: isLast, titleLines: CSVFixDecoder.titleLines,
      namesColumns: { CSVFixColumns(header: $0) != nil })
    if dialect?.namesColumns ?? false { return .format(.csv) }
    if firstSentence(text, from: firstLine.upperBound) != nil { return .format(.nmea) }
    guard let dialect else { return .open }
    return isLast ? .foreign(describe(text, text.extracting(firstLine), dialect)) : .open
  }

  /// Whether the header is in the comments before the first row.
  private static func namesColumns(_ beginning: Span<UInt8>) -> Bool {
    let dialect = CSVDialect.recognize(
      beginning, isWhole: true, namesColumns: { CSVFixColumns(header: $0) != nil })
    return dialect?.namesColumns ?? false
  }

  /// The first line that is neither empty nor a comment.
  static func firstLine(_ text: Span<UInt8>) -> Range<Int> {
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

  /// Whether there is a sentence that is not a string of JSON.
  static func hasSentence(_ text: Span<UInt8>) -> Bool {
    var start = 0
    while let index = firstSentence(text, from: start) {
      guard index > 0, text[index - 1] == UInt8(ascii: "\"") else { return true }
      start = index + 1
    }
    return false
  }

  /// The index of the first `$`, or `!` for AIS, that an address and a comma follow.
  private static func firstSentence(_ text: Span<UInt8>, from first: Int = 0) -> Int? {
    for start in first..<text.count
    where text[start] == UInt8(ascii: "$") || text[start] == UInt8(ascii: "!") {
      var end = start + 1
      while end < min(text.count, start + 10),
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= text[end]
          || (end > start + 1 && UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[end])
      {
        end += 1
      }
      if end >= start + 4, end < text.count, text[end] == UInt8(ascii: ",") { return start }
    }
    return nil
  }

  private static let flySight =
    "a FlySight 2 file; read its positions as a table: "
    + "(echo time,lat,lon; sed -n 's/^$GNSS,//p' FILE) | cut -d, -f1-3 | fencepost replay -"

  /// Unsupported text formats, by the start of their first line, and how to convert them.
  private static let named: [(start: StaticString, sentence: String)] = [
    ("OziExplorer Waypoint File", BinaryProbe.babel("OziExplorer waypoints", "ozi")),
    ("[EASYGPS]", BinaryProbe.babel("EasyGPS waypoints", "easygps")),
    ("Grid\t", BinaryProbe.babel("Garmin MapSource text", "garmin_txt")),
    // GPSBabel dropped these two in version 1.8 (2022).
    ("G  WGS 84", "a CompeGPS track; save it as GPX in CompeGPS or TwoNav Land"),
    ("H  SOFTWARE NAME & VERSION", "a Garmin PCX5 file; convert it with GPSBabel 1.7 or older"),
  ]

  /// Says what an unknown text looks like, and what to do with it.
  private static func describe(
    _ text: Span<UInt8>, _ firstLine: Span<UInt8>, _ dialect: CSVDialect
  ) -> String {
    for (start, sentence) in named where firstLine.count >= start.utf8CodeUnitCount {
      if firstLine.extracting(first: start.utf8CodeUnitCount).equals(start) { return sentence }
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

/// Judges text that begins with `{`, `[` or a record separator by its first objects.
///
/// A document is known by its members, and JSON Lines by the first object that has a type or a
/// position.
enum JSONProbe {
  /// Members that only gpsd's reports and OwnTracks messages have.
  private static let typeNames: [StaticString] = ["class", "_type"]
  /// All members looked for; their indices tell which one was found.
  private static let names = typeNames + JSONFixReader.latitudeNames + JSONFixReader.longitudeNames

  /// Judges JSON by the earliest evidence, so that the result does not depend on how much there is.
  static func judge(_ text: Span<UInt8>, isLast: Bool) -> FormatDetector.Verdict {
    let document = DocumentProbe.format(of: text)
    if text[0] == UInt8(ascii: "[") {
      if let document { return .format(document.format) }
      return isLast || !mayHoldObjects(text) ? .foreign(describe(text)) : .open
    }
    var scanner = LineScanner(maximumLineBytes: FormatDetector.windowBytes)
    var verdict = FormatDetector.Verdict.open
    func look(_ line: Span<UInt8>, _ position: LinePosition) {
      // The earliest evidence decides, so that the verdict does not depend on the bytes available.
      guard verdict == .open,
        document.map({ $0.byteCount > position.byteOffset + line.count }) ?? true
      else { return }
      verdict = judge(line: line)
    }
    scanner.scan(text, look)
    if isLast { scanner.finish(look) }
    if verdict == .open, let document { return .format(document.format) }
    guard verdict == .open, isLast else { return verdict }
    return .foreign(describe(text))
  }

  /// What JSON holds that no format has.
  private static func describe(_ text: Span<UInt8>) -> String {
    if let path = JSONListProbe.path(in: text) {
      return "the fixes are in a list within the JSON; write them one a line: "
        + "jq -c '\(path)' FILE | fencepost replay -"
    }
    return text[0] == UInt8(ascii: "[")
      ? "a JSON array without objects with lat and lon; \(FormatDetector.expectation)"
      : "JSON without gpsd reports, OwnTracks messages, objects with lat and lon, or a track; "
        + FormatDetector.expectation
  }

  /// Whether a line may be JSON, or the beginning of it.
  static func isJSON(_ line: Span<UInt8>) -> Bool {
    var reader = JSONReader(isSequence: true)
    reader.push(line)
    do throws(JSONError) {
      while try reader.next() != nil {}
      return true
    } catch {
      return false
    }
  }

  /// Whether the array can still turn out to hold objects.
  private static func mayHoldObjects(_ array: Span<UInt8>) -> Bool {
    var start = 1
    while start < array.count, FormatDetector.isWhiteSpace(array[start]) { start += 1 }
    return start == array.count || array[start] == UInt8(ascii: "{")
  }

  /// Whether a value is a number, even in quotation marks.
  private static func isNumber(_ value: JSONLineReader.Value, _ text: Span<UInt8>) -> Bool {
    switch value {
    case .number: true
    case .string: DecimalNumber.double(parsing: text) != nil
    case .other: false
    }
  }

  /// Judges one line; `open` if it has neither a type nor a position.
  private static func judge(line: Span<UInt8>) -> FormatDetector.Verdict {
    var reader = JSONLineReader()
    var verdict = FormatDetector.Verdict.open
    var hasLatitude = false
    var hasLongitude = false
    // An error does not matter: the start of an incomplete or damaged line is enough.
    let index = { (reader: borrowing JSONReader) in names.firstIndex { reader.textEquals($0) } }
    _ = try? reader.read(line, index: index) { index, value, text in
      if index >= typeNames.count {
        guard isNumber(value, text) else { return }
        if index < typeNames.count + JSONFixReader.latitudeNames.count {
          hasLatitude = true
        } else {
          hasLongitude = true
        }
        return
      }
      guard case .string = value else { return }
      verdict = .format(index == 0 ? .gpsd : .ownTracks)
    }
    return verdict == .open && hasLatitude && hasLongitude ? .format(.jsonLines) : verdict
  }
}

/// Recognizes a JSON document by the first key or type that is unique to a format.
///
/// It stops at the first key or type that decides, because the rest of the document may be missing.
enum DocumentProbe {
  /// The parts of documents that tell formats apart.
  private enum Node { case object, locations, location, features, feature, windows, window }

  /// Returns the format and the bytes needed to tell; nil if the first value is inconclusive.
  static func format(of text: Span<UInt8>) -> (format: TrackFormat, byteCount: Int)? {
    var reader = JSONReader(isSequence: true)
    reader.push(text)
    var open: [Node?] = []
    var member: Node?
    var isType = false
    // The decoder reports damage later, once the format is known.
    while let event = try? reader.next() {
      var format: TrackFormat?
      switch event {
      case .beginObject, .beginArray: open.append(node(event, open, member))
      case .endObject, .endArray:
        open.removeLast()
        if open.isEmpty { return nil }
      case .key:
        guard let node = open.last else { break }
        format = self.format(ofMember: reader, in: node)
        isType =
          node == .object || node == .location || node == .feature
          ? reader.textEquals("type") : false
        member = node == .object ? self.member(reader) : nil
      case .string where isType: format = self.format(ofType: reader)
      default: break
      }
      if event != .key { isType = false }
      if event != .key, event != .beginObject, event != .beginArray { member = nil }
      if let format { return (format, reader.byteOffset + reader.text.count) }
    }
    return nil
  }

  /// The part that an object or array is, by where it begins; nil if it tells nothing.
  private static func node(_ event: JSONReader.Event, _ open: [Node?], _ member: Node?) -> Node? {
    switch open.last {
    case nil: event == .beginArray ? .windows : .object
    case .windows: event == .beginObject ? .window : nil
    case .locations: event == .beginObject ? .location : nil
    case .features: event == .beginObject ? .feature : nil
    case .object: event == .beginArray ? member : nil
    default: nil
    }
  }

  /// The part that a member of the document's object is.
  private static func member(_ reader: JSONReader) -> Node? {
    reader.textEquals("locations") ? .locations : reader.textEquals("features") ? .features : nil
  }

  /// The format that alone has such a member there; nil if several do.
  private static func format(ofMember reader: JSONReader, in node: Node?) -> TrackFormat? {
    func named(_ name: StaticString) -> Bool { reader.textEquals(name) }
    switch node {
    case .object:
      if named("semanticSegments") || named("rawSignals") { return .googleTimeline }
      if named("timelineObjects") { return .googleMonth }
      return named("temporalGeometry") ? .geoJSON : nil
    case .location: return named("latitudeE7") || named("longitudeE7") ? .googleRecords : nil
    case .feature: return named("geometry") || named("temporalGeometry") ? .geoJSON : nil
    case .window:
      return named("timelinePath") || named("visit") || named("activity") || named("startTime")
        ? .googleTimeline : nil
    default: return nil
    }
  }

  /// The GeoJSON and MF-JSON types that can hold a track.
  private static func format(ofType reader: JSONReader) -> TrackFormat? {
    let names: [StaticString] = [
      "FeatureCollection", "Feature", "LineString", "MultiLineString", "Point", "MultiPoint",
      "GeometryCollection", "MovingPoint", "MovingGeometryCollection", "MovingFeatureCollection",
    ]
    return names.contains { reader.textEquals($0) } ? .geoJSON : nil
  }
}
