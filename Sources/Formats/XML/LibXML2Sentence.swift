import CLibXML2

/// Turns libxml2's messages into sentences for people who do not know its code.
enum LibXML2Sentence {
  /// A sentence without place and full stop.
  ///
  /// - Parameters:
  ///   - code: libxml2's error code.
  ///   - words: libxml2's message.
  ///   - lineShift: How many lines to add to a line that the message names.
  static func make(code: Int32, words: String, lineShift: Int) -> String {
    switch xmlParserErrors(UInt32(bitPattern: code)) {
    case XML_ERR_DOCUMENT_EMPTY: "there is no XML: an opening “<” was expected"
    case XML_ERR_DOCUMENT_END: "something follows the end of the document"
    case XML_ERR_TAG_NAME_MISMATCH: mismatch(words, lineShift: lineShift)
    case XML_ERR_TAG_NOT_FINISHED: "the file ends before all its elements are closed"
    case XML_ERR_GT_REQUIRED: "a tag has no closing “>”"
    case XML_ERR_NAME_REQUIRED, XML_ERR_ENTITYREF_NO_NAME:
      "“&” or “<” stands where a name must follow"
    case XML_ERR_ENTITYREF_SEMICOL_MISSING: "an “&” is not written as “&amp;”"
    case XML_ERR_UNDECLARED_ENTITY: "an entity is not defined"
    case XML_ERR_INVALID_CHAR: "a character that XML does not allow"
    case XML_ERR_INVALID_ENCODING, XML_I18N_CONV_FAILED:
      "the bytes are not of the declared encoding"
    case XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING: "the declared encoding is unknown"
    default: trimmed(words)
    }
  }

  /// `Opening and ending tag mismatch: trkseg line 6 and trkSeg`
  private static func mismatch(_ words: String, lineShift: Int) -> String {
    let parts = words.split(whereSeparator: { $0 == " " || $0.isNewline })
    guard parts.count >= 5, parts[parts.count - 4] == "line", let line = Int(parts[parts.count - 3])
    else { return trimmed(words) }
    let opened = parts[parts.count - 5]
    return "<\(opened)> of line \(line + lineShift) is closed by </\(parts[parts.count - 1])>"
  }

  private static func trimmed(_ words: String) -> String {
    var text = words
    while let last = text.last, last.isWhitespace || last == "." { text.removeLast() }
    return text.isEmpty ? "the XML is not well-formed" : text
  }
}
