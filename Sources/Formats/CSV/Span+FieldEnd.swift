extension Span<UInt8> {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// How a scan for fields ended.
  enum FieldScan {
    /// At the line end of this index, with the last field.
    case lineEnd(Int)
    /// Before the field that begins at this index.
    case field(Int)
  }

  /// Notes the fields of a line as long as they do not begin with a quote.
  ///
  /// It may stop before any field, as it does where the bytes or the room for fields end.
  /// - Parameters:
  ///   - range: Where to look; it begins with a field.
  ///   - separator: The byte between fields.
  ///   - fields: Gets the fields, from an index on; it does not grow.
  ///   - count: The index, which becomes that behind the last field noted.
  /// - Returns: Where it stopped.
  /// - Complexity: O(n), 16 bytes in one step.
  func scanFields(
    in range: Range<Int>, separator: UInt8, into fields: inout [Range<Int>], count: inout Int
  ) -> FieldScan {
    precondition(range.lowerBound >= 0 && range.upperBound <= self.count && count >= 0)
    var fields = fields.mutableSpan
    var found = count
    defer { count = found }
    var start = range.lowerBound
    let end = range.upperBound
    guard start < end, self[start] != UInt8(ascii: "\"") else { return .field(start) }
    let separators = SIMD16<UInt8>(repeating: separator)
    let lineFeeds = SIMD16<UInt8>(repeating: UInt8(ascii: "\n"))
    let returns = SIMD16<UInt8>(repeating: UInt8(ascii: "\r"))
    // Any 16 bytes are numbers, and those that are read are within the range, which is within the span. A
    // mask of 16 bytes has as many as two numbers of 64 bits.
    let bytes = unsafe self.bytes
    var block = start
    while block <= end &- 16 {
      let values = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: block, as: SIMD16<UInt8>.self)
      let isEnd = (values .== separators) .| (values .== lineFeeds) .| (values .== returns)
      let halves = unsafe unsafeBitCast(isEnd, to: SIMD2<UInt64>.self)
      var ends = Self.bits(halves.x.littleEndian) | Self.bits(halves.y.littleEndian) &<< 8
      while ends != 0 {
        guard found < fields.count else { return .field(start) }
        let fieldEnd = block &+ ends.trailingZeroBitCount
        fields[found] = start..<fieldEnd
        found &+= 1
        ends &= ends &- 1
        guard self[fieldEnd] == separator else { return .lineEnd(fieldEnd) }
        start = fieldEnd &+ 1
        guard start < end, self[start] != UInt8(ascii: "\"") else { return .field(start) }
      }
      block &+= 16
    }
    return .field(start)
  }

  /// A bit for each byte of a word, the lowest first; a byte is 0 or 255.
  @inline(__always)
  private static func bits(_ word: UInt64) -> UInt64 {
    // Byte i's lowest bit goes to bit 56 + i, and no two sums meet.
    ((word & ones) &* 0x0102_0408_1020_4080) &>> 56
  }

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
