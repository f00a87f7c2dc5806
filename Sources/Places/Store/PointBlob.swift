import FencepostGeodesy

/// A point as SpatiaLite's geometry BLOB, WGS84 (SRID 4326).
///
/// The layout is that of the SpatiaLite book's "BLOB-Geometry" chapter: start mark 00, byte order,
/// SRID, the bounding box, mark 7C, class 1, x, y, end mark FE. Its short form for points, the
/// "TinyPoint", has byte order 80 or 81, the SRID, 01, x, y, FE.
enum PointBlob {
  static let spatialReference: UInt32 = 4326
  static let byteCount = 60

  /// Writes the ``byteCount`` bytes of a point's BLOB into a span, from an offset on.
  static func write(_ coordinate: Coordinate, into bytes: inout MutableRawSpan, at start: Int) {
    let x = coordinate.longitudeDegrees.bitPattern.littleEndian
    let y = coordinate.latitudeDegrees.bitPattern.littleEndian
    bytes.storeBytes(of: 0x00, toByteOffset: start, as: UInt8.self)
    bytes.storeBytes(of: 0x01, toByteOffset: start + 1, as: UInt8.self)
    bytes.storeBytes(of: spatialReference.littleEndian, toByteOffset: start + 2, as: UInt32.self)
    // The box of a point is the point twice.
    bytes.storeBytes(of: x, toByteOffset: start + 6, as: UInt64.self)
    bytes.storeBytes(of: y, toByteOffset: start + 14, as: UInt64.self)
    bytes.storeBytes(of: x, toByteOffset: start + 22, as: UInt64.self)
    bytes.storeBytes(of: y, toByteOffset: start + 30, as: UInt64.self)
    bytes.storeBytes(of: 0x7C, toByteOffset: start + 38, as: UInt8.self)
    bytes.storeBytes(of: (1 as UInt32).littleEndian, toByteOffset: start + 39, as: UInt32.self)
    bytes.storeBytes(of: x, toByteOffset: start + 43, as: UInt64.self)
    bytes.storeBytes(of: y, toByteOffset: start + 51, as: UInt64.self)
    bytes.storeBytes(of: 0xFE, toByteOffset: start + byteCount - 1, as: UInt8.self)
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
    default:
      return nil
    }
    let x = Double(bitPattern: integer(bytes, at: offset, isLittle: isLittle))
    let y = Double(bitPattern: integer(bytes, at: offset + 8, isLittle: isLittle))
    return Coordinate(latitudeDegrees: y, longitudeDegrees: x)
  }

  @inline(__always)
  private static func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: Span<UInt8>, at offset: Int, isLittle: Bool
  ) -> Integer {
    // Any bytes are a number, and the span checks that they are there.
    let stored = unsafe bytes.bytes.unsafeLoadUnaligned(
      fromByteOffset: offset, as: Integer.self)
    return isLittle ? Integer(littleEndian: stored) : Integer(bigEndian: stored)
  }
}
