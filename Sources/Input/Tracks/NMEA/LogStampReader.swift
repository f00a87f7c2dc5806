import FencepostFormats

/// Reads the stamps of a log, which writes most of them in the same form.
///
/// A search for a stamp tries many parts of a line. So the place of the last stamp is tried first in
/// text of the same shape.
struct LogStampReader: Sendable {
  /// The kinds of the last line's bytes before its sentence, and where the stamp was among them.
  private var shape: [UInt8] = []
  private var place = 0..<0

  /// Reads the stamp in the text before a sentence; nil without one.
  mutating func read(_ prefix: Span<UInt8>) -> LogStamp? {
    if hasShape(prefix), let stamp = LogStamp(text: prefix.extracting(place)) { return stamp }
    guard let (stamp, found) = LogStamp.search(prefix) else { return nil }
    // A tag block may be readable in one line and not in the next.
    let hasTag = prefix.firstIndex(of: UInt8(ascii: "\\")) != nil
    shape = hasTag ? [] : prefix.indices.map { Self.kind(of: prefix[$0]) }
    place = found
    return stamp
  }

  /// Whether text has letters, digits and marks where the last one had them.
  private func hasShape(_ text: Span<UInt8>) -> Bool {
    !shape.isEmpty && text.count == shape.count
      && text.indices.allSatisfy { Self.kind(of: text[$0]) == shape[$0] }
  }

  /// A zero for any digit, an `a` for any letter.
  private static func kind(of byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      UInt8(ascii: "a")
    default: byte
    }
  }
}
