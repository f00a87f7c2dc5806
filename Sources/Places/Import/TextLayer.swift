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

/// Makes chunks valid UTF-8: each byte that belongs to no character is read as Windows-1252.
///
/// Text in Windows-1252 hardly ever has bytes that happen to be a character of UTF-8, so that the two need not be told
/// apart beforehand, and a file that has both is read too.
struct UTF8Repair {
  /// Whether the text has characters of UTF-8 that are not ASCII.
  private(set) var hasCharacters = false
  /// How many bytes have been replaced.
  private(set) var replacedBytes = 0
  /// The line, from 1, of the first replaced byte.
  private(set) var firstLine = 1
  /// The beginning of a character that the end of a chunk has cut.
  private var carried: [UInt8] = []

  /// Repairs a chunk in place, preceded by what the last chunk left over.
  mutating func repair(_ chunk: inout [UInt8], isLast: Bool) {
    if !carried.isEmpty { chunk.insert(contentsOf: carried, at: 0) }
    let end = isLast ? chunk.count : UTF8Repair.endOfWhole(chunk)
    carried = Array(chunk[end...])
    if end < chunk.count { chunk.removeLast(chunk.count - end) }
    if let isASCII = UTF8Repair.isASCII(chunk.span) {
      if !isASCII { hasCharacters = true }
      if replacedBytes == 0 { firstLine += chunk.span.lineFeedCount }
    } else {
      chunk = replacing(chunk.span)
    }
  }

  /// Whether the bytes are ASCII; nil if they are not UTF-8.
  private static func isASCII(_ bytes: Span<UInt8>) -> Bool? {
    // Any bytes may be validated; the result is not kept.
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    return text.isKnownASCII
  }

  private mutating func replacing(_ bytes: Span<UInt8>) -> [UInt8] {
    var repaired: [UInt8] = []
    repaired.reserveCapacity(bytes.count + 64)
    var index = 0
    while index < bytes.count {
      if let length = UTF8Sequence.length(in: bytes, at: index) {
        repaired.append(contentsOf: bytes.extracting(index..<(index + length)))
        if replacedBytes == 0, bytes[index] == UInt8(ascii: "\n") { firstLine += 1 }
        if length > 1 { hasCharacters = true }
        index += length
      } else {
        Windows1252.append(bytes[index], to: &repaired)
        replacedBytes += 1
        index += 1
      }
    }
    return repaired
  }

  /// Where the last character begins if the end of the bytes may have cut it, else their end.
  private static func endOfWhole(_ bytes: [UInt8]) -> Int {
    let tail = bytes.suffix(3)
    guard let start = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes.count }
    let needed = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : bytes[start] >= 0xC2 ? 2 : 1
    return bytes.count - start < needed ? start : bytes.count
  }
}

/// The characters of Windows-1252, which old spreadsheet programs write.
enum Windows1252 {
  /// The characters at 0x80 … 0x9F; unassigned ones as they are.
  private static let special: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  /// The character of a byte; a control character where none is assigned.
  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(special[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }

  /// Appends the character of a byte as UTF-8; U+FFFD where none is assigned.
  static func append(_ byte: UInt8, to text: inout [UInt8]) {
    let scalar = scalar(byte)
    let isAssigned = !(0x80...0x9F ~= scalar.value)
    text.append(contentsOf: String(isAssigned ? scalar : "\u{FFFD}").utf8)
  }
}
