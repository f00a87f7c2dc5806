import FencepostFormats

/// Turns HTML into plain text.
///
/// Removes only the tags of known HTML elements, so `a < b` and `List<String>` stay. Runs of white
/// space become one space. Block elements and line breaks start a new line.
package enum HTMLText {
  /// Converts HTML, with XML entities already replaced, to trimmed text.
  package static func plain(_ html: String, lineEnd: String = "\n") -> String {
    var reader = Reader(html)
    return reader.read().joined(separator: lineEnd)
  }

  /// The text without its HTML, or nil if it has neither tags nor entities.
  ///
  /// This is stricter than ``plain(_:lineEnd:)`` about what counts as HTML: `a <b and c> d` stays.
  /// If no tag starts a line, the text keeps its own lines.
  static func removed(from text: String) -> String? {
    var reader = Reader(text, isStrict: true)
    let lines = reader.read()
    guard reader.hasMarkup else { return nil }
    if reader.hasBlocks { return lines.joined(separator: "\n") }
    let parts = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return parts.map { part in
      var reader = Reader(String(part), isStrict: true)
      return reader.read().joined()
    }.joined(separator: "\n")
  }

  /// Whether an HTML element of this name, in any case, begins a line of its own.
  package static func beginsLine(_ name: String) -> Bool { blocks.contains(name.lowercased()) }

  /// Reads HTML once from beginning to end, and collects its lines of text.
  private struct Reader {
    private let bytes: [UInt8]
    private var index = 0
    private var lines: [String] = []
    private var line = ""
    /// Whether white space came since the last character of the line.
    private var isBlankDue = false
    /// Whether each attribute of a tag must have a value.
    private let isStrict: Bool
    /// Whether no comment ends any more, so that none need be searched for its end.
    private var hasOpenComment = false
    /// Whether there were tags, comments or entities.
    private(set) var hasMarkup = false
    /// Whether a tag began a line.
    private(set) var hasBlocks = false

    init(_ html: String, isStrict: Bool = false) {
      bytes = Array(html.utf8)
      self.isStrict = isStrict
    }

    mutating func read() -> [String] {
      var start = 0
      while index < bytes.count {
        let byte = bytes[index]
        guard byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") else {
          index += 1
          continue
        }
        let end = index
        if byte == UInt8(ascii: "<"), let tag = tag() {
          append(String(decoding: bytes[start..<end], as: UTF8.self))
          take(tag)
          start = index
        } else if byte == UInt8(ascii: "&"), let character = entity() {
          append(String(decoding: bytes[start..<end], as: UTF8.self))
          append(String(character))
          hasMarkup = true
          start = index
        } else {
          index = end + 1
        }
      }
      append(String(decoding: bytes[start...], as: UTF8.self))
      endLine()
      return lines
    }

    /// Adds text to the line, with runs of white space as one space.
    private mutating func append(_ text: String) {
      for character in text {
        if character.isWhitespace {
          isBlankDue = true
        } else {
          if isBlankDue, !line.isEmpty { line += " " }
          isBlankDue = false
          line.append(character)
        }
      }
    }

    private mutating func endLine() {
      if !line.isEmpty { lines.append(line) }
      line = ""
      isBlankDue = false
    }

    // MARK: Tags

    /// An element's name in lower case, and whether the tag ends it; a comment has no name.
    private typealias Tag = (name: String, isEnd: Bool)

    /// Ends a line, or skips what browsers do not show.
    private mutating func take(_ tag: Tag) {
      hasMarkup = true
      if HTMLText.blocks.contains(tag.name) {
        hasBlocks = true
        endLine()
      }
      if tag.name == "td" || tag.name == "th" { isBlankDue = true }
      if !tag.isEnd, HTMLText.unseen.contains(tag.name) { skipContents(of: tag.name) }
    }

    /// The tag or comment at the index, which moves behind it; nil if `<` is text.
    private mutating func tag() -> Tag? {
      if bytes[index...].starts(with: "<!--".utf8) {
        guard !hasOpenComment, let end = bytes[(index + 4)...].firstRange(of: "-->".utf8) else {
          hasOpenComment = true
          return nil
        }
        index = end.upperBound
        return ("", isEnd: false)
      }
      var cursor = index + 1
      let isEnd = cursor < bytes.count && bytes[cursor] == UInt8(ascii: "/")
      if isEnd { cursor += 1 }
      let start = cursor
      while cursor < bytes.count, cursor - start < 16, HTMLText.isNameByte(bytes[cursor]) {
        cursor += 1
      }
      let name = String(decoding: bytes[start..<cursor], as: UTF8.self).lowercased()
      guard HTMLText.elements.contains(name), let end = endOfTag(from: cursor) else { return nil }
      index = end
      return (name, isEnd)
    }

    /// The index after the `>` of a tag.
    ///
    /// Outside quotes a tag has no `<`, so that together all searches pass over a text a few times.
    private func endOfTag(from start: Int) -> Int? {
      guard start < bytes.count, bytes[start] <= 0x20 || "/>".utf8.contains(bytes[start]) else {
        return nil
      }
      var quote: UInt8?
      // Real tags are shorter. A stray < must not search the whole text for its end.
      for cursor in start..<min(bytes.count, start + 8192) {
        let byte = bytes[cursor]
        if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: "<") {
          return nil
        } else if byte == UInt8(ascii: ">") {
          let attributes = bytes[start..<cursor]
          let isTag =
            !isStrict || attributes.contains(UInt8(ascii: "="))
            || attributes.allSatisfy { $0 <= 0x20 || $0 == UInt8(ascii: "/") }
          return isTag ? cursor + 1 : nil
        }
      }
      return nil
    }

    /// Moves to the end tag of an element, or to the end of the text.
    private mutating func skipContents(of name: String) {
      let end = Array("</\(name)".utf8)
      while index < bytes.count {
        let rest = bytes[index...].prefix(end.count)
        if rest.elementsEqual(end, by: { $0 | 0x20 == $1 | 0x20 }) { return }
        index += 1
      }
    }

    // MARK: Entities

    /// The character of the entity at the index, which moves behind it; nil if `&` is text.
    private mutating func entity() -> Unicode.Scalar? {
      let text = bytes[(index + 1)...].prefix(12)
      guard let end = text.firstIndex(of: UInt8(ascii: ";")), end > index + 1 else { return nil }
      let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
      guard let scalar = HTMLText.scalar(named: name) else { return nil }
      index = end + 1
      return scalar
    }
  }

  /// The character for the text between `&` and `;`, such as `eacute`, `#233` or `#xE9`.
  private static func scalar(named name: String) -> Unicode.Scalar? {
    guard name.first == "#" else { return HTMLEntity.scalar(named: name) }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    guard let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits),
      value > 0
    else { return nil }
    // Browsers read the numbers of control characters as Windows-1252.
    if 0x80...0x9F ~= value { return Windows1252.scalar(UInt8(value)) }
    return Unicode.Scalar(value)
  }

  /// Whether a byte can be part of an element's name.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte
  }

  /// Elements whose contents browsers do not show.
  private static let unseen: Set<String> = ["script", "style", "template", "head"]
  /// Elements that begin a line.
  private static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "br", "center", "dd", "details", "dir", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
    "h5", "h6", "header", "hr", "li", "main", "menu", "nav", "ol", "p", "pre", "section",
    "summary", "table", "tr", "ul",
  ]
  /// All elements that are removed; anything else between `<` and `>` is text.
  private static let elements: Set<String> = blocks.union(unseen).union([
    "a", "abbr", "acronym", "audio", "b", "bdi", "bdo", "big", "body", "button", "canvas",
    "caption", "cite", "code", "col", "colgroup", "data", "datalist", "del", "dfn", "em", "embed",
    "font", "html", "i", "iframe", "img", "input", "ins", "kbd", "label", "legend", "link", "mark",
    "meta", "noscript", "object", "option", "param", "picture", "q", "rp", "rt", "ruby", "s",
    "samp", "select", "small", "source", "span", "strike", "strong", "sub", "sup", "svg", "tbody",
    "td", "textarea", "tfoot", "th", "thead", "time", "title", "tt", "u", "var", "video", "wbr",
  ])
}
