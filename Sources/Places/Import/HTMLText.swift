/// The text of HTML, as feeds have it: without its tags, and with its entities as characters.
///
/// Only tags of elements that HTML knows are taken out, so that `a < b` and `List<String>` stay. Runs of
/// white space become one blank; paragraphs, line breaks and the like begin a line.
enum HTMLText {
  /// Reads HTML.
  ///
  /// - Parameters:
  ///   - html: The HTML, after XML's own entities have been read.
  ///   - lineEnd: What stands between its lines.
  /// - Returns: Its text without white space at its ends.
  static func plain(_ html: String, lineEnd: String = "\n") -> String {
    var reader = Reader(html)
    return reader.read().joined(separator: lineEnd)
  }

  /// Whether an element begins a line.
  static func beginsLine(_ name: String) -> Bool { blocks.contains(name.lowercased()) }

  private struct Reader {
    private let bytes: [UInt8]
    private var index = 0
    private var lines: [String] = []
    private var line = ""
    private var isBlankDue = false

    init(_ html: String) {
      bytes = Array(html.utf8)
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
          start = index
        } else {
          index = end + 1
        }
      }
      append(String(decoding: bytes[start...], as: UTF8.self))
      endLine()
      return lines
    }

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

    private struct Tag {
      var name: String
      var isEnd: Bool
    }

    private mutating func take(_ tag: Tag) {
      if HTMLText.blocks.contains(tag.name) { endLine() }
      if tag.name == "td" || tag.name == "th" { isBlankDue = true }
      if !tag.isEnd, HTMLText.unseen.contains(tag.name) { skipContents(of: tag.name) }
    }

    /// Goes behind the tag or comment that begins here; nil where none does.
    private mutating func tag() -> Tag? {
      if bytes[index...].starts(with: "<!--".utf8) {
        var end = index + 4
        while end + 3 <= bytes.count {
          if bytes[end...].starts(with: "-->".utf8) {
            index = end + 3
            return Tag(name: "", isEnd: false)
          }
          end += 1
        }
        return nil
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
      return Tag(name: name, isEnd: isEnd)
    }

    private func endOfTag(from start: Int) -> Int? {
      guard start < bytes.count, bytes[start] <= 0x20 || "/>".utf8.contains(bytes[start]) else {
        return nil
      }
      var quote: UInt8?
      // No tag is so long that it would pay to look through a whole text for its end.
      for cursor in start..<min(bytes.count, start + 8192) {
        let byte = bytes[cursor]
        if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: ">") {
          return cursor + 1
        }
      }
      return nil
    }

    private mutating func skipContents(of name: String) {
      let end = Array("</\(name)".utf8)
      while index < bytes.count {
        let rest = bytes[index...].prefix(end.count)
        if rest.elementsEqual(end, by: { $0 | 0x20 == $1 | 0x20 }) { return }
        index += 1
      }
    }

    // MARK: Entities

    /// Goes behind the entity that begins here; nil where none does.
    private mutating func entity() -> Unicode.Scalar? {
      let text = bytes[(index + 1)...].prefix(12)
      guard let end = text.firstIndex(of: UInt8(ascii: ";")), end > index + 1 else { return nil }
      let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
      guard let scalar = HTMLEntities.scalar(named: name) else { return nil }
      index = end + 1
      return scalar
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte
  }

  /// Elements whose contents are not shown.
  private static let unseen: Set<String> = ["script", "style", "template", "head"]
  private static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "br", "center", "dd", "details", "dir", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
    "h5", "h6", "header", "hr", "li", "main", "menu", "nav", "ol", "p", "pre", "section",
    "summary", "table", "tr", "ul",
  ]
  private static let elements: Set<String> = blocks.union(unseen).union([
    "a", "abbr", "acronym", "audio", "b", "bdi", "bdo", "big", "body", "button", "canvas",
    "caption", "cite", "code", "col", "colgroup", "data", "datalist", "del", "dfn", "em",
    "embed", "font", "html", "i", "iframe", "img", "input", "ins", "kbd", "label", "legend",
    "link", "mark", "meta", "noscript", "object", "option", "param", "picture", "q", "rp", "rt",
    "ruby", "s", "samp", "select", "small", "source", "span", "strike", "strong", "sub", "sup",
    "svg", "tbody", "td", "textarea", "tfoot", "th", "thead", "time", "title", "tt", "u", "var",
    "video", "wbr",
  ])
}
