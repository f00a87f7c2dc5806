import FencepostFormats

/// Judges text that begins with `{`, `[` or a record separator by its first objects.
enum JSONProbe {
  private static let typeNames: [StaticString] = ["class", "_type"]
  private static let names = typeNames + JSONFixReader.latitudeNames + JSONFixReader.longitudeNames

  static func judge(_ text: Span<UInt8>, isLast: Bool) -> FormatDetector.Verdict {
    let document = DocumentProbe.format(of: text)
    if text[0] == UInt8(ascii: "[") {
      if let document { return .format(document.format) }
      return isLast || !mayHoldObjects(text)
        ? .foreign("a JSON array; \(FormatDetector.expectation)") : .open
    }
    var scanner = LineScanner(maximumLineBytes: FormatDetector.windowBytes)
    var verdict = FormatDetector.Verdict.open
    func look(_ line: Span<UInt8>, _ position: LinePosition) {
      // The earliest evidence decides, so that the verdict does not depend on the bytes available.
      guard verdict == .open,
        document.map({ $0.byteCount > position.byteOffset + line.count }) ?? true
      else { return }
      verdict = judge(line: line)
    }
    scanner.scan(text, look)
    if isLast { scanner.finish(look) }
    if verdict == .open, let document { return .format(document.format) }
    guard verdict == .open, isLast else { return verdict }
    return .foreign(
      "JSON without gpsd reports, OwnTracks messages, objects with lat and lon, or a track; "
        + FormatDetector.expectation)
  }

  /// Whether the array can still turn out to hold objects.
  private static func mayHoldObjects(_ array: Span<UInt8>) -> Bool {
    var start = 1
    while start < array.count, FormatDetector.isWhiteSpace(array[start]) { start += 1 }
    return start == array.count || array[start] == UInt8(ascii: "{")
  }

  private static func judge(line: Span<UInt8>) -> FormatDetector.Verdict {
    var reader = JSONLineReader()
    var verdict = FormatDetector.Verdict.open
    var hasLatitude = false
    var hasLongitude = false
    // An error does not matter: the start of an incomplete or damaged line is enough.
    _ = try? reader.read(line, names: names) { index, value, text in
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
      verdict = .format(index == 0 ? .gpsd : .ownTracks)
    }
    return verdict == .open && hasLatitude && hasLongitude ? .format(.jsonLines) : verdict
  }
}
