import FencepostFormats

/// The header of an entry in a zip archive.
struct ZipHeader: Sendable {
  /// How an entry is packed.
  enum Method: UInt64 {
    case stored = 0
    case deflated = 8
    case other = 0xFFFF
  }

  private(set) var method = Method.stored
  private(set) var name = ""
  private(set) var isEncrypted = false
  /// Whether checksum and sizes follow the data.
  private(set) var hasDescriptor = false
  /// Whether sizes have eight bytes.
  private(set) var isZip64 = false
  var checksum: UInt32 = 0
  private(set) var compressedBytes = 0
  var uncompressedBytes = 0
  /// How many bytes the header has.
  private(set) var byteCount = 0

  init() {}

  /// Reads a header; nil if bytes are missing.
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

  /// Finds the sizes of eight bytes in the extra fields.
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

  /// A little-endian number.
  static func number(_ bytes: Span<UInt8>, _ start: Int, _ width: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<width { value |= UInt64(bytes[start + index]) << UInt64(8 * index) }
    return value
  }
}
