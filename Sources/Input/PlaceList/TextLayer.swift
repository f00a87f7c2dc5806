import FencepostFormats

/// Converts text to UTF-8, chunk by chunk, from UTF-16 or Windows-1252.
///
/// Spreadsheets still write both. Bytes that are not UTF-8 are read as Windows-1252, with a
/// warning.
package struct TextLayer {
  private var transcoder: UTF16Transcoder?
  private var repair = UTF8Repair()

  /// Needs the first four bytes of the text, or all if it is shorter.
  package init(head: Span<UInt8>) { transcoder = UTF16Transcoder.recognize(head) }

  /// The beginning of the text as UTF-8, to recognize its format.
  package static func beginning(of head: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    guard var transcoder = UTF16Transcoder.recognize(head) else {
      text.append(contentsOf: head)
      var repair = UTF8Repair()
      repair.repair(&text, isLast: true)
      return text
    }
    transcoder.transcode(head, into: &text)
    return text
  }

  /// Replaces a chunk with its text in UTF-8; a character that it ends within is kept for the next.
  package mutating func decode(_ chunk: inout [UInt8]) {
    guard transcoder != nil else { return repair.repair(&chunk, isLast: false) }
    var text: [UInt8] = []
    text.reserveCapacity(chunk.count)
    chunk.withSpan { transcoder?.transcode($0, into: &text) }
    chunk = text
  }

  /// Appends what was kept of the last chunk.
  package mutating func finish(into chunk: inout [UInt8]) {
    chunk.removeAll(keepingCapacity: true)
    transcoder?.finish(into: &chunk)
    if transcoder == nil { repair.repair(&chunk, isLast: true) }
  }

  /// A warning if bytes were read as Windows-1252, which may be the wrong letters; nil if none
  /// were.
  package func warning(file: String) -> ImportReport.Warning? {
    guard repair.replacedBytes > 0 else { return nil }
    return .notUTF8(
      file: file, line: repair.firstLine, bytes: repair.replacedBytes,
      isMixed: repair.hasCharacters)
  }
}
