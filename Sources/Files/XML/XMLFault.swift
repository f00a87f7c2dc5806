import FencepostCExpat
import FencepostFormats

/// Explains Expat's errors, which say little about what is wrong, by the bytes around them.
struct XMLFault {
  let code: XML_Error
  /// Up to 1,024 bytes before the error, and those from the error on.
  let before: [UInt8]
  let after: [UInt8]
  /// The first character of the document; nil if it has only white space.
  let beginning: UInt8?
  let hasRoot: Bool
  let openElement: (name: String, line: Int)?
  let encoding: String?

  static func wrongEncoding(_ declared: String?) -> String {
    declared == nil
      ? "the bytes do not match the encoding" : "the bytes do not match the declared encoding"
  }

  private static let endsEarly = "the text ends before all its elements are closed"
  private static let extraContent = "extra content follows the end of the document"
  private static let badCharacter = "the text contains a character that XML does not allow"

  var reason: XMLError.Reason {
    switch code {
    case XML_ERROR_NO_MEMORY: .outOfMemory
    case XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING: .badEncoding
    case XML_ERROR_INVALID_TOKEN: isBadEncoding ? .badEncoding : .notWellFormed
    default: .notWellFormed
    }
  }

  /// The error as a sentence without position or final period.
  var sentence: String {
    guard let beginning else { return "the XML is empty" }
    return switch code {
    case XML_ERROR_NO_MEMORY: "there is not enough memory to read XML"
    case XML_ERROR_UNKNOWN_ENCODING: "the declared encoding is unknown"
    case XML_ERROR_INCORRECT_ENCODING: Self.wrongEncoding(encoding)
    case XML_ERROR_INVALID_TOKEN where isBadEncoding:
      encoding == nil
        ? "the bytes are not UTF-8, and no encoding is declared" : Self.wrongEncoding(encoding)
    case _ where beginning != UInt8(ascii: "<"): "this is not XML, which begins with “<”"
    case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
      XML_ERROR_UNCLOSED_CDATA_SECTION:
      unfinished
    case XML_ERROR_INVALID_TOKEN: invalid
    case XML_ERROR_TAG_MISMATCH: mismatch
    case XML_ERROR_DUPLICATE_ATTRIBUTE: "an attribute appears twice"
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: Self.extraContent
    case XML_ERROR_UNDEFINED_ENTITY: undefinedEntity
    case XML_ERROR_BAD_CHAR_REF: Self.badCharacter
    case XML_ERROR_MISPLACED_XML_PI: "the XML declaration is not at the beginning"
    case XML_ERROR_XML_DECL: "the XML declaration is malformed"
    default: unexpected
    }
  }

  /// Whether the error is at bytes that are no character of the encoding.
  private var isBadEncoding: Bool {
    guard let first = after.first, first >= 0x80 else { return false }
    switch encoding?.uppercased() {
    case "US-ASCII": return true
    case "ISO-8859-1": return false
    default: return UTF8Sequence.length(in: after.span, at: 0) == nil
    }
  }

  private var isAfterRoot: Bool { hasRoot && openElement == nil }

  private var unfinished: String {
    guard isAfterRoot else { return Self.endsEarly }
    if after.starts(with: "<!--".utf8) { return "a comment is not closed" }
    return after.starts(with: "<?".utf8)
      ? "a processing instruction is not closed" : Self.extraContent
  }

  private var mismatch: String {
    guard let openElement else { return unexpected }
    let name = after.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
    return "<\(openElement.name)> on line \(openElement.line) is closed by"
      + " </\(String(decoding: name, as: UTF8.self))>"
  }

  private var undefinedEntity: String {
    let name = after.dropFirst().prefix { $0 != UInt8(ascii: ";") }
    guard after.first == UInt8(ascii: "&"), name.count < 64 else {
      return "an entity is not defined"
    }
    return "the entity “\(String(decoding: name, as: UTF8.self))” is not defined"
  }

