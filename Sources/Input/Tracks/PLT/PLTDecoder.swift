import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostTime

/// Decodes PLT, the track format of OziExplorer and of the GeoLife data set.
///
/// After six header lines, each line is a fix: latitude, longitude, 1 to break the line, altitude
/// and days since 1899-12-30T00:00:00Z. Later fields only repeat the time. Files with a datum other
/// than WGS 84 are refused, because positions would be off by up to a kilometer. Sources:
/// “OziExplorer File Formats” in OziExplorer's help; Microsoft Research, GeoLife user guide 1.3.
struct PLTDecoder: LineDecoder, Sendable {
  /// The first lines of files from OziExplorer, and of the GeoLife data set.
  private static let beginnings: [StaticString] = [
    "OziExplorer Track Point File", "Geolife trajectory",
  ]
  private static var headerLineCount: Int { 6 }
  /// The longest line kept, in bytes; most have fewer than 100.
  private static var maximumLineBytes: Int { 4096 }
  /// Days from 1899-12-30 to 1970-01-01.
  private static var daysBefore1970: Double { 25_569 }
  private static var secondsPerDay: Double { 86_400 }

  var scanner = LineScanner(maximumLineBytes: PLTDecoder.maximumLineBytes)
  /// How many header lines of the file were read; a source may hold several files.
  private var headerCount = 0
  /// Whether the second line was empty.
  private var lacksDatum = false
  private var assembler = PathAssembler()

  /// A warning if the datum was assumed.
  var notices: [String] {
    lacksDatum ? ["its second line does not name a datum, so Fencepost assumes WGS 84"] : []
  }

  /// Whether text begins like a file in this format.
  static func isPLT(_ text: Span<UInt8>) -> Bool {
    beginnings.contains { beginning in
      let length = beginning.utf8CodeUnitCount
      return text.count >= length && text.extracting(first: length).equals(beginning)
    }
  }

  /// Decodes a line of the header or a fix; the first line of a file begins a track.
  mutating func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    let text = line.extracting(line.trimmedRange)
    if Self.isPLT(text) {
      headerCount = 1
      return assembler.beginTrack()
    }
    guard headerCount >= Self.headerLineCount else { return try takeHeader(text, position.number) }
    guard !text.isEmpty else { return }
    guard !position.isCut else { return batch.reject(.tooLong, line: position.number) }
    try takeFix(text, position.number, into: &batch)
  }

  // MARK: Headers

  /// Checks the datum in the second line; ignores the others.
  private mutating func takeHeader(_ text: Span<UInt8>, _ number: Int) throws(DecodeError) {
    // Empty lines and a byte order mark may come before the first line.
    guard headerCount > 0 || !text.isEmpty else { return }
    headerCount += 1
    guard headerCount == 2 else { return }
    if text.isEmpty { lacksDatum = true }
    let name = String(utf8: text).uppercased().filter { $0.isLetter || $0.isNumber }
    guard !text.isEmpty, name != "WGS84", name != "WGS1984" else { return }
    let datum = String(utf8: text.extracting(first: min(text.count, 40)))
    let format = "an OziExplorer track with the datum “\(datum)” instead of WGS 84"
    throw DecodeError(BinaryProbe.babel(format, "ozi"), line: number)
  }

  // MARK: Fixes

  private mutating func takeFix(
    _ line: Span<UInt8>, _ number: Int, into batch: inout FixBatch
  ) throws(DecodeError) {
    var start = 0
    let latitude = Self.number(line, &start)
    let longitude = Self.number(line, &start)
    // A break counts even if the position is invalid.
    if Self.number(line, &start) == 1 { assembler.beginSegment() }
    guard let latitude, let longitude else {
      return batch.reject(.malformed, line: number, detail: "expected latitude,longitude")
    }
    var fix = Fix(coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
    guard fix.coordinate.isValid else {
      return batch.reject(.coordinate, line: number, detail: "\(latitude),\(longitude)")
    }
    _ = Self.nextField(line, &start)
    let days = line.extracting(Self.nextField(line, &start))
    // OziExplorer writes 0 or omits the field if the time is missing.
    if !days.isEmpty, DecimalNumber.double(parsing: days) != 0 {
      fix.timeMilliseconds = Self.timeMilliseconds(days: days)
      if fix.timeMilliseconds == nil {
        batch.reject(.time, line: number, detail: "invalid time; the fix is kept without a time")
      }
    }
    try assembler.add(fix, rank: 0, SourcePosition(line: number), into: &batch)
  }

  /// Converts days since 1899-12-30T00:00:00Z to milliseconds since 1970.
  ///
  /// Six decimals of a day are 86 ms, but receivers report whole seconds. So the result snaps to a
  /// whole second within one unit of the last decimal. Nil if not in the years 0 … 9999.
  private static func timeMilliseconds(days text: Span<UInt8>) -> Int64? {
    guard let days = DecimalNumber.double(parsing: text) else { return nil }
    let seconds = (days - daysBefore1970) * secondsPerDay
    var unit = secondsPerDay
    let decimalCount = text.firstIndex(of: UInt8(ascii: ".")).map { text.count - $0 - 1 } ?? 0
    for _ in 0..<min(decimalCount, 10) { unit /= 10 }
    let whole = seconds.rounded()
    return EpochTime.milliseconds(rounding: (abs(seconds - whole) <= unit ? whole : seconds) * 1000)
  }

  /// The number in the next field; nil if it is not one.
  private static func number(_ line: Span<UInt8>, _ start: inout Int) -> Double? {
    DecimalNumber.double(parsing: line.extracting(nextField(line, &start)))
  }

  /// The next field without surrounding spaces, empty past the last; advances `start`.
  private static func nextField(_ line: Span<UInt8>, _ start: inout Int) -> Range<Int> {
    guard start < line.count else { return line.count..<line.count }
    let end = line.firstIndex(of: UInt8(ascii: ","), from: start) ?? line.count
    let blank = line.extracting(start..<end).trimmedRange
    defer { start = end + 1 }
    return (start + blank.lowerBound)..<(start + blank.upperBound)
  }
}
