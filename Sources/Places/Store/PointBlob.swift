import FencepostGeodesy

/// Encodes and decodes points as SpatiaLite geometry BLOBs in WGS84 (SRID 4326).
///
/// The layout is from the "BLOB-Geometry" chapter of the SpatiaLite book: start mark 00, byte
/// order, SRID, bounding box, mark 7C, class 1, x, y, end mark FE. The short form for points,
/// "TinyPoint", has byte order 80 or 81, SRID, 01, x, y, FE.
enum PointBlob {
  static let spatialReference: UInt32 = 4326
  private static let byteCount = 60

  static func bytes(_ coordinate: Coordinate) -> [UInt8] {
    var blob: [UInt8] = []
    blob.reserveCapacity(byteCount)
    func append(_ number: some FixedWidthInteger) {
      for shift in stride(from: 0, to: number.bitWidth, by: 8) {
        blob.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    func appendPoint() {
      append(coordinate.longitudeDegrees.bitPattern)
      append(coordinate.latitudeDegrees.bitPattern)
    }
    append(0x0100 as UInt16)
    append(spatialReference)
    // The bounding box is the point twice.
    appendPoint()
    appendPoint()
    append(0x7C as UInt8)
    append(1 as UInt32)
    appendPoint()
    append(0xFE as UInt8)
    return blob
  }

  /// The point of a BLOB, or nil if it is not a WGS84 point.
  static func decode(_ bytes: Span<UInt8>) -> Coordinate? {
    guard bytes.count >= 24, bytes[0] == 0, bytes[bytes.count - 1] == 0xFE else { return nil }
    let order = bytes[1]
    let isLittle = order & 1 == 1
    guard integer(bytes, at: 2, isLittle: isLittle) == spatialReference else { return nil }
    let offset: Int
    switch (order, bytes.count) {
    case (0x00, byteCount), (0x01, byteCount):
      guard bytes[38] == 0x7C, integer(bytes, at: 39, isLittle: isLittle) == 1 as UInt32 else {
        return nil
      }
      offset = 43
    case (0x80, 24), (0x81, 24):
      guard bytes[6] == 1 else { return nil }
      offset = 7
    default: return nil
    }
    let x = Double(bitPattern: integer(bytes, at: offset, isLittle: isLittle))
    let y = Double(bitPattern: integer(bytes, at: offset + 8, isLittle: isLittle))
    return Coordinate(latitudeDegrees: y, longitudeDegrees: x)
  }

  @inline(__always)
  private static func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: Span<UInt8>, at offset: Int, isLittle: Bool
  ) -> Integer {
    // Any bytes form a number, and the span checks its bounds.
    let stored = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Integer.self)
    return isLittle ? Integer(littleEndian: stored) : Integer(bigEndian: stored)
  }
}