  private var unexpected: String {
    let character = String(decoding: after.prefix(4), as: UTF8.self).unicodeScalars.first
    guard let character, character.value > 0x20 else { return "the XML is not well-formed" }
    return "“\(character)” is not allowed here"
  }

  // MARK: Invalid tokens

  /// What is wrong where Expat found a byte that cannot follow.
  private var invalid: String {
    guard let byte = after.first else { return "the XML is not well-formed" }
    // Besides control characters, XML excludes U+FFFE and U+FFFF.
    let isControl = byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte)
    if isControl || ["\u{FFFE}", "\u{FFFF}"].contains(where: { after.starts(with: $0.utf8) }) {
      return Self.badCharacter
    }
    if byte == UInt8(ascii: ">"), before.hasSuffix("]]"), !isInTag {
      return "the text contains “]]>”"
    }
    if before.hasSuffix("--"), isInComment { return "a comment contains “--”" }
    if isAfterRoot { return Self.extraContent }
    return reference ?? tag ?? unexpected
  }

  private var isInComment: Bool {
    guard let start = before.lastRange(of: "<!--") else {
      return !before.contains(UInt8(ascii: "<"))
    }
    return before[start.upperBound...].dropLast(2).lastRange(of: "-->") == nil
  }

  /// What is wrong with an `&`; nil if the error is not in a reference.
  private var reference: String? {
    guard let start = before.lastIndex(of: UInt8(ascii: "&")) else { return nil }
    let name = before[(start + 1)...]
    let isOpen = name.allSatisfy { $0 > 0x20 && !"<>;\"'&".utf8.contains($0) }
    guard isOpen else { return nil }
    if name.isEmpty { return "a name must follow “&” or “<”" }
    return name.first == UInt8(ascii: "#")
      ? "a character reference has an invalid number" : "an “&” must be written as “&amp;”"
  }

  /// The tag or declaration with the error, up to the error; nil outside one.
  private var openTag: ArraySlice<UInt8>? {
    guard let start = before.lastIndex(of: UInt8(ascii: "<")) else { return nil }
    let text = before[start...]
    return text.dropFirst().contains(UInt8(ascii: ">")) && openQuote(text) == nil ? nil : text
  }

  private var isInTag: Bool { openTag != nil }

  private func openQuote(_ text: ArraySlice<UInt8>) -> UInt8? {
    text.reduce(nil) { quote, byte in
      if let quote { return byte == quote ? nil : quote }
      return byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") ? byte : nil
    }
  }

  /// What is wrong with a tag; nil if the error is in none, or cannot be told.
  private var tag: String? {
    guard let text = openTag, let byte = after.first else { return nil }
    if text.count == 1 { return "a name must follow “&” or “<”" }
    if openQuote(text) != nil {
      return byte == UInt8(ascii: "<") ? "the value of an attribute contains “<”" : nil
    }
    if text.starts(with: "</".utf8) { return "a tag has no closing “>”" }
    guard let last = text.last(where: { $0 > 0x20 }) else { return nil }
    if last == UInt8(ascii: "=") { return "the value of an attribute is not in quotes" }
    if last == UInt8(ascii: "\"") || last == UInt8(ascii: "'") {
      return text.last == last && byte > 0x20 && byte != UInt8(ascii: "<")
        ? "a space is missing between two parts of a tag or declaration"
        : "a tag has no closing “>”"
    }
    if byte == UInt8(ascii: "<") || last == UInt8(ascii: "/") { return "a tag has no closing “>”" }
    let hasAttribute = text.contains { $0 <= 0x20 }
    return hasAttribute && !text.starts(with: "<!".utf8) && !text.starts(with: "<?".utf8)
      ? "an attribute has no value" : nil
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  fileprivate func hasSuffix(_ text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  fileprivate func lastRange(of text: String) -> Range<Index>? {
    let bytes = Array(text.utf8)
    return indices.last { self[$0...].starts(with: bytes) }.map {
      $0..<index($0, offsetBy: bytes.count)
    }
  }
}
