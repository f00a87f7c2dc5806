/// Gzip data that stores its contents without compressing them (RFC 1951, 3.2.4; RFC 1952).
enum Gzip {
  static func member(_ contents: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var start = 0
    repeat {
      let end = min(contents.count, start + 40_000)
      let length = UInt16(end - start)
      bytes.append(end == contents.count ? 1 : 0)
      bytes += [
        UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8),
      ]
      bytes += contents[start..<end]
      start = end
    } while start < contents.count
    for word in [checksum(contents), UInt32(truncatingIfNeeded: contents.count)] {
      for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(word >> shift & 0xFF)) }
    }
    return bytes
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
