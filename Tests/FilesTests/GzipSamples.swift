/// Gzip members that another implementation (CPython 3's `gzip`) wrote.
enum GzipSamples {
  /// Two lines, of the first and the second fix.
  static let twoLines: [UInt8] = bytes(
    "1f8b08000000000002ff4bcbac50c8cf4be54a03d225e5f95c001bc7a2bb10000000")
  /// One line, of the third fix.
  static let oneLine: [UInt8] = bytes(
    "1f8b08000000000002ff4bcbac5028c9284a4de502007cfc3f310a000000")
  /// 100,000 zero bytes.
  static let zeros: [UInt8] = bytes(
    "1f8b08000000000002ffedc13101000000c2a0f54f6d0d0fa0000000000000000000000000000000"
      + "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
      + "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
      + "008057037d9511d4a0860100")

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = hexadecimal[...]
    while !rest.isEmpty {
      bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
