/// The three bytes by which some programs tell that a text is UTF-8.
enum ByteOrderMark {
  static let count = 3

  /// Whether a text begins with the mark, by its first bytes, or all of it where it is whole; nil where
  /// that cannot be known yet.
  static func begins(_ bytes: [UInt8], isWhole: Bool) -> Bool? {
    let mark: InlineArray<3, UInt8> = [0xEF, 0xBB, 0xBF]
    for index in 0..<count {
      guard index < bytes.count else { return isWhole ? false : nil }
      if bytes[index] != mark[index] { return false }
    }
    return true
  }
}
