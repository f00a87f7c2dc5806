import FencepostFiles
import FencepostFormats

/// Reads files of places in any format into a staging.
enum PlaceFiles {
  /// Reads one file; `-` is standard input.
  static func read(
    path: String, into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    var input = try Input.open(path)
    switch ImportFormat.sniff(input.head.span) {
    case .csv:
      var decoder = CSVPlaces(file: input.name)
      try drive(&decoder, &input, repairing: true, into: &staging)
    case .json:
      var decoder = JSONPlaces(file: input.name)
      try drive(&decoder, &input, repairing: true, into: &staging)
    case .xml:
      // libxml2 knows the encodings that XML can declare.
      var decoder = XMLPlaces(file: input.name)
      try drive(&decoder, &input, repairing: false, into: &staging)
    case .zip:
      var decoder = KMZPlaces(file: input.name)
      try drive(&decoder, &input, repairing: false, into: &staging)
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
    _ decoder: inout Decoder, _ input: inout Input, repairing: Bool,
    into staging: inout PlaceStaging
  ) throws(PlaceImportError) {
    var repair = UTF8Repair()
    var chunk: [UInt8] = []
    while try input.read(into: &chunk) {
      if repairing { repair.repair(&chunk, isLast: false) }
      try decoder.decode(chunk, into: &staging)
    }
    if repairing {
      chunk.removeAll(keepingCapacity: true)
      repair.repair(&chunk, isLast: true)
      try decoder.decode(chunk, into: &staging)
    }
    try decoder.finish(into: &staging)
    if repair.replacedBytes > 0 {
      staging.warn(
        .notUTF8(file: input.name, line: repair.firstLine, bytes: repair.replacedBytes))
    }
  }
}

/// The formats that places are read from, recognised by content.
enum ImportFormat {
  case csv, json, xml, zip

  /// Recognises the format by the first bytes of a file after a byte order mark and white space.
  static func sniff(_ bytes: Span<UInt8>) -> ImportFormat {
    if ZipReader.isZip(bytes) { return .zip }
    if bytes.count >= 2, bytes[0] ^ bytes[1] == 1, bytes[0] | bytes[1] == 0xFF { return .xml }
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
