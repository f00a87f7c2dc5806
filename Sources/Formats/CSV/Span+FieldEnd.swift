extension Span<UInt8> {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Finds the end of a field.
  ///
  /// - Parameters:
  ///   - range: Where to look.
  ///   - separator: What separates fields.
  /// - Returns: The index of the first separator or line end, the range's end where there is none.
  /// - Complexity: O(n), eight bytes in one step.
  public func firstFieldEnd(in range: Range<Int>, separator: UInt8) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    var index = range.lowerBound
    let separators = Self.ones &* UInt64(separator)
    // Any eight bytes are a number, and those that are read are within the range, which is within the span.
    let bytes = unsafe self.bytes
    while index + 8 <= range.upperBound {
      let word = UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let ends =
        Self.zeroBytes(word ^ separators) | Self.zeroBytes(word ^ (Self.ones &* 0x0A))
        | Self.zeroBytes(word ^ (Self.ones &* 0x0D))
      if ends != 0 { return index + ends.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < range.upperBound {
      let byte = self[index]
      if byte == separator || byte == 0x0A || byte == 0x0D { return index }
      index += 1
    }
    return index
  }

  /// The highest bit of each byte that is 0; above the lowest of them bits may be set in others too.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- ones) & ~word & (ones << 7)
  }
}
