import FencepostFormats

/// Judges text that begins with `{` or `[` by its first objects.
enum JSONProbe {
  private static let typeNames: [StaticString] = ["class", "_type", "type"]
  private static let names =
    typeNames + JSONFixReader.latitudeNames + JSONFixReader.longitudeNames

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
      "JSON, but neither reports of gpsd, messages of OwnTracks nor objects with lat and lon; "
        + FormatDetector.expectation)
  }

  private static func judge(line: Span<UInt8>) -> FormatDetector.Verdict {
    var reader = JSONLineReader()
    var verdict = FormatDetector.Verdict.open
    var hasLatitude = false
    var hasLongitude = false
    // The beginning of an incomplete or damaged line is enough.
    try? reader.read(line, names: names) { index, value, text in
      if index >= typeNames.count {
        guard case .number = value else { return }
        if index < typeNames.count + JSONFixReader.latitudeNames.count {
          hasLatitude = true
        } else {
          hasLongitude = true
        }
        return
      }
      guard case .string = value else { return }
      if index == 0 {
        verdict = .format(.gpsd)
      } else if index == 1 {
        verdict = .format(.ownTracks)
      } else if verdict == .open, text.equals("FeatureCollection") || text.equals("Feature") {
        verdict = .foreign("GeoJSON, which is not read as a track; \(FormatDetector.expectation)")
      }
    }
    return verdict == .open && hasLatitude && hasLongitude ? .format(.jsonLines) : verdict
  }
}
