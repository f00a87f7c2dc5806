import FencepostCLibXML2
import FencepostFormats

/// Turns libxml2's messages into sentences for users.
enum LibXML2Sentence {
  // libxml2 reports invalid UTF-8 with the code for characters that XML forbids.
  private static let notUTF8 = "Input is not proper UTF-8"

  // libxml2 buffers an open token up to 10 MB; the message depends on the token.
  private static let tooLong = [
    "Huge input lookup", "xmlSAX2Characters: huge text node", "AttValue length too long",
  ]

  static let endsEarly = "the text ends before all its elements are closed"

  static func reason(code: Int32, words: String) -> XMLError.Reason {
    switch xmlParserErrors(UInt32(bitPattern: code)) {
    case XML_ERR_INVALID_ENCODING, XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING,
      XML_I18N_CONV_FAILED:
      .badEncoding
    case XML_ERR_NO_MEMORY: .outOfMemory
    case XML_ERR_NAME_TOO_LONG: .limit
    case XML_ERR_INTERNAL_ERROR where isTooLong(words),
      XML_ERR_ATTRIBUTE_NOT_FINISHED where isTooLong(words):
      .limit
    default: words.hasPrefix(notUTF8) ? .badEncoding : .notWellFormed
    }
  }

  /// Rewords libxml2's message; the result has neither position nor final period.
  static func make(code: Int32, words: String, openLine: Int?) -> String {
    if words.hasPrefix(notUTF8) { return "the bytes are not UTF-8, and no encoding is declared" }
    return switch xmlParserErrors(UInt32(bitPattern: code)) {
    case XML_ERR_DOCUMENT_EMPTY: "this is not XML, which begins with “<”"
    case XML_ERR_DOCUMENT_END: "extra content follows the end of the document"
    case XML_ERR_TAG_NAME_MISMATCH: mismatch(words, openLine: openLine)
    case XML_ERR_TAG_NOT_FINISHED: endsEarly
    case XML_ERR_GT_REQUIRED: "a tag has no closing “>”"
    case XML_ERR_NAME_REQUIRED: "a name must follow “&” or “<”"
    case XML_ERR_ENTITYREF_SEMICOL_MISSING: "an “&” must be written as “&amp;”"
    case XML_ERR_UNDECLARED_ENTITY: "an entity is not defined"
    case XML_ERR_LT_IN_ATTRIBUTE: "the value of an attribute contains “<”"
    case XML_ERR_ATTRIBUTE_NOT_STARTED: "the value of an attribute is not in quotes"
    case XML_ERR_ATTRIBUTE_NOT_FINISHED: "the value of an attribute has no closing quote"
    case XML_ERR_ATTRIBUTE_WITHOUT_VALUE: "an attribute has no value"
    case XML_ERR_ATTRIBUTE_REDEFINED: "an attribute appears twice"
    case XML_ERR_MISPLACED_CDATA_END: "the text contains “]]>”"
    case XML_ERR_SPACE_REQUIRED: "a space is missing between two parts of a tag or declaration"
    case XML_ERR_HYPHEN_IN_COMMENT: "a comment contains “--”"
    case XML_ERR_COMMENT_NOT_FINISHED: "a comment is not closed"
    case XML_ERR_PI_NOT_FINISHED: "a processing instruction is not closed"
    case XML_ERR_INVALID_DEC_CHARREF, XML_ERR_INVALID_HEX_CHARREF, XML_ERR_INVALID_CHARREF:
      "a character reference has an invalid number"
    case XML_ERR_XMLDECL_NOT_FINISHED: "the XML declaration has no closing “?>”"
    case XML_ERR_NO_MEMORY: "its names exceed 1 MB in total, or there is not enough memory"
    case XML_ERR_NAME_TOO_LONG: "a name is too long"
    case XML_ERR_INTERNAL_ERROR where isTooLong(words),
      XML_ERR_ATTRIBUTE_NOT_FINISHED where isTooLong(words):
      "a comment, character data or a declaration is longer than 10 MB"
    case XML_ERR_INVALID_CHAR: "the text contains a character that XML does not allow"
    case XML_ERR_INVALID_ENCODING, XML_I18N_CONV_FAILED:
      "the bytes do not match the declared encoding"
    case XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING: "the declared encoding is unknown"
    default: trimmed(words)
    }
  }

  private static func isTooLong(_ words: String) -> Bool { tooLong.contains { words.contains($0) } }

  /// Rewords `Opening and ending tag mismatch: trkseg line 6 and trkSeg`.
  private static func mismatch(_ words: String, openLine: Int?) -> String {
    let parts = words.split(whereSeparator: { $0 == " " || $0.isNewline })
    guard parts.count >= 5, parts[parts.count - 4] == "line", let line = openLine
    else { return trimmed(words) }
    let opened = parts[parts.count - 5]
    return "<\(opened)> on line \(line) is closed by </\(parts[parts.count - 1])>"
  }

  private static func trimmed(_ words: String) -> String {
    var text = words
    while let last = text.last, last.isWhitespace || last == "." { text.removeLast() }
    return text.isEmpty ? "the XML is not well-formed" : text
  }
}

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
