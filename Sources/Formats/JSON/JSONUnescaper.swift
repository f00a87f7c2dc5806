/// Converts the contents of a JSON string to UTF-8.
struct JSONUnescaper {
  /// An error at a byte of the input.
  struct Fault: Error {
    var reason: JSONError.Reason
    var index: Int
    var detail = ""
  }

  private var index = 0

  /// Replaces `output` with the unescaped string.
  mutating func unescape(_ input: Span<UInt8>, into output: inout [UInt8]) throws(Fault) {
    output.removeAll(keepingCapacity: true)
    output.reserveCapacity(input.count)
    while index < input.count {
      let start = index
      try skipPlain(input)
      output.append(contentsOf: input.extracting(start..<index))
      if index < input.count { try unescapeOne(input, into: &output) }
    }
  }

  /// Moves to the next backslash or the end, and validates the bytes before it.
  private mutating func skipPlain(_ input: Span<UInt8>) throws(Fault) {
    while index < input.count {
      let byte = input[index]
      if byte == UInt8(ascii: "\\") { return }
      if byte < 0x20 { throw Fault(reason: .badString, index: index, detail: "control character") }
      if byte < 0x80 {
        index += 1
      } else {
        guard let length = UTF8Sequence.length(in: input, at: index) else {
          throw Fault(reason: .invalidUTF8, index: index)
        }
        index += length
      }
    }
  }

  private mutating func unescapeOne(
    _ input: Span<UInt8>, into output: inout [UInt8]
  ) throws(Fault) {
    let start = index
    guard index + 1 < input.count else {
      throw Fault(reason: .badString, index: start, detail: "unknown escape")
    }
    let letter = input[index + 1]
    index += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(letter)
    case UInt8(ascii: "b"): output.append(0x08)
    case UInt8(ascii: "f"): output.append(0x0C)
    case UInt8(ascii: "n"): output.append(0x0A)
    case UInt8(ascii: "r"): output.append(0x0D)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = unescapeScalar(input) else {
        throw Fault(reason: .badString, index: start, detail: "invalid Unicode escape")
      }
      output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default: throw Fault(reason: .badString, index: start, detail: "unknown escape")
    }
  }

  /// Decodes one escape or a surrogate pair, from after its first `\u`.
  private mutating func unescapeScalar(_ input: Span<UInt8>) -> Unicode.Scalar? {
    guard let first = scanHexadecimal(input) else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800...0xDBFF).contains(first), index + 1 < input.count,
      input[index] == UInt8(ascii: "\\"), input[index + 1] == UInt8(ascii: "u")
    else { return nil }
    index += 2
    guard let second = scanHexadecimal(input), (0xDC00...0xDFFF).contains(second) else {
      return nil
    }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func scanHexadecimal(_ input: Span<UInt8>) -> UInt32? {
    guard index + 4 <= input.count else { return nil }
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = input[index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 0x57)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 0x37)
      default: return nil
      }
      index += 1
    }
    return value
  }
}
