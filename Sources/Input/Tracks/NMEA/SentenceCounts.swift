import FencepostFormats

/// The sentences of a source by name, for a source without positions.
///
/// A log of satellites or of an AIS receiver is recognized as NMEA 0183, but has no track.
struct SentenceCounts: Sendable {
  private static var mostNames: Int { 8 }

  private(set) var total = 0
  private var names: [String] = []

  /// Adds a sentence without its `$` or `!`, unless it is noise.
  mutating func add(_ text: Span<UInt8>) {
    guard NMEADecoder.hasAddress(text), let comma = text.firstIndex(of: UInt8(ascii: ",")) else {
      return
    }
    total += 1
    let name = String(utf8: text.extracting(first: comma))
    guard names.count <= Self.mostNames, !names.contains(name) else { return }
    names.append(name)
  }

  /// What there is instead of positions: `13 sentences, none with a position that Fencepost reads: GPGSV`.
  var sentence: String {
    let sentences = total == 1 ? "1 sentence" : "\(total) sentences"
    let shown = names.prefix(Self.mostNames).joined(separator: ", ")
    return "\(sentences), none with a position that Fencepost reads: \(shown)"
      + (names.count > Self.mostNames ? " and others" : "")
  }
}
