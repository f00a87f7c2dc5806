/// Builds zip archives whose entries are stored.
struct ZipBytes {
  private(set) var bytes: [UInt8] = []

  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - contents: Its contents.
  ///   - deflated: The contents as deflated data with sizes behind them; nil to store them.
  ///   - flags: More flags, such as 1 for encryption.
  ///   - method: Another method than the data has.
  ///   - checksumFault: Bits that are wrong in the checksum.
  mutating func add(
    _ name: String, _ contents: [UInt8], deflated: [UInt8]? = nil, flags: UInt16 = 0,
    method: UInt16? = nil,
    checksumFault: UInt32 = 0
  ) {
    let hasDescriptor = deflated != nil
    let checksum = Gzip.checksum(contents) ^ checksumFault
    let data = deflated ?? contents
    bytes += Array("PK\u{3}\u{4}".utf8) + Self.number(20, 2)
    bytes += Self.number(UInt32(flags | (hasDescriptor ? 8 : 0)), 2)
    bytes += Self.number(UInt32(method ?? (hasDescriptor ? 8 : 0)), 2) + [0, 0, 0, 0]
    let sizes =
      Self.number(checksum, 4) + Self.number(UInt32(data.count), 4)
      + Self.number(UInt32(contents.count), 4)
    bytes += hasDescriptor ? [UInt8](repeating: 0, count: 12) : sizes
    bytes += Self.number(UInt32(name.utf8.count), 2) + [0, 0] + Array(name.utf8) + data
    if hasDescriptor { bytes += Array("PK\u{7}\u{8}".utf8) + sizes }
  }

  /// The archive with the beginning of a directory.
  var archive: [UInt8] { bytes + Array("PK\u{1}\u{2}".utf8) + [UInt8](repeating: 0, count: 42) }

  /// Deflated data that stores its contents: the inside of ``Gzip/member(_:)``.
  static func deflated(_ contents: [UInt8]) -> [UInt8] {
    Array(Gzip.member(contents).dropFirst(10).dropLast(8))
  }

  private static func number(_ value: UInt32, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }
}
