import FencepostFiles
import FencepostFormats
import FencepostPlaceList

/// Reads the files of an import, whatever their format and compression.
///
/// It does the I/O; a `PlaceDecoder` for each format gives the rows to a `PlaceStaging`.
enum PlaceFiles {
  /// Reads one file, or standard input for `-`.
  ///
  /// The rows go to `rows`, whose failure ends the reading.
  static func read(
    path: String, into staging: PlaceStaging, _ rows: PlaceRows
  ) throws(PlaceImportError) {
    var head: [UInt8] = []
    let source = try open(path, &head)
    staging.file = source.name
    if let sentence = ForeignFile.sentence(head: head) {
      throw PlaceImportError(staging.fault(sentence))
    }
    switch ImportFormat.sniff(TextLayer.beginning(of: head.span).span) {
    case .csv: try decode(CSVPlaces(staging), rows, head, source, asText: true)
    case .json: try decode(JSONPlaces(staging), rows, head, source, asText: true)
    // libxml2 handles the encodings that XML declares.
    case .xml: try decode(XMLPlaces(staging), rows, head, source, asText: false)
    case .zip: try decode(ZipPlaces(staging), rows, head, source, asText: false)
    }
  }

  /// Opens a file and reads enough bytes to recognize its format.
  private static func open(
    _ path: String, _ head: inout [UInt8]
  ) throws(PlaceImportError) -> InflatedSource {
    do throws(ByteSourceError) {
      var source = try InflatedSource(path: path)
      var chunk: [UInt8] = []
      // A slow pipe may deliver the first bytes one at a time.
      while head.count < 512, try source.read(into: &chunk) { head += chunk }
      return source
    } catch {
      throw .source(error)
    }
  }

  /// Feeds a decoder the first bytes of a source and then the rest.
  private static func decode<Decoder: PlaceDecoder & ~Copyable>(
    _ decoder: consuming Decoder, _ rows: PlaceRows, _ head: [UInt8],
    _ source: consuming InflatedSource,
    asText isText: Bool
  ) throws(PlaceImportError) {
    var text = TextLayer(head: head.span)
    var chunk = head
    while !chunk.isEmpty {
      if isText { text.decode(&chunk) }
      do throws(PlaceListError) { try decoder.decode(chunk.span) } catch {
        throw PlaceImportError(error)
      }
      try PlaceImportError.ofStore { try rows.check() }
      do throws(ByteSourceError) {
        _ = try source.read(into: &chunk)
      } catch {
        throw .source(error)
      }
    }
    if isText { text.finish(into: &chunk) }
    do throws(PlaceListError) {
      if isText { try decoder.decode(chunk.span) }
      try decoder.finish()
    } catch {
      throw PlaceImportError(error)
    }
    try PlaceImportError.ofStore { try rows.check() }
    if isText { decoder.staging.warn(text.warning(file: decoder.staging.file)) }
  }
}

/// The kinds of files, each of which has a decoder.
///
/// The first bytes distinguish tables, JSON, XML (KML, GPX, RSS and Atom) and zip archives.
enum ImportFormat {
  case csv, json, xml, zip

  /// Recognizes the format by its first bytes, ignoring a byte order mark and white space.
  static func sniff(_ bytes: Span<UInt8>) -> ImportFormat {
    if ZipReader.isZip(bytes) { return .zip }
    var index = 0
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { index = 3 }
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    guard index < bytes.count else { return .csv }
    switch bytes[index] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
    case UInt8(ascii: "<"): return .xml
    default: return .csv
    }
  }
}

/// Recognizes spreadsheet files, which cannot be imported, and tells the user how to convert them.
///
/// Their cells can hold dates and numbers in forms that only the spreadsheet shows as intended.
enum ForeignFile {
  /// The advice for a file that is not an archive, or nil if it may be text.
  static func sentence(head: [UInt8]) -> String? {
    guard head.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) else { return nil }
    return "this is a document from an old Office version, such as an Excel workbook;"
      + " save it as “CSV UTF-8” and import that file"
  }

  /// The advice for an archive, from the name and first bytes of an entry, or nil.
  static func sentence(entry: String, head: [UInt8] = []) -> String? {
    if entry.hasPrefix("xl/") {
      return "this is an Excel workbook; save it as “CSV UTF-8” and import that file"
    }
    if entry == "mimetype", head.starts(with: "application/vnd.oasis.opendocument.spreadsheet".utf8)
    {
      return "this is an OpenDocument spreadsheet; save it as CSV in UTF-8 and import that file"
    }
    guard entry.hasPrefix("Index/"), entry.hasSuffix(".iwa") else { return nil }
    return "this is a Numbers document; export it as CSV in UTF-8 and import that file"
  }
}
