import FencepostFiles
import FencepostFormats

enum PlaceFiles {
  /// Reads one file, or standard input for `-`.
  static func read(path: String, into staging: PlaceStaging) throws(PlaceImportError) {
    var head: [UInt8] = []
    let source = try open(path, &head)
    staging.file = source.name
    if let sentence = ForeignFile.sentence(head: head) { throw staging.fault(sentence) }
    switch ImportFormat.sniff(TextLayer.beginning(of: head.span).span) {
    case .csv: try decode(CSVPlaces(staging), head, source, asText: true)
    case .json: try decode(JSONPlaces(staging), head, source, asText: true)
    // libxml2 handles the encodings that XML declares.
    case .xml: try decode(XMLPlaces(staging), head, source, asText: false)
    case .zip: try decode(ZipPlaces(staging), head, source, asText: false)
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
    _ decoder: consuming Decoder, _ head: [UInt8], _ source: consuming InflatedSource,
    asText isText: Bool
  ) throws(PlaceImportError) {
    var text = TextLayer(head: head.span)
    var chunk = head
    while !chunk.isEmpty {
      if isText { text.decode(&chunk) }
      try decoder.decode(chunk)
      do throws(ByteSourceError) {
        _ = try source.read(into: &chunk)
      } catch {
        throw .source(error)
      }
    }
    if isText {
      text.finish(into: &chunk)
      try decoder.decode(chunk)
    }
    try decoder.finish()
    if isText { decoder.staging.warn(text.warning(file: decoder.staging.file)) }
  }
}

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

protocol PlaceDecoder: ~Copyable {
  var staging: PlaceStaging { get }

  mutating func decode(_ chunk: [UInt8]) throws(PlaceImportError)
  mutating func finish() throws(PlaceImportError)
}

/// Recognizes spreadsheet files, which cannot be imported, and tells the user how to convert them.
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

/// Converts text to UTF-8, chunk by chunk, from UTF-16 or Windows-1252.
struct TextLayer {
  private var transcoder: UTF16Transcoder?
  private var repair = UTF8Repair()

  /// Needs the first four bytes of the text, or all if it is shorter.
  init(head: Span<UInt8>) { transcoder = UTF16Transcoder.recognize(head) }

  /// The beginning of the text as UTF-8, to recognize its format.
  static func beginning(of head: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    guard var transcoder = UTF16Transcoder.recognize(head) else {
      text.append(contentsOf: head)
      var repair = UTF8Repair()
      repair.repair(&text, isLast: true)
      return text
    }
    transcoder.transcode(head, into: &text)
    return text
  }

  mutating func decode(_ chunk: inout [UInt8]) {
    guard transcoder != nil else { return repair.repair(&chunk, isLast: false) }
    var text: [UInt8] = []
    text.reserveCapacity(chunk.count)
    transcoder?.transcode(chunk.span, into: &text)
    chunk = text
  }

  mutating func finish(into chunk: inout [UInt8]) {
    chunk.removeAll(keepingCapacity: true)
    transcoder?.finish(into: &chunk)
    if transcoder == nil { repair.repair(&chunk, isLast: true) }
  }

  func warning(file: String) -> ImportReport.Warning? {
    guard repair.replacedBytes > 0 else { return nil }
    return .notUTF8(
      file: file, line: repair.firstLine, bytes: repair.replacedBytes,
      isMixed: repair.hasCharacters)
  }
}
