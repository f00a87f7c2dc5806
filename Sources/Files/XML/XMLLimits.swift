import FencepostFormats

/// Bounds the memory and time that hostile XML can take.
enum XMLLimits {
  /// The deepest nesting of elements.
  static var depth: Int { 128 }
  /// The longest tag, in bytes.
  static var tagBytes: Int { 64 * 1024 }
  /// The most attributes per element, including namespace declarations.
  static var attributes: Int { 1000 }

  static var tooManyAttributes: String { "an XML tag has more than \(attributes) attributes" }

  /// Checks the start of an unfinished tag; returns a message if it exceeds a limit.
  static func fault(ofTag tag: Span<UInt8>) -> String? {
    if tag.count > tagBytes { return "an XML tag is longer than \(tagBytes / 1024) KiB" }
    var attributeCount = 0
    var quote: UInt8?
    for index in tag.indices {
      let byte = tag[index]
      if byte == quote {
        quote = nil
      } else if quote == nil {
        switch byte {
        case UInt8(ascii: "="): attributeCount += 1
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        default: break
        }
      }
    }
    return attributeCount > attributes ? tooManyAttributes : nil
  }
}
