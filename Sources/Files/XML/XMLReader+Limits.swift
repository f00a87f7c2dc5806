import FencepostFormats

extension XMLReader.Limits {
  /// Checks the start of an unfinished tag; returns a message if it exceeds a limit.
  func fault(ofTag tag: Span<UInt8>) -> String? {
    if tag.count > maximumTagBytes { return "an XML tag is longer than \(tagLimit)" }
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
    return attributeCount > maximumAttributes ? tooManyAttributes : nil
  }

  var tooManyAttributes: String { "an XML tag has more than \(maximumAttributes) attributes" }

  private var tagLimit: String {
    maximumTagBytes % 1024 == 0 ? "\(maximumTagBytes / 1024) KiB" : "\(maximumTagBytes) bytes"
  }
}
