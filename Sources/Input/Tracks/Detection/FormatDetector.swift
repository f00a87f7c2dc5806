import FencepostFiles
import FencepostFormats

/// Recognizes the format of a source by its first bytes, independent of name and chunking.
///
/// ``TrackDecoder`` asks it again while bytes arrive, until the verdict is not `open`. A probe for
/// each family looks for what only one format has: a signature, a root element, a type, a header.
struct FormatDetector: Sendable {
  /// How much of a source may be needed; what is unknown by then is foreign.
  static var windowBytes: Int { 64 * 1024 }

  /// What the first bytes show.
  enum Verdict: Equatable {
    /// More bytes are needed.
    case open
    /// The bytes are a track in this format.
    case format(TrackFormat)
    /// The bytes are a zip archive, whose entries are recognized one by one.
    case archive
    /// The format is not supported; the sentence describes it.
    case foreign(String)
  }

  /// The end of messages about an unknown format.
  static let expectation =
    "expected GPX, NMEA 0183, JSON lines (from gpsd, from OwnTracks, or with time, lat and lon), "
    + "CSV with a header such as time,lat,lon, or another track format that the guide lists"

  /// Judges the first bytes of a source, in UTF-8 or ASCII; never `open` if `isWhole`.
  static func judge(_ bytes: Span<UInt8>, isWhole: Bool) -> Verdict {
    let window = bytes.extracting(first: min(bytes.count, windowBytes))
    let isLast = isWhole || bytes.count >= windowBytes
    if let verdict = BinaryProbe.judge(window, isLast: isLast) { return verdict }
    if let preface = XMLPreface(window), preface.byteCount > 0 {
      let document = window.extracting(preface.byteCount..<window.count)
      return MarkupProbe.judge(document, isLast: isLast)
    }
    let hasByteOrderMark =
      window.count >= 3 && window[0] == 0xEF && window[1] == 0xBB && window[2] == 0xBF
    var start = hasByteOrderMark ? 3 : 0
    while start < window.count, isWhiteSpace(window[start]) { start += 1 }
    guard start < window.count else {
      if !isLast { return .open }
      return .foreign(isWhole ? "the file is empty" : "only white space; \(expectation)")
    }
    let text = window.extracting(start..<window.count)
    let verdict = judge(text: text, isLast: isLast)
    return verdict == .open && isLast ? .foreign("unknown format; \(expectation)") : verdict
  }

  /// Judges text without blanks before it by its first character, and then by its first line.
  private static func judge(text: Span<UInt8>, isLast: Bool) -> Verdict {
    let firstLine = TextProbe.firstLine(text)
    // A log's lines may begin like XML or JSON: `<13>May 14`, `[09:30:00] $GPRMC,`.
    switch text[0] {
    case UInt8(ascii: "<") where text.count > 1 && text[1] &- 0x30 <= 9:
      return TextProbe.judge(text, isLast: isLast)
    case UInt8(ascii: "<"):
      let verdict = MarkupProbe.judge(text, isLast: isLast)
      guard case .foreign = verdict else { return verdict }
      if TextProbe.hasSentence(text.extracting(firstLine)) { return .format(.nmea) }
      return firstLine.upperBound < text.count || isLast ? verdict : .open
    case UInt8(ascii: "[") where !JSONProbe.isJSON(text.extracting(firstLine)):
      return TextProbe.judge(text, isLast: isLast)
    case UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E:
      let verdict = JSONProbe.judge(text, isLast: isLast)
      if case .format = verdict { return verdict }
      if TextProbe.hasSentence(text) { return .format(.nmea) }
      return firstLine.upperBound < text.count || isLast ? verdict : .open
    default: return TextProbe.judge(text, isLast: isLast)
    }
  }

  /// Whether a byte is an ASCII space, tab or line end.
  static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}

/// Recognizes binary files by their first bytes; for unsupported ones, tells how to convert them.
///
/// Only FIT and zip archives are read. A user who has another format gets a command that works.
enum BinaryProbe {
  /// A format that is not read, and the bytes by which it is known.
  private struct Kind {
    var signature: [UInt8]
    var offset = 0
    /// The name of the format, and how to convert it.
    var sentence: String
  }

  /// How many bytes a decision needs.
  static var windowBytes: Int { 16 }

