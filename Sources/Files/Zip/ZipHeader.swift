import FencepostFormats

/// The local header of an entry in a zip archive.
struct ZipHeader: Sendable {
  enum Method: UInt64 {
    case stored = 0
    case deflated = 8
    case other = 0xFFFF
  }

  private(set) var method = Method.stored
  private(set) var name = ""
  private(set) var isEncrypted = false
  /// Whether the checksum and sizes follow the data.
  private(set) var hasDescriptor = false
  /// Whether the sizes have eight bytes.
  private(set) var isZip64 = false
  var checksum: UInt32 = 0
  private(set) var compressedBytes = 0
  var uncompressedBytes = 0
  /// The header's size in bytes.
  private(set) var byteCount = 0

  init() {}

  /// Parses a header; nil if more bytes are needed.
  init?(_ bytes: Span<UInt8>) {
    let flags = Self.number(bytes, 6, 2)
    isEncrypted = flags & 1 != 0
    hasDescriptor = flags & 8 != 0
    method = Method(rawValue: Self.number(bytes, 8, 2)) ?? .other
    checksum = UInt32(Self.number(bytes, 14, 4))
    compressedBytes = Int(Self.number(bytes, 18, 4))
    uncompressedBytes = Int(Self.number(bytes, 22, 4))
    let nameBytes = Int(Self.number(bytes, 26, 2))
    let extraBytes = Int(Self.number(bytes, 28, 2))
    byteCount = 30 + nameBytes + extraBytes
    guard bytes.count >= byteCount else { return nil }
    name = String(utf8: bytes.extracting(30..<(30 + nameBytes)))
    takeExtra(bytes.extracting((30 + nameBytes)..<byteCount))
  }

  /// Reads the eight-byte sizes from the extra fields.
  private mutating func takeExtra(_ extra: Span<UInt8>) {
    var start = 0
    while start + 4 <= extra.count {
      let (kind, count) = (Self.number(extra, start, 2), Int(Self.number(extra, start + 2, 2)))
      start += 4
      guard start + count <= extra.count else { return }
      if kind == 1 {
        isZip64 = true
        if count >= 16 {
          uncompressedBytes = Int(clamping: Self.number(extra, start, 8))
          compressedBytes = Int(clamping: Self.number(extra, start + 8, 8))
        }
      }
      start += count
    }
  }

  /// Reads a little-endian integer.
  static func number(_ bytes: Span<UInt8>, _ start: Int, _ width: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<width { value |= UInt64(bytes[start + index]) << UInt64(8 * index) }
    return value
  }
}
