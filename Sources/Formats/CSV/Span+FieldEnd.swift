extension Span<UInt8> {
  /// Returns the index of the first separator or line end, or the end of the range.
  ///
  /// - Complexity: O(n), eight bytes per step.
  package func firstFieldEnd(in range: Range<Int>, separator: UInt8) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Sets the top bit of each zero byte. Bits above the lowest zero byte may be wrong.
    func zeroBytes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones << 7) }
    var index = range.lowerBound
    // Any eight bytes form a valid integer, and the loop stays within the range.
    let bytes = unsafe self.bytes
    while index + 8 <= range.upperBound {
      let word = UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let ends =
        zeroBytes(word ^ ones &* UInt64(separator)) | zeroBytes(word ^ ones &* 0x0A)
        | zeroBytes(word ^ ones &* 0x0D)
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
}
