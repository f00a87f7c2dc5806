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

/// Decodes places of one format, chunk by chunk.
protocol PlaceDecoder: ~Copyable {
  /// Where the places go.
  var staging: PlaceStaging { get }

  mutating func decode(_ chunk: [UInt8]) throws(PlaceImportError)
  mutating func finish() throws(PlaceImportError)
}
