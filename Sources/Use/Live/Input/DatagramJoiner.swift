#if Command
/// Joins datagrams into a stream of lines.
///
/// A datagram is either a message, perhaps without a line end, or part of a stream cut at the
/// sender's buffer size. An incomplete NMEA sentence or JSON object continues in the next datagram
/// unless that one begins a message. Anything else is a complete line.
struct DatagramJoiner {
  private var open: [UInt8] = []
  /// The brackets of an open object so far.
  private var nesting = JSONNesting()

  private static var mostSentenceBytes: Int { 1024 }
  /// Longer than any message.
  private static var mostOpenBytes: Int { 64 * 1024 }

  var isOpen: Bool { !open.isEmpty }

  /// Adds a datagram and returns it with missing line ends added.
  mutating func take(_ datagram: [UInt8]) -> [UInt8] {
    guard let last = datagram.last else { return [] }
    var bytes = datagram
    if isOpen, let first = datagram.first(where: { !Self.isBlank($0) }), "$!{".utf8.contains(first)
    {
      bytes.insert(UInt8(ascii: "\n"), at: 0)
      open = []
    }
    guard !Self.isEnd(last) else {
      open = []
      return bytes
    }
    let end = bytes.lastIndex(where: Self.isEnd)
    if end != nil { open = [] }
    let rest = bytes[(end.map { $0 + 1 } ?? 0)...]
    if open.isEmpty { nesting = JSONNesting() }
    open += rest
    for byte in rest { nesting.take(byte) }
    if isWhole || open.count > Self.mostOpenBytes { bytes += self.end() }
    return bytes
  }

  /// Ends an incomplete line, if any; call it after a pause.
  mutating func end() -> [UInt8] {
    defer { open = [] }
    return isOpen ? [UInt8(ascii: "\n")] : []
  }

  private static func isEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private var isWhole: Bool {
    let text = open.drop(while: Self.isBlank)
    switch text.first {
    case UInt8(ascii: "{"): return nesting.depth <= 0 && !nesting.isInText
    case UInt8(ascii: "$"), UInt8(ascii: "!"):
      if text.count > Self.mostSentenceBytes { return true }
      guard let star = text.lastIndex(of: UInt8(ascii: "*")) else { return false }
      return text.endIndex - star >= 3
    default: return true
    }
  }
}

/// Follows how deeply a JSON text is nested, byte by byte, without parsing it.
///
/// It finds where an object ends that came in pieces, or on several lines.
struct JSONNesting {
  /// The number of open arrays and objects; negative after too many closing brackets.
  var depth = 0
  /// Whether the last byte is inside a string, counting its opening quote but not the closing one.
  private(set) var isInText = false
  private var isEscaped = false

  /// Follows the next byte; brackets inside strings do not count.
  mutating func take(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInText.toggle()
    case UInt8(ascii: "\\") where isInText: isEscaped = true
    case UInt8(ascii: "{") where !isInText, UInt8(ascii: "[") where !isInText: depth += 1
    case UInt8(ascii: "}") where !isInText, UInt8(ascii: "]") where !isInText: depth -= 1
    default: break
    }
  }
}
#endif
