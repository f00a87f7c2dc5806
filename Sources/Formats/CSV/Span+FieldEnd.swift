extension Span<UInt8> {
  /// Finds the end of a field.
  ///
  /// - Returns: The index of the first separator or line end, or the range's end.
  /// - Complexity: O(n), eight bytes a step.
  package func firstFieldEnd(in range: Range<Int>, separator: UInt8) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Sets the highest bit of each byte that is 0, and maybe bits above the lowest of them.
    func zeroBytes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones << 7) }
    var index = range.lowerBound
    // Any eight bytes are a number, and those that are read lie within the range.
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
