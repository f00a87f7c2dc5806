import FencepostFormats

/// Makes the bytes of a text UTF-8, chunk by chunk: transcodes UTF-16, and reads what is not UTF-8 as Windows-1252.
struct TextLayer {
  private var transcoder: UTF16Transcoder?
  private var repair = UTF8Repair()

  /// Recognises the encoding.
  ///
  /// - Parameter head: The first four bytes of the text, or all if it has fewer.
  init(head: Span<UInt8>) {
    transcoder = UTF16Transcoder.recognise(head)
  }

  /// The beginning of the text as UTF-8, to recognise its format.
  static func beginning(of head: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    guard var transcoder = UTF16Transcoder.recognise(head) else {
      text.append(contentsOf: head)
      var repair = UTF8Repair()
      repair.repair(&text, isLast: true)
      return text
    }
    transcoder.transcode(head, into: &text)
    return text
  }

  /// Replaces the next bytes by the text that they complete.
  mutating func decode(_ chunk: inout [UInt8]) {
    guard transcoder != nil else { return repair.repair(&chunk, isLast: false) }
    var text: [UInt8] = []
    text.reserveCapacity(chunk.count)
    transcoder?.transcode(chunk.span, into: &text)
    chunk = text
  }

  /// Ends the text, and replaces the contents of a chunk by its last bytes.
  mutating func finish(into chunk: inout [UInt8]) {
    chunk.removeAll(keepingCapacity: true)
    transcoder?.finish(into: &chunk)
    if transcoder == nil { repair.repair(&chunk, isLast: true) }
  }

  /// What its owner should know of the text; nil if nothing.
  func warning(file: String) -> ImportReport.Warning? {
    guard repair.replacedBytes > 0 else { return nil }
    return .notUTF8(
      file: file, line: repair.firstLine, bytes: repair.replacedBytes,
      isMixed: repair.hasCharacters)
  }
}
