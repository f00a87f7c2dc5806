/// The tags, and parts of tags, of at most eight bytes that make up most of a recording, each as one
/// integer.
struct GPXPlainTag {
  /// The bytes, the first one lowest, moved up so that none is unused above them.
  let word: UInt64
  /// How many bits of the eight bytes the tag does not use.
  let unusedBits: UInt64

  /// The start tag `<trkpt ` with the space before its attributes.
  static var trackPoint: Self { Self(0x20_7470_6B72_743C, bytes: 7) }
  /// The beginning of a latitude, ` lat="`.
  static var latitude: Self { Self(0x223D_7461_6C20, bytes: 6) }
  /// What stands between a latitude and a longitude, `" lon="`.
  static var longitude: Self { Self(0x22_3D6E_6F6C_2022, bytes: 7) }
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
