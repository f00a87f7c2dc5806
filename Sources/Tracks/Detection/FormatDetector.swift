import FencepostFormats

/// Recognizes the format of a source by its first bytes, independent of name and chunking.
struct FormatDetector: Sendable {
  /// How many bytes are examined.
  static var windowBytes: Int { 64 * 1024 }

  enum Verdict: Equatable {
    case open
    case format(TrackFormat)
    case archive
    /// The format is not supported; the sentence describes it.
    case foreign(String)
  }

  static let expectation =
    "expected GPX, NMEA 0183, JSON lines (from gpsd, from OwnTracks, or with time, lat and lon), "
    + "CSV with a header such as time,lat,lon, or another track format that the guide lists"

  /// Judges the first bytes of a source, in UTF-8 or ASCII; never `open` if `isWhole`.
  static func judge(_ bytes: Span<UInt8>, isWhole: Bool) -> Verdict {
    let window = bytes.extracting(first: min(bytes.count, windowBytes))
    let isLast = isWhole || bytes.count >= windowBytes
    if let verdict = BinaryProbe.judge(window, isLast: isLast) { return verdict }
    var start = hasByteOrderMark(window) ? 3 : 0
    while start < window.count, isWhiteSpace(window[start]) { start += 1 }
    guard start < window.count else {
      if !isLast { return .open }
      return .foreign(isWhole ? "the file is empty" : "only white space; \(expectation)")
    }
    let text = window.extracting(start..<window.count)
    let verdict: Verdict =
      switch text[0] {
      case UInt8(ascii: "<"): MarkupProbe.judge(text, isLast: isLast)
      case UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E: JSONProbe.judge(text, isLast: isLast)
      default: TextProbe.judge(text, isLast: isLast)
      }
    return verdict == .open && isLast ? .foreign("unknown format; \(expectation)") : verdict
  }

  private static func hasByteOrderMark(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
  }

  static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