  private static let kinds: [Kind] = [
    Kind(signature: Array("BZh".utf8), sentence: unpacked("bzip2", "bzip2 -dc FILE")),
    Kind(signature: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], sentence: unpacked("xz", "xz -dc FILE")),
    Kind(signature: [0x28, 0xB5, 0x2F, 0xFD], sentence: unpacked("zstd", "zstd -dc FILE")),
    Kind(signature: [0x04, 0x22, 0x4D, 0x18], sentence: unpacked("lz4", "lz4 -dc FILE")),
    Kind(signature: [0x1F, 0x9D], sentence: unpacked("compress", "gzip -dc FILE")),
    Kind(
      signature: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], sentence: unpacked("7-Zip", "7z x -so FILE")),
    Kind(signature: Array("Rar!".utf8), sentence: unpacked("RAR", "bsdtar -xOf FILE")),
    Kind(signature: Array("PK\u{5}\u{6}".utf8), sentence: "an empty zip archive"),
    Kind(signature: [0xFF, 0xD8, 0xFF], sentence: image("a JPEG image")),
    Kind(signature: [0x89, 0x50, 0x4E, 0x47], sentence: image("a PNG image")),
    Kind(signature: [0x49, 0x49, 0x2A, 0], sentence: image("a TIFF image")),
    Kind(signature: [0x4D, 0x4D, 0, 0x2A], sentence: image("a TIFF image")),
    Kind(signature: Array("ftypheic".utf8), offset: 4, sentence: image("a HEIC image")),
    Kind(signature: Array("ftypmif1".utf8), offset: 4, sentence: image("a HEIC image")),
    Kind(
      signature: Array("ftyp".utf8), offset: 4,
      sentence: "a video; if the camera recorded positions, extract them: "
        + "exiftool -ee -n -p gpx.fmt FILE | fencepost replay -"),
    Kind(signature: Array("MsRcf".utf8), sentence: babel("Garmin MapSource GDB", "gdb")),
    // GPSBabel dropped it after version 1.6 (2019).
    Kind(
      signature: Array("MsRcd".utf8), sentence: "Garmin MapSource MPS; save it as GPX in MapSource"
    ),
    Kind(
      signature: Array("TrackMaker".utf8), offset: 2, sentence: babel("GPS TrackMaker GTM", "gtm")),
    Kind(
      signature: Array("SQLite format 3".utf8),
      sentence: "an SQLite database; export its points as CSV, for example: "
        + "sqlite3 -header -csv FILE \"SELECT time, lat, lon FROM points\" | fencepost replay -"),
    Kind(
      signature: Array("PAR1".utf8),
      sentence: "Parquet; export its points as CSV, for example: "
        + "duckdb -csv -c \"SELECT time, lat, lon FROM 'FILE'\" | fencepost replay -"),
    Kind(
      signature: [0, 0, 0x27, 0x0A],
      sentence: "a shapefile; convert it: ogr2ogr -f GeoJSON /vsistdout/ FILE | fencepost replay -"),
    Kind(
      signature: Array("fgb".utf8) + [3],
      sentence: "FlatGeobuf; convert it: ogr2ogr -f GeoJSON /vsistdout/ FILE | fencepost replay -"),
    Kind(signature: Array("%PDF".utf8), sentence: "a PDF document, not a track"),
  ]

  /// Judges the first bytes; nil if they may be text.
  static func judge(_ bytes: Span<UInt8>, isLast: Bool) -> FormatDetector.Verdict? {
    guard bytes.count >= windowBytes || isLast else { return .open }
    if ZipReader.isZip(bytes) { return .archive }
    if FITDecoder.isFIT(bytes) == true { return .format(.fit) }
    let kind = kinds.first { kind in
      bytes.count >= kind.offset + kind.signature.count
        && kind.signature.indices.allSatisfy { bytes[kind.offset + $0] == kind.signature[$0] }
    }
    return kind.map { .foreign($0.sentence) }
  }

  /// Whether a file is compressed or an archive.
  static func isPacked(_ bytes: Span<UInt8>) -> Bool {
    if Gunzip.isGzip(bytes) || ZipReader.isZip(bytes) { return true }
    guard case .foreign(let sentence)? = judge(bytes, isLast: true) else { return false }
    return sentence.hasPrefix("packed with")
  }

  /// The advice for a compressed file; ``isPacked(_:)`` knows it by its beginning.
  private static func unpacked(_ name: String, _ command: String) -> String {
    "packed with \(name); unpack it: \(command) | fencepost replay -"
  }

  /// The advice for photos, whose positions are in their metadata.
  private static func image(_ name: String) -> String {
    "\(name); to replay photos, list their times and positions as CSV: "
      + "exiftool -n -csv -d %Y-%m-%dT%H:%M:%SZ -GPSDateTime -GPSLatitude -GPSLongitude FILE..."
  }

  /// The advice for formats that GPSBabel converts.
  static func babel(_ name: String, _ format: String) -> String {
    "\(name); convert it: gpsbabel -t -i \(format) -f FILE -o gpx -F - | fencepost replay -"
  }
}

