/// The formats that places are read from, told apart by content.
enum ImportFormat {
  case csv, geoJSON, xml

  /// Judges by the first bytes of a file, after a byte order mark and white space.
  static func sniff(_ bytes: Span<UInt8>) -> ImportFormat {
    if bytes.count >= 2, bytes[0] ^ bytes[1] == 1, bytes[0] | bytes[1] == 0xFF { return .xml }
    var index = 0
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { index = 3 }
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    guard index < bytes.count else { return .csv }
    switch bytes[index] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .geoJSON
    case UInt8(ascii: "<"): return .xml
    default: return .csv
    }
  }
}

/// Reads places of one format from chunks into a staging.
protocol PlaceDecoder: ~Copyable {
  /// Takes the next bytes.
  mutating func decode(_ chunk: [UInt8], into staging: inout PlaceStaging) throws(PlaceImportError)
  /// Takes the end of the file.
  mutating func finish(into staging: inout PlaceStaging) throws(PlaceImportError)
}
