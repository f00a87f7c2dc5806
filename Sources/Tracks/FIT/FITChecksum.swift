/// The checksum of FIT files: CRC-16 with the reversed polynomial 0xA001, starting at 0.
struct FITChecksum: Sendable, Equatable {
  private(set) var value: UInt16 = 0

  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
  }

  mutating func add(_ bytes: Span<UInt8>) {
    let table = Self.table
    var crc = value
    for index in bytes.indices { crc = crc >> 8 ^ table[Int((crc ^ UInt16(bytes[index])) & 0xFF)] }
    value = crc
  }
}
