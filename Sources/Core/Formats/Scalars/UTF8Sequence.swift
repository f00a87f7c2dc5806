/// Well-formed UTF-8 byte sequences (Unicode Standard, table 3-7).
///
/// Overlong forms, surrogates and values above U+10FFFF are malformed.
package enum UTF8Sequence {
  /// The length of the character at an index, 1 … 4 bytes; nil if malformed or incomplete.
  package static func length(in bytes: Span<UInt8>, at index: Int) -> Int? {
    let lead = bytes[index]
    if lead < 0x80 { return 1 }
    let length: Int
    // The range of the second byte rules out overlong forms, surrogates and values above U+10FFFF.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return nil }
    for following in (index + 2)..<max(index + 2, index + length) {
      guard bytes[following] & 0xC0 == 0x80 else { return nil }
    }
    return length
  }
}

/// The three bytes that mark text as UTF-8.
///
/// Some programs write it before text. Readers skip it.
package enum ByteOrderMark {
  /// The length of the mark at the start of a text, 3 or 0; nil if more bytes are needed to tell.
  package static func length(in bytes: Span<UInt8>, isWhole: Bool) -> Int? {
    let mark: SIMD4<UInt8> = [0xEF, 0xBB, 0xBF, 0]
    for index in 0..<3 {
      guard index < bytes.count else { return isWhole ? 0 : nil }
      if bytes[index] != mark[index] { return 0 }
    }
    return 3
  }
}
