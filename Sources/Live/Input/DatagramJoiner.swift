/// Makes one stream of datagrams.
///
/// A datagram is a message, and not all senders end it as a line; or it is a piece of a stream, cut
/// where the sender's buffer ended. What ends within a sentence of NMEA or within an object of JSON goes
/// on with the next datagram, unless that begins a message itself; all else is a line, at once.
struct DatagramJoiner {
  /// The line that is not complete, without its end.
  private var open: [UInt8] = []

  /// More than any message has; what is longer is none.
  private static var mostOpenBytes: Int { 64 * 1024 }

  /// Whether the stream ends within a line, which the next datagram may continue.
  var isOpen: Bool { !open.isEmpty }

  /// Takes a datagram; returns it with the line ends that are missing.
  mutating func take(_ datagram: [UInt8]) -> [UInt8] {
    guard let last = datagram.last else { return [] }
    var bytes = datagram
    if isOpen, let first = datagram.first(where: { !Self.isBlank($0) }), Self.begins(first) {
      bytes.insert(UInt8(ascii: "\n"), at: 0)
      open = []
    }
    guard !Self.isEnd(last) else {
      open = []
      return bytes
    }
    if let end = bytes.lastIndex(where: Self.isEnd) {
      open = Array(bytes[(end + 1)...])
    } else {
      open += bytes
    }
    if Self.isWhole(open) || open.count > Self.mostOpenBytes { bytes += end() }
    return bytes
  }

  /// Nothing has come for a while: the end of the line, where one is missing.
  mutating func end() -> [UInt8] {
    defer { open = [] }
    return isOpen ? [UInt8(ascii: "\n")] : []
  }

  private static func isEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether a message of NMEA, AIS or JSON begins with this byte.
  private static func begins(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "{")].contains(byte)
  }

  /// Whether a line lacks nothing but its end, as far as can be told.
  private static func isWhole(_ line: [UInt8]) -> Bool {
    let text = line.drop(while: isBlank)
    switch text.first {
    case UInt8(ascii: "{"): return isWholeObject(text)
    case UInt8(ascii: "$"), UInt8(ascii: "!"):
      guard let star = text.lastIndex(of: UInt8(ascii: "*")) else { return false }
      return text.endIndex - star >= 3
    default: return true
    }
  }

  private static func isWholeObject(_ text: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    var isInText = false
    var isEscaped = false
    for byte in text {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return depth <= 0 && !isInText
  }
}
