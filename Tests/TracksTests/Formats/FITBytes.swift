/// Builds FIT files field by field.
struct FITBytes {
  /// The records so far, without header and checksum.
  var body: [UInt8] = []

  /// A definition of fields, each of number, size and base type.
  mutating func define(
    _ local: UInt8, message: UInt16, _ fields: [[UInt8]], developer: [[UInt8]] = [],
    isBigEndian: Bool = false
  ) {
    let number = [UInt8(message & 0xFF), UInt8(message >> 8)]
    body += [0x40 | local | (developer.isEmpty ? 0 : 0x20), 0, isBigEndian ? 1 : 0]
    body += isBigEndian ? number.reversed() : number
    body += [UInt8(fields.count)] + fields.flatMap { $0 }
    if !developer.isEmpty { body += [UInt8(developer.count)] + developer.flatMap { $0 } }
  }

  mutating func add(_ header: UInt8, _ values: [UInt8]) { body += [header] + values }

  /// A number in little-endian order, or big-endian.
  static func number(_ value: Int, _ width: Int, isBigEndian: Bool = false) -> [UInt8] {
    let bytes = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  /// A position in semicircles of degrees.
  static func position(_ latitude: Double, _ longitude: Double, isBigEndian: Bool = false)
    -> [UInt8]
  {
    [latitude, longitude].flatMap {
      number(Int(($0 / 180 * 2_147_483_648).rounded()), 4, isBigEndian: isBigEndian)
    }
  }

  /// The whole file.
  func file(headerBytes: Int = 14, statesLength: Bool = true, checksumFault: UInt16 = 0) -> [UInt8]
  {
    var bytes: [UInt8] = [UInt8(headerBytes), 0x10, 0x5D, 0x08]
    bytes += Self.number(statesLength ? body.count : 0, 4) + Array(".FIT".utf8)
    if headerBytes == 14 { bytes += Self.number(Int(Self.checksum(bytes)), 2) }
    bytes += body
    return bytes + Self.number(Int(Self.checksum(bytes) ^ checksumFault), 2)
  }

  /// Garmin's checksum as its protocol computes it, half a byte at a time.
  private static func checksum(_ bytes: [UInt8]) -> UInt16 {
    let table: [UInt16] = [
      0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401, 0xA001, 0x6C00, 0x7800,
      0xB401,
      0x5000, 0x9C01, 0x8801, 0x4400,
    ]
    var crc: UInt16 = 0
    for byte in bytes {
      for half in [byte & 0xF, byte >> 4] {
        let mixed = table[Int(crc & 0xF)] ^ table[Int(half)]
        crc = (crc >> 4 & 0x0FFF) ^ mixed
      }
    }
    return crc
  }
}
