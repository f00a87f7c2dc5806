import Formats

/// Looks at the first objects of what begins with `{` or `[`.
enum JSONProbe {
  private static let names: [StaticString] = ["class", "_type", "type"]

  static func judge(_ text: Span<UInt8>, isLast: Bool) -> FormatDetector.Verdict {
    if text[0] == UInt8(ascii: "[") {
      return .foreign("a JSON array; \(FormatDetector.expectation)")
    }
    var scanner = LineScanner(maximumLineBytes: FormatDetector.windowBytes)
    var verdict = FormatDetector.Verdict.open
    func look(_ line: Span<UInt8>, _ position: LinePosition) {
      if verdict == .open { verdict = judge(line: line) }
    }
    scanner.scan(text, look)
    if isLast { scanner.finish(look) }
    guard verdict == .open, isLast else { return verdict }
    return .foreign(
      "JSON, but neither reports of gpsd nor messages of OwnTracks; \(FormatDetector.expectation)")
  }

  private static func judge(line: Span<UInt8>) -> FormatDetector.Verdict {
    var reader = JSONLineReader()
    var verdict = FormatDetector.Verdict.open
    // A line that is cut or damaged tells as much as its beginning does.
    try? reader.read(line, names: names) { index, value, text in
      guard case .string = value else { return }
      if index == 0 {
        verdict = .format(.gpsd)
      } else if index == 1 {
        verdict = .format(.ownTracks)
      } else if verdict == .open, text.equals("FeatureCollection") || text.equals("Feature") {
        verdict = .foreign("GeoJSON, which is not read as a track; \(FormatDetector.expectation)")
      }
    }
    return verdict
  }
}
