/// A tag whose end has not come yet, so far as it has.
struct XMLOpenTag {
  /// How many bytes of it there are.
  let byteCount: Int
  /// How many attributes it has, with declarations of namespaces.
  let attributeCount: Int

  /// Counts what a text holds that begins where libxml2 goes on; nil if that is something other than a tag.
  ///
  /// - Parameter text: UTF-8, at least two bytes.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    // The caller's bytes are valid during the call.
    let text = unsafe text.span
    guard text[0] == UInt8(ascii: "<"), text[1] != UInt8(ascii: "!"), text[1] != UInt8(ascii: "?")
    else { return nil }
    var attributeCount = 0
    var quote: UInt8?
    for index in text.indices {
      let byte = text[index]
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
    byteCount = text.count
    self.attributeCount = attributeCount
  }
}

extension XMLReader.Limits {
  /// What is wrong with a tag so far.
  func fault(of tag: XMLOpenTag) -> String? {
    if tag.byteCount > maximumTagBytes { return "an XML tag is longer than \(tagLimit)" }
    return tag.attributeCount > maximumAttributes ? tooManyAttributes : nil
  }

  /// What is wrong with a tag that has more attributes than may be.
  var tooManyAttributes: String { "an XML tag has more than \(maximumAttributes) attributes" }

  private var tagLimit: String {
    maximumTagBytes % 1024 == 0 ? "\(maximumTagBytes / 1024) KiB" : "\(maximumTagBytes) bytes"
  }
}
