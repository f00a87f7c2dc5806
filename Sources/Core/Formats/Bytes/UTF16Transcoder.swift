/// Transcodes UTF-16 to UTF-8, chunk by chunk; replaces invalid input with U+FFFD.
///
/// ``recognize(_:)`` creates it from the first bytes of a source, which must be transcoded as well.
package struct UTF16Transcoder: Sendable {
  private let isBigEndian: Bool
  private var oddByte: UInt8?
  private var highSurrogate: UInt16?

  private init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Recognizes UTF-16 by its byte order mark, or by zero bytes next to two ASCII characters.
  ///
  /// - Parameter bytes: The first four bytes of a source, or all if it has fewer.
  /// - Returns: Nil if the source is not UTF-16.
  package static func recognize(_ bytes: Span<UInt8>) -> UTF16Transcoder? {
    guard bytes.count >= 2 else { return nil }
    if bytes[0] == 0xFF, bytes[1] == 0xFE { return UTF16Transcoder(isBigEndian: false) }
    if bytes[0] == 0xFE, bytes[1] == 0xFF { return UTF16Transcoder(isBigEndian: true) }
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (1..., 0, 1..., 0): return UTF16Transcoder(isBigEndian: false)
    case (0, 1..., 0, 1...): return UTF16Transcoder(isBigEndian: true)
    default: return nil
    }
  }

  /// Appends a chunk as UTF-8; a character that is split between chunks waits for the next one.
  package mutating func transcode(_ bytes: Span<UInt8>, into output: inout [UInt8]) {
    for index in bytes.indices {
      guard let first = oddByte else {
        oddByte = bytes[index]
        continue
      }
      oddByte = nil
      let second = bytes[index]
      let unit =
        isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first)
      append(unit, to: &output)
    }
  }

  /// Ends the input; an incomplete character becomes U+FFFD.
  package mutating func finish(into output: inout [UInt8]) {
    if highSurrogate != nil || oddByte != nil { append("\u{FFFD}", to: &output) }
    highSurrogate = nil
    oddByte = nil
  }

  private mutating func append(_ unit: UInt16, to output: inout [UInt8]) {
    if let high = highSurrogate {
      highSurrogate = nil
      if 0xDC00...0xDFFF ~= unit {
        let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
        return append(Unicode.Scalar(value) ?? "\u{FFFD}", to: &output)
      }
      append("\u{FFFD}", to: &output)
    }
    if 0xD800...0xDBFF ~= unit {
      highSurrogate = unit
    } else {
      append(Unicode.Scalar(unit) ?? "\u{FFFD}", to: &output)
    }
  }

  private func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}
