/// Percent-encoding of parts of addresses (RFC 3986).
package enum Percent {
  /// Encodes all but ASCII letters and digits.
  package static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let letter = Character(Unicode.Scalar(byte))
      if letter.isASCII, letter.isLetter || letter.isNumber {
        result.append(letter)
      } else {
        result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  /// Decodes a text, or returns nil if it is malformed or the bytes are not UTF-8.
  package static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      // `UInt8` also reads a sign.
      guard digits.count == 2, digits.first != UInt8(ascii: "+"),
        digits.first != UInt8(ascii: "-"),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
