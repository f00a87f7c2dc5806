import FencepostFormats
import Testing

@Suite("UTF-8 sequences")
struct UTF8SequenceTests {
  @Test("are those that the standard library writes, for every scalar")
  func everyScalar() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { continue }
      let bytes = Array(encoded)
      guard UTF8Sequence.length(in: bytes.span, at: 0) == bytes.count else {
        Issue.record("U+\(String(value, radix: 16)) was refused")
        return
      }
    }
  }

  @Test("of two and three random bytes agree with the standard library's validation")
  func randomBytes() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        for third in [0x00, 0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC0] as [UInt8] {
          let bytes = [first, second, third]
          let length = UTF8Sequence.length(in: bytes.span, at: 0)
          let prefixes = (1...3).filter { String(validating: bytes[..<$0], as: UTF8.self) != nil }
          let expected = prefixes.first
          guard length == expected else {
            Issue.record("\(bytes): \(String(describing: length))")
            return
          }
        }
      }
    }
  }
}