/// Judges text that begins with `<` by its root element.
///
/// Declarations, comments and document types before it are skipped.
enum MarkupProbe {
  /// Judges the beginning of an XML document; `isLast` means that it is complete.
  static func judge(_ text: Span<UInt8>, isLast: Bool) -> FormatDetector.Verdict {
    var index = 0
    while true {
      guard let open = text.firstIndex(of: UInt8(ascii: "<"), from: index) else { break }
      guard open + 1 < text.count else { break }
      switch text[open + 1] {
      case UInt8(ascii: "?"):
        guard let end = end(of: "?>", text, from: open) else { return atEnd(isLast) }
        index = end
      case UInt8(ascii: "!"):
        guard let end = endOfDeclaration(text, from: open) else { return atEnd(isLast) }
        index = end
      default: return judgeRoot(text, from: open + 1, isLast: isLast)
      }
    }
    return atEnd(isLast)
  }

  /// Without a root element, leaves it to the XML parser to report what is wrong.
  private static func atEnd(_ isLast: Bool) -> FormatDetector.Verdict {
    isLast ? .format(.gpx) : .open
  }

  /// Judges by the root element's name, without its namespace prefix.
  private static func judgeRoot(
    _ text: Span<UInt8>, from start: Int, isLast: Bool
  ) -> FormatDetector.Verdict {
    var end = start
    var local = start
    while end < text.count, isNameByte(text[end]) {
      if text[end] == UInt8(ascii: ":") { local = end + 1 }
      end += 1
    }
    guard end < text.count || isLast else { return .open }
    let name = text.extracting(local..<end)
    if let format = format(ofRootNamed: name) { return .format(format) }
    // The warning of a script, in HTML, may precede the document.
    if !isLast, scriptTags.contains(where: { name.equals($0) }) { return .open }
    let shown = String(utf8: name.extracting(first: min(name.count, 40)))
    if shown.lowercased() == "html" {
      return .foreign("an HTML page, not a track; was it saved from a login page?")
    }
    return shown.isEmpty
      ? .foreign("unknown format; \(FormatDetector.expectation)")
      : .foreign("XML with the root element <\(shown)>, not <gpx>; \(FormatDetector.expectation)")
  }

  /// Elements in which a web server's warnings come, before the document that was asked for.
  private static let scriptTags: [StaticString] = ["br", "b", "p", "div", "pre", "font", "table"]

  /// The format with this root element; nil for other elements.
  private static func format(ofRootNamed name: Span<UInt8>) -> TrackFormat? {
    if name.equals("gpx") { return .gpx }
    if name.equals("TrainingCenterDatabase") { return .tcx }
    return name.equals("kml") ? .kml : nil
  }

  /// The format of a tag whose name begins at an index and is complete; nil for other elements.
  static func format(ofRoot text: Span<UInt8>, from start: Int) -> TrackFormat? {
    guard let end = (start..<text.count).first(where: { !isNameByte(text[$0]) }) else { return nil }
    let local = (start..<end).first { text[$0] == UInt8(ascii: ":") }.map { $0 + 1 } ?? start
    return format(ofRootNamed: text.extracting(local..<end))
  }

  /// Whether a byte can be part of an element's name.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ":")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  /// The index after a comment or a document type with its declarations.
  private static func endOfDeclaration(_ text: Span<UInt8>, from start: Int) -> Int? {
    if text.count >= start + 4, text.extracting(start..<(start + 4)).equals("<!--") {
      return end(of: "-->", text, from: start + 4)
    }
    guard text.count >= start + 4 else { return nil }
    var depth = 0
    for index in start..<text.count {
      switch text[index] {
      case UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
    }
    return nil
  }

  /// The index after a mark; nil if it does not come.
  static func end(of mark: StaticString, _ text: Span<UInt8>, from start: Int) -> Int? {
    let length = mark.utf8CodeUnitCount
    var index = start
    while index + length <= text.count {
      if text.extracting(index..<(index + length)).equals(mark) { return index + length }
      index += 1
    }
    return nil
  }
}
