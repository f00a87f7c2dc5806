import Formats

/// Tells NMEA 0183 and CSV from other text.
enum TextProbe {
  static func judge(_ text: Span<UInt8>, isLast: Bool) -> FormatDetector.Verdict {
    let lineEnd = text.indices.first { text[$0] == 0x0A || text[$0] == 0x0D }
    let sentence = firstSentence(text)
    if let sentence, sentence < lineEnd ?? text.count { return .format(.nmea) }
    guard lineEnd != nil || isLast else { return .open }
    let firstLine = text.extracting(0..<(lineEnd ?? text.count))
    if isHeader(firstLine) { return .format(.csv) }
    if sentence != nil { return .format(.nmea) }
    return isLast ? .foreign(describe(text, firstLine)) : .open
  }

  /// Where the first `$`, or `!` of AIS, stands with an address and a comma behind it.
  private static func firstSentence(_ text: Span<UInt8>) -> Int? {
    for start in text.indices
    where text[start] == UInt8(ascii: "$") || text[start] == UInt8(ascii: "!") {
      var end = start + 1
      while end < min(text.count, start + 10), isAddressByte(text[end], isFirst: end == start + 1) {
        end += 1
      }
      if end >= start + 4, end < text.count, text[end] == UInt8(ascii: ",") { return start }
    }
    return nil
  }

  private static func isAddressByte(_ byte: UInt8, isFirst: Bool) -> Bool {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      || (!isFirst && UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte)
  }

  private static func isHeader(_ line: Span<UInt8>) -> Bool {
    guard line.count < 8 * 1024 else { return false }
    var reader = CSVReader()
    reader.push(line)
    reader.finish()
    // A damaged header is none.
    guard (try? reader.next()) == true else { return false }
    return CSVFixColumns(header: reader) != nil
  }

  private static func describe(_ text: Span<UInt8>, _ firstLine: Span<UInt8>) -> String {
    if text.count >= 2, text[0] == UInt8(ascii: "P"), text[1] == UInt8(ascii: "K") {
      return "a ZIP archive; take the track out of it first"
    }
    let commas = count(UInt8(ascii: ","), firstLine)
    let semicolons = count(UInt8(ascii: ";"), firstLine)
    if semicolons >= 2, semicolons > commas {
      return "columns separated by semicolons; they must be separated by commas"
    }
    if commas >= 2, !hasWords(firstLine) {
      return "like CSV, but its first line does not name the columns lat and lon"
    }
    return "not recognised: \(FormatDetector.expectation)"
  }

  private static func count(_ byte: UInt8, _ line: Span<UInt8>) -> Int {
    var count = 0
    for index in line.indices where line[index] == byte { count += 1 }
    return count
  }

  /// Whether a line reads like prose: more than one blank for a comma.
  private static func hasWords(_ line: Span<UInt8>) -> Bool {
    count(UInt8(ascii: " "), line) > count(UInt8(ascii: ","), line)
  }
}
