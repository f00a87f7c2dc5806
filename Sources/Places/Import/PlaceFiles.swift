import FencepostFiles
import FencepostFormats

/// Reads files of places in any format into a staging.
enum PlaceFiles {
  /// Reads one file; `-` is standard input.
  static func read(
    path: String, into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    var input = try Input.open(path)
    if let sentence = ForeignFile.sentence(head: input.head) {
      throw .format(file: input.name, line: 1, sentence: sentence)
    }
    switch ImportFormat.sniff(TextLayer.beginning(of: input.head.span).span) {
    case .csv:
      var decoder = CSVPlaces(file: input.name)
      try drive(&decoder, &input, asText: true, into: &staging)
    case .json:
      var decoder = JSONPlaces(file: input.name)
      try drive(&decoder, &input, asText: true, into: &staging)
    case .xml:
      // libxml2 knows the encodings that XML can declare.
      var decoder = XMLPlaces(file: input.name)
      try drive(&decoder, &input, asText: false, into: &staging)
    case .zip:
      var decoder = ZipPlaces(file: input.name)
      try drive(&decoder, &input, asText: false, into: &staging)
    }
  }

  /// A file whose beginning has been read ahead to recognise its format.
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
        // A slow pipe may deliver the first bytes one by one.
        while head.count < 512, try source.read(into: &chunk) { head += chunk }
        return Input(source, head: head)
      } catch {
        throw .source(error)
      }
    }

    var name: String { source.name }

    /// Replaces a chunk with the next; false at the end.
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
    if isText, let warning = text.warning(file: input.name) { staging.warn(warning) }
  }
}

/// The formats that places are read from, recognised by content.
enum ImportFormat {
  case csv, json, xml, zip

  /// Recognises the format by the first bytes of a file after a byte order mark and white space.
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

/// Reads places of one format in chunks into a staging.
protocol PlaceDecoder: ~Copyable {
  /// Takes the next bytes.
  mutating func decode(_ chunk: [UInt8], into staging: inout PlaceStaging) throws(PlaceImportError)
  /// Takes the end of the file.
  mutating func finish(into staging: inout PlaceStaging) throws(PlaceImportError)
}
