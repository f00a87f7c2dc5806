import FencepostFormats

/// What stands before an XML document in a file, such as white space or the warning of a script.
///
/// XML allows nothing before its declaration, and libxml2 refuses what does. Programs and servers
/// write it all the same.
struct XMLPreface: Sendable, Equatable {
  /// How many bytes to skip; 0 for a file that begins like XML.
  private(set) var byteCount = 0
  private(set) var lineCount = 0
  /// What stands there, as messages show it; nil for white space and byte order marks.
  private(set) var shown: String?

  /// How far a document that does not begin with `<` is searched for.
  private static var mostBytes: Int { 4096 }
  private static let declaration = Array("<?xml".utf8)

  /// Why a source is not clean, for the end of its decoding; nil if it is.
  var fault: DecodeError? {
    shown.map {
      DecodeError(
        "something stands before the XML, which Fencepost skipped: \($0)",
        line: 1)
    }
  }

  init() {}

  /// Finds the beginning of a document in GPX, TCX or KML; nil without one so far.
  init?(_ text: Span<UInt8>) {
    var first = 0
    while let length = Self.blankLength(text, at: first) { first += length }
    guard first < text.count, text[first] != UInt8(ascii: "{"), text[first] != UInt8(ascii: "[")
    else { return nil }
    let isMarkup = text[first] == UInt8(ascii: "<")
    let limit = isMarkup ? text.count : min(text.count, Self.mostBytes)
    guard let (root, declared) = Self.root(text.extracting(first: limit), from: first) else {
      return nil
    }
    let beginsProlog =
      isMarkup && first + 1 < text.count
      && (text[first + 1] == UInt8(ascii: "!") || text[first + 1] == UInt8(ascii: "?"))
    let start = declared ?? (beginsProlog ? first : root)
    lineCount = text.extracting(first: start).lineFeedCount
    // A byte order mark alone is left to libxml2.
    byteCount = start == 3 && first == 3 && text[0] == 0xEF ? 0 : start
    guard start > first else { return }
    var end = start
    while end > first, text[end - 1] <= 0x20 { end -= 1 }
    let isPadding = !(first..<end).contains { text[$0] != 0 }
    // A binary file may hold a document as it is.
    let isText = !(first..<end).contains {
      text[$0] < 0x20 && !FormatDetector.isWhiteSpace(text[$0])
    }
    guard isPadding || isText else { return nil }
    shown =
      isPadding
      ? "\(start - first) NUL bytes" : XMLField.quoted(text.extracting(first..<end))
  }

  /// The length of white space or a byte order mark; nil for anything else.
  private static func blankLength(_ text: Span<UInt8>, at index: Int) -> Int? {
    guard index < text.count else { return nil }
    if FormatDetector.isWhiteSpace(text[index]) { return 1 }
    let isMark =
      index + 3 <= text.count && text[index] == 0xEF && text[index + 1] == 0xBB
      && text[index + 2] == 0xBF
    return isMark ? 3 : nil
  }

  /// Where the root element begins, and the last declaration before it.
  private static func root(_ text: Span<UInt8>, from first: Int) -> (root: Int, declared: Int?)? {
    var declared: Int?
    var index = first
    while let open = text.firstIndex(of: UInt8(ascii: "<"), from: index) {
      index = open + 1
      let rest = text.extracting(open..<text.count)
      if rest.count >= 4, rest.extracting(first: 4).equals("<!--") {
        guard let end = MarkupProbe.end(of: "-->", text, from: open + 4) else { return nil }
        index = end
      } else if begins(rest, with: declaration), rest.count > 5, rest[5] <= 0x20 {
        declared = open
      } else if MarkupProbe.format(ofRoot: text, from: open + 1) != nil {
        return (open, declared)
      }
    }
    return nil
  }

  private static func begins(_ text: Span<UInt8>, with mark: [UInt8]) -> Bool {
    text.count >= mark.count && mark.indices.allSatisfy { text[$0] == mark[$0] }
  }
}
