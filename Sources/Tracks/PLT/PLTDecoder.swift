import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostTime

/// Decodes PLT: the tracks of OziExplorer (its help, “OziExplorer File Formats”) and of the data set GeoLife (Microsoft
/// Research, user guide of version 1.3).
///
/// After six lines of header each line is a fix: latitude, longitude, 1 where the line that is drawn breaks, altitude, and
/// the days since 1899-12-30T00:00:00Z. The fields behind repeat the time in words and are not read. Positions on a datum
/// other than WGS 84 are not read, because they would be off by up to a kilometre.
struct PLTDecoder: LineDecoder, Sendable {
  /// The first lines of the two programs begin with these.
  private static let beginnings: [StaticString] = [
    "OziExplorer Track Point File", "Geolife trajectory",
  ]
  private static var headerLineCount: Int { 6 }
  /// The most bytes of a line; the usual ones have fewer than 100.
  private static var maximumLineBytes: Int { 4096 }
  /// Days from 1899-12-30 to 1970-01-01.
  private static var daysBefore1970: Double { 25_569 }
  private static var secondsPerDay: Double { 86_400 }

  var scanner = LineScanner(maximumLineBytes: PLTDecoder.maximumLineBytes)
  /// How many lines of the header there have been.
  private var headerCount = 0
  private var lacksDatum = false
  private var trackIndex: Int32 = 0
  private var segmentIndex: Int32 = -1
  /// Whether the next fix begins a segment.
  private var isBroken = true
  /// Whether the recording has fixes yet.
  private var hasFixes = false

  /// That the file names no datum, if so.
  var notices: [String] {
    lacksDatum ? ["its second line names no datum; its positions are taken for WGS 84"] : []
  }

  /// Whether a text begins with the first line of a header.
  static func isPLT(_ text: Span<UInt8>) -> Bool {
    beginnings.contains { beginning in
      let length = beginning.utf8CodeUnitCount
      return text.count >= length && text.extracting(first: length).equals(beginning)
    }
  }

  mutating func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    let text = line.extracting(line.trimmedRange)
    if Self.isPLT(text) { return beginRecording() }
    guard headerCount >= Self.headerLineCount else {
      return try takeHeader(text, position.number)
    }
    guard !text.isEmpty else { return }
    guard !position.isCut else { return batch.reject(.tooLong, line: position.number) }
    takeFix(text, position.number, into: &batch)
  }

  // MARK: Headers

  /// Another recording may follow in the same file.
  private mutating func beginRecording() {
    headerCount = 1
    guard hasFixes else { return }
    trackIndex += 1
    hasFixes = false
    isBroken = true
  }

  /// Only the second line matters: the datum.
  private mutating func takeHeader(_ text: Span<UInt8>, _ number: Int) throws(DecodeError) {
    // Empty lines and a byte order mark may come before the first line.
    guard headerCount > 0 || !text.isEmpty else { return }
    headerCount += 1
    guard headerCount == 2 else { return }
    if text.isEmpty { lacksDatum = true }
    guard !text.isEmpty, !Self.isWGS84(text) else { return }
    let datum = String(utf8: text.extracting(first: min(text.count, 40)))
    let name = "an OziExplorer track on the datum “\(datum)” instead of WGS 84"
    throw DecodeError(BinaryProbe.babel(name, "ozi"), line: number)
  }

  private static func isWGS84(_ text: Span<UInt8>) -> Bool {
    let name = String(utf8: text).uppercased().filter { $0.isLetter || $0.isNumber }
    return name == "WGS84" || name == "WGS1984"
  }

  // MARK: Fixes

  private mutating func takeFix(_ line: Span<UInt8>, _ number: Int, into batch: inout FixBatch) {
    var start = 0
    let latitude = Self.number(line, &start)
    let longitude = Self.number(line, &start)
    // A break counts even if its position does not.
    if Self.number(line, &start) == 1 { isBroken = true }
    guard let latitude, let longitude else {
      return batch.reject(.malformed, line: number, detail: "no latitude,longitude")
    }
    var fix = Fix(coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
    guard fix.coordinate.isValid else {
      return batch.reject(.coordinate, line: number, detail: "\(latitude),\(longitude)")
    }
    _ = Self.nextField(line, &start)
    let days = line.extracting(Self.nextField(line, &start))
    if !Self.isMissing(days) {
      fix.timeMilliseconds = Self.timeMilliseconds(days: days)
      if fix.timeMilliseconds == nil {
        batch.reject(.time, line: number, detail: "the time is none; the fix is kept without it")
      }
    }
    append(fix, number, into: &batch)
  }

  private mutating func append(_ fix: Fix, _ number: Int, into batch: inout FixBatch) {
    if isBroken { segmentIndex += 1 }
    isBroken = false
    hasFixes = true
    var fix = fix
    fix.trackIndex = trackIndex
    fix.segmentIndex = segmentIndex
    batch.append(fix, line: number)
  }

  /// Whether a field states no time: OziExplorer writes 0 where it has none, and may leave the field out.
  private static func isMissing(_ days: Span<UInt8>) -> Bool {
    days.isEmpty || DecimalNumber.double(parsing: days) == 0
  }

  /// Reads a number of days since 1899-12-30T00:00:00Z.
  ///
  /// Six decimals of a day are 86 ms. Receivers give whole seconds, so where one is within a unit of the last decimal, it
  /// is the time; the number was rounded, or cut.
  ///
  /// - Returns: The nearest millisecond since 1970, or nil for what is no number or outside the years 0 … 9999.
  private static func timeMilliseconds(days text: Span<UInt8>) -> Int64? {
    guard let days = DecimalNumber.double(parsing: text) else { return nil }
    let seconds = (days - daysBefore1970) * secondsPerDay
    var unit = secondsPerDay
    for _ in 0..<min(decimalCount(text), 10) { unit /= 10 }
    let whole = seconds.rounded()
    return EpochTime.milliseconds(rounding: (abs(seconds - whole) <= unit ? whole : seconds) * 1000)
  }

  private static func decimalCount(_ number: Span<UInt8>) -> Int {
    number.firstIndex(of: UInt8(ascii: ".")).map { number.count - $0 - 1 } ?? 0
  }

  /// The number in the next field; nil if there is none.
  private static func number(_ line: Span<UInt8>, _ start: inout Int) -> Double? {
    DecimalNumber.double(parsing: line.extracting(nextField(line, &start)))
  }

  /// The range of the field at an index.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - start: Where the field begins; afterwards, where the next one does.
  /// - Returns: The field without blanks around it; empty past the last.
  private static func nextField(_ line: Span<UInt8>, _ start: inout Int) -> Range<Int> {
    guard start < line.count else { return line.count..<line.count }
    let end = line.firstIndex(of: UInt8(ascii: ","), from: start) ?? line.count
    let blank = line.extracting(start..<end).trimmedRange
    defer { start = end + 1 }
    return (start + blank.lowerBound)..<(start + blank.upperBound)
  }
}
