import FencepostFormats

/// Two times eight bytes of text in one vector.
struct SixteenBytes {
  private var bytes: SIMD16<UInt8>

  /// Reads the sixteen bytes at `address`, all of which must be readable.
  @inline(__always)
  init(at address: UnsafeRawPointer) {
    // The caller has seen to it that they are; every pattern of bits is a vector.
    bytes = unsafe address.loadUnaligned(as: SIMD16<UInt8>.self)
  }

  /// The bytes as two words.
  @inline(__always)
  var bits: SIMD2<UInt64> { bytes.halves }

  /// The first eight bytes.
  @inline(__always)
  var first: EightBytes { EightBytes(bits: UInt64(littleEndian: bits[0])) }

  /// The other eight bytes.
  @inline(__always)
  var second: EightBytes { EightBytes(bits: UInt64(littleEndian: bits[1])) }

  /// Whether a byte may be below `bound`, 1 … 127.
  ///
  /// No is certain; yes is true of ASCII.
  @inline(__always)
  func mayFallBelow(_ bound: UInt8) -> Bool {
    // As signed numbers, for which there is an instruction, bytes beyond ASCII are below all.
    let half = SIMD16<UInt8>(repeating: 0x80)
    let bounds = SIMD16<UInt8>(repeating: bound | 0x80)
    let marked = SIMD16<UInt8>(repeating: 0xFF)
    let marks = SIMD16<UInt8>().replacing(with: marked, where: (bytes &+ half) .< bounds)
    return marks.halves.x | marks.halves.y != 0
  }
}
