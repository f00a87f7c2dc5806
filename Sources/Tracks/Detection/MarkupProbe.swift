import FencepostFormats

/// Judges text that begins with `<` by its root element.
enum MarkupProbe {
  static func judge(_ text: Span<UInt8>, isLast: Bool) -> FormatDetector.Verdict {
    var index = 0
    while true {
      guard let open = text.firstIndex(of: UInt8(ascii: "<"), from: index) else { break }
      guard open + 1 < text.count else { break }
      switch text[open + 1] {
      case UInt8(ascii: "?"):
        guard let end = end(of: "?>", text, from: open) else { return atEnd(isLast) }
        index = end
      case UInt8(ascii: "!"):
        guard let end = endOfDeclaration(text, from: open) else { return atEnd(isLast) }
        index = end
      default: return judgeRoot(text, from: open + 1, isLast: isLast)
      }
    }
    return atEnd(isLast)
  }

  /// Without a root element, leaves it to the XML parser to report what is wrong.
  private static func atEnd(_ isLast: Bool) -> FormatDetector.Verdict {
    isLast ? .format(.gpx) : .open
  }

  private static func judgeRoot(
    _ text: Span<UInt8>, from start: Int, isLast: Bool
  ) -> FormatDetector.Verdict {
    var end = start
    var local = start
    while end < text.count, isNameByte(text[end]) {
      if text[end] == UInt8(ascii: ":") { local = end + 1 }
      end += 1
    }
    guard end < text.count || isLast else { return .open }
    let name = text.extracting(local..<end)
    if name.equals("gpx") { return .format(.gpx) }
    if name.equals("TrainingCenterDatabase") { return .format(.tcx) }
    if name.equals("kml") { return .format(.kml) }
    let shown = String(utf8: name.extracting(first: min(name.count, 40)))
    if shown.lowercased() == "html" {
      return .foreign("an HTML page, not a track; was it saved from a login page?")
    }
    return shown.isEmpty
      ? .foreign("unknown format; \(FormatDetector.expectation)")
      : .foreign("XML with the root element <\(shown)>, not <gpx>; \(FormatDetector.expectation)")
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ":")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  /// The index after a comment or a document type with its declarations.
  private static func endOfDeclaration(_ text: Span<UInt8>, from start: Int) -> Int? {
    if text.count >= start + 4, text.extracting(start..<(start + 4)).equals("<!--") {
      return end(of: "-->", text, from: start + 4)
    }
    guard text.count >= start + 4 else { return nil }
    var depth = 0
    for index in start..<text.count {
      switch text[index] {
      case UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
    }
    return nil
  }

  private static func end(of mark: StaticString, _ text: Span<UInt8>, from start: Int) -> Int? {
    let length = mark.utf8CodeUnitCount
    var index = start
    while index + length <= text.count {
      if text.extracting(index..<(index + length)).equals(mark) { return index + length }
      index += 1
    }
    return nil
  }
}
