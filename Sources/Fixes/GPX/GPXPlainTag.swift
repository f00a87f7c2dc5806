/// The tags of at most eight bytes that make up most of a recording, each as one integer.
struct GPXPlainTag {
  /// The bytes, the first one lowest, moved up so that none is unused above them.
  let word: UInt64
  /// How many bits of the eight bytes the tag does not use.
  let unusedBits: UInt64

  /// The start tag `<trkpt ` with the space before its attributes.
  static var trackPoint: Self { Self(0x20_7470_6B72_743C, bytes: 7) }
  /// The end tag `</trkpt>`.
  static var trackPointEnd: Self { Self(0x3E74_706B_7274_2F3C, bytes: 8) }
  /// The start tag `<ele>`.
  static var elevation: Self { Self(0x3E_656C_653C, bytes: 5) }
  /// The end tag `</ele>`.
  static var elevationEnd: Self { Self(0x3E65_6C65_2F3C, bytes: 6) }
  /// The start tag `<time>`.
  static var time: Self { Self(0x3E65_6D69_743C, bytes: 6) }
  /// The end tag `</time>`.
  static var timeEnd: Self { Self(0x3E_656D_6974_2F3C, bytes: 7) }

  @inline(__always)
  private init(_ word: UInt64, bytes: UInt64) {
    unusedBits = 64 - 8 * bytes
    self.word = word &<< unusedBits
  }
}

/// Decimal digits read eight at a time.
enum EightDigits {
  /// The number that the digits at the beginning of eight bytes make, and how many these are.
  @inline(__always)
  static func leading(_ word: UInt64) -> (value: UInt64, length: Int) {
    // A digit leaves its value; adding 0x76 to more than 9 sets the byte's high bit.
    let digits = word ^ 0x3030_3030_3030_3030
    let others = (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
    let length = others.trailingZeroBitCount >> 3
    guard length > 0 else { return (0, 0) }
    // What follows the digits falls off at the top, and zeros come before them.
    var value = digits &<< UInt64(64 - 8 * length)
    // Neighbours are joined to numbers of two digits, those to four, and those to eight.
    value = (value &* 10 &+ value >> 8) & 0x00FF_00FF_00FF_00FF
    value = (value &* 100 &+ value >> 16) & 0x0000_FFFF_0000_FFFF
    value = (value &* 10_000 &+ value >> 32) & 0xFFFF_FFFF
    return (value, length)
  }
}
