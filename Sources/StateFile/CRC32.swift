/// The checksum of gzip and Ethernet.
///
/// Source: RFC 1952, section 8: the polynomial 0xEDB88320, reflected.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { remainder, _ in
      remainder & 1 == 0 ? remainder >> 1 : remainder >> 1 ^ 0xEDB8_8320
    }
  }

  /// The checksum of bytes.
  static func checksum(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { checksum, byte in
      table[Int((checksum ^ UInt32(byte)) & 0xFF)] ^ checksum >> 8
    }
  }
}
