import FencepostFiles
import FencepostFormats

enum PlaceFiles {
  /// Reads one file, or standard input for `-`.
  static func read(
    path: String, into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    var input = try Input.open(path)
    staging.file = input.name
    if let sentence = ForeignFile.sentence(head: input.head) { throw staging.fault(sentence) }
    switch ImportFormat.sniff(TextLayer.beginning(of: input.head.span).span) {
    case .csv:
      var decoder = CSVPlaces()
      try drive(&decoder, &input, asText: true, into: &staging)
    case .json:
      var decoder = JSONPlaces()
      try drive(&decoder, &input, asText: true, into: &staging)
    case .xml:
      // libxml2 handles the encodings that XML declares.
      var decoder = XMLPlaces()
      try drive(&decoder, &input, asText: false, into: &staging)
    case .zip:
      var decoder = ZipPlaces(file: input.name)
      try drive(&decoder, &input, asText: false, into: &staging)
    }
  }

  private struct Input: ~Copyable {
    private var source: InflatedSource
    private(set) var head: [UInt8]
    private var isHeadTaken = false

    private init(_ source: consuming InflatedSource, head: [UInt8]) {
      self.source = source
      self.head = head
    }

    static func open(_ path: String) throws(PlaceImportError) -> Input {
      do throws(ByteSourceError) {
        var source = try InflatedSource(path: path)
        var head: [UInt8] = []
        var chunk: [UInt8] = []
        // A slow pipe may deliver the first bytes one at a time.
        while head.count < 512, try source.read(into: &chunk) { head += chunk }
        return Input(source, head: head)
      } catch {
        throw .source(error)
      }
    }

    var name: String { source.name }

    mutating func read(into chunk: inout [UInt8]) throws(PlaceImportError) -> Bool {
      if !isHeadTaken {
        isHeadTaken = true
        swap(&chunk, &head)
        if !chunk.isEmpty { return true }
      }
      do throws(ByteSourceError) {
        return try source.read(into: &chunk)
      } catch {
        throw .source(error)
      }
    }
  }

  private static func drive<Decoder: PlaceDecoder & ~Copyable>(
    _ decoder: inout Decoder, _ input: inout Input, asText isText: Bool,
    into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    var text = TextLayer(head: input.head.span)
    var chunk: [UInt8] = []
    while try input.read(into: &chunk) {
      if isText { text.decode(&chunk) }
      try decoder.decode(chunk, into: &staging)
    }
    if isText {
      text.finish(into: &chunk)
      try decoder.decode(chunk, into: &staging)
    }
    try decoder.finish(into: &staging)
    if isText, let warning = text.warning(file: staging.file) { staging.warn(warning) }
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
  mutating func decode(_ chunk: [UInt8], into staging: inout PlaceStaging) throws(PlaceImportError)
  mutating func finish(into staging: inout PlaceStaging) throws(PlaceImportError)
}
