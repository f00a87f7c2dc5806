import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostTime

/// Decodes IGC, the flight recorder format of gliders (FAI technical specification, appendix A).
///
/// A `B` record is a fix, even if marked `V` (no altitude, or no position). Repeated `V` records at
/// one position mean that the receiver lost it, so only the first counts. `HFDTE` sets the date.
/// The next day begins when the time of day goes back by more than twelve hours; this is undone if
/// the times return to where they were. A repeated date changes nothing. `I` records add digits to
/// position and time, and the accuracy (`FXA`).
struct IGCDecoder: LineDecoder, Sendable {
  /// Where the extensions are in each `B` record, as the `I` record states it.
  private struct Extensions {
    var accuracy: Range<Int>?
    var latitude: Range<Int>?
    var longitude: Range<Int>?
    var time: Range<Int>?
  }

  private static var millisecondsPerDay: Int64 { 86_400_000 }
  /// The longest line kept, in bytes; the specification allows 76.
  private static var maximumLineBytes: Int { 4096 }

  var scanner = LineScanner(maximumLineBytes: IGCDecoder.maximumLineBytes)
  private var extensions = Extensions()
  /// The day of the next fix, as its midnight in milliseconds since 1970; nil without a date.
  private var dayMilliseconds: Int64?
  /// The flight's last stated date.
  private var statedDayMilliseconds: Int64?
  /// The time of the last fix in milliseconds since midnight.
  private var lastTimeOfDay: Int64?
  /// The last time of day before midnight passed.
  private var timeOfDayBeforeMidnight: Int64?
  private var trackIndex: Int32 = 0
  private var hasFixes = false
  private var lastFix: Fix?
  /// Whether a fix had a time of day, but no date was known.
  private var lacksDate = false

  /// Creates a decoder; `startDay` dates files without a date, in days since 1970.
  init(startDay: Int32? = nil) {
    dayMilliseconds = startDay.map { Int64($0) * Self.millisecondsPerDay }
  }

  var notices: [String] {
    lacksDate ? ["it has no date (HFDTE), so the fixes have no times; set it with --date"] : []
  }

  /// Whether the text is IGC: an `A` record, then a date or a fix; nil if more bytes are needed.
  static func isIGC(_ text: Span<UInt8>) -> Bool? {
    guard text.count >= 5 else { return nil }
    guard text[0] == UInt8(ascii: "A") || text.extracting(first: 5).equals("HFDTE") else {
      return false
    }
    if text[0] == UInt8(ascii: "H") { return true }
    guard isRecorder(text) else { return false }
    var start = 0
    while let end = text.firstIndex(of: 0x0A, from: start) {
      start = end + 1
      guard start + 5 <= text.count else { return nil }
      // The second letter is the source: F for the recorder, O for the observer, P for the pilot.
      if text[start] == UInt8(ascii: "H"), text.extracting((start + 2)..<(start + 5)).equals("DTE")
      {
        return true
      }
      guard text[start] == UInt8(ascii: "B") else { continue }
      guard start + 35 <= text.count else { return nil }
      if isFix(text.extracting(start..<(start + 35))) { return true }
    }
    return nil
  }

  /// Whether a `B` record has the form of a fix, up to the letter after its position.
  private static func isFix(_ record: Span<UInt8>) -> Bool {
    digits(record, 1..<7) != nil && digits(record, 7..<14) != nil
      && digits(record, 15..<23) != nil && "NS".utf8.contains(record[14])
      && "EW".utf8.contains(record[23]) && "AV".utf8.contains(record[24])
  }

  /// Whether an `A` record has a recorder code.
  private static func isRecorder(_ line: Span<UInt8>) -> Bool {
    line.count >= 4
      && (1..<4).allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= line[$0] | 0x20
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= line[$0]
      }
  }

  /// Decodes a record by its first letter; letters that say nothing about fixes are skipped.
  mutating func take(_ whole: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch) {
    // Serial lines may put flow control characters (XON, XOFF) before records.
    var start = 0
    while start < whole.count, whole[start] <= 0x20 { start += 1 }
    let line = whole.extracting(start..<whole.count)
    guard !line.isEmpty else { return }
    guard !position.isCut else { return batch.reject(.tooLong, line: position.number) }
    switch line[0] {
    case UInt8(ascii: "A"): if Self.isRecorder(line) { beginFlight() }
    case UInt8(ascii: "H"): takeHeader(line, position.number, into: &batch)
    case UInt8(ascii: "I"): takeExtensions(line)
    case UInt8(ascii: "B"): takeFix(line, position.number, into: &batch)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): break
    default: batch.reject(.malformed, line: position.number, detail: "not an IGC record")
    }
  }

  /// Begins a track, if the last one has fixes.
  private mutating func beginFlight() {
    guard hasFixes else { return }
    trackIndex += 1
    hasFixes = false
    extensions = Extensions()
    statedDayMilliseconds = nil
    (lastTimeOfDay, timeOfDayBeforeMidnight) = (nil, nil)
    lastFix = nil
  }

  // MARK: Headers

  /// Reads a date; other headers do not matter.
  private mutating func takeHeader(_ line: Span<UInt8>, _ number: Int, into batch: inout FixBatch) {
    guard line.count >= 5, line.extracting(2..<5).equals("DTE") else { return }
    guard let date = Self.date(in: line) else {
      return batch.reject(.time, line: number, detail: "invalid date")
    }
    let stated = Int64(date.daysSince1970) * Self.millisecondsPerDay
    // A date repeated after midnight is still that of the flight's start.
    guard stated != statedDayMilliseconds else { return }
    statedDayMilliseconds = stated
    dayMilliseconds = stated
    (lastTimeOfDay, timeOfDayBeforeMidnight) = (nil, nil)
  }

  /// Parses ddmmyy, ddmmyyyy or yyyymmdd, with or without separators; nil for other text.
  private static func date(in header: Span<UInt8>) -> CivilDate? {
    var start = 5
    while start < header.count, header[start] &- 0x30 > 9 { start += 1 }
    var text: [UInt8] = []
    // A flight's number follows after a comma.
    for index in start..<header.count where text.count < 9 {
      if header[index] == UInt8(ascii: ",") { break }
      if header[index] &- 0x30 <= 9 { text.append(header[index]) }
    }
    func number(_ range: Range<Int>) -> Int {
      Int(digits(text.span, range) ?? 0)
    }
    let date: CivilDate
    switch text.count {
    case 6:
      // The first recorders were approved in 1995.
      let year = number(4..<6)
      date = CivilDate(
        year: year + (year >= 80 ? 1900 : 2000), month: number(2..<4), day: number(0..<2))
    case 8:
      let isDayFirst = number(2..<4) <= 12 && number(4..<8) >= 1980
      date =
        isDayFirst
        ? CivilDate(year: number(4..<8), month: number(2..<4), day: number(0..<2))
        : CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    default: return nil
    }
    return date.isValid && date.year >= 1980 ? date : nil
  }

  /// Parses `I`, a count, and for each extension its first and last byte, from 1, and its code.
  private mutating func takeExtensions(_ line: Span<UInt8>) {
    guard let count = Self.digits(line, 1..<3) else { return }
    extensions = Extensions()
    for index in 0..<Int(count) {
      let start = 3 + 7 * index
      guard let first = Self.digits(line, start..<(start + 2)),
        let last = Self.digits(line, (start + 2)..<(start + 4)), first > 0, last >= first,
        line.count >= start + 7
      else { return }
      let range = Int(first - 1)..<Int(last)
      let code = line.extracting((start + 4)..<(start + 7))
      if code.equals("FXA") { extensions.accuracy = range }
      if code.equals("LAD") { extensions.latitude = range }
      if code.equals("LOD") { extensions.longitude = range }
      if code.equals("TDS") { extensions.time = range }
    }
  }

  // MARK: Fixes

  /// Parses `B`, hhmmss, ddmmmmm, N or S, dddmmmmm, E or W, A or V, and altitudes.
  private mutating func takeFix(_ line: Span<UInt8>, _ number: Int, into batch: inout FixBatch) {
    guard line.count >= 24 else {
      return batch.reject(.malformed, line: number, detail: "the B record is too short")
    }
    guard let latitude = degrees(line, 7..<9, "N", "S", extensions.latitude),
      let longitude = degrees(line, 15..<18, "E", "W", extensions.longitude)
    else { return batch.reject(.coordinate, line: number, detail: "the B record has no position") }
    var fix = Fix(coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
    guard fix.coordinate.isValid else { return batch.reject(.coordinate, line: number) }
    if line.count > 24, line[24] == UInt8(ascii: "V"), let lastFix,
      lastFix.coordinate == fix.coordinate
    {
      return batch.reject(.void, line: number, detail: "the receiver has lost its position")
    }
    if let timeOfDay = timeOfDay(line) {
      fix.timeMilliseconds = date(timeOfDay)
      if fix.timeMilliseconds == nil { lacksDate = true }
    } else {
      batch.reject(.time, line: number, detail: "invalid time; the fix is kept without a time")
    }
    if let range = extensions.accuracy, let accuracy = Self.digits(line, range), accuracy > 0 {
      fix.setAccuracy(Double(accuracy))
    }
    fix.trackIndex = trackIndex
    fix.segmentIndex = trackIndex
    hasFixes = true
    lastFix = fix
    batch.append(fix, line: number)
  }

  /// Dates a time of day, and notices when midnight has passed.
  private mutating func date(_ timeOfDay: Int64) -> Int64? {
    let half = Self.millisecondsPerDay / 2
    if let last = lastTimeOfDay, timeOfDay < last - half {
      timeOfDayBeforeMidnight = last
      dayMilliseconds = dayMilliseconds.map { $0 + Self.millisecondsPerDay }
    } else if let last = lastTimeOfDay, let before = timeOfDayBeforeMidnight,
      timeOfDay > last + half, timeOfDay >= before
    {
      // It was not midnight: the times return to where they were.
      timeOfDayBeforeMidnight = nil
      dayMilliseconds = dayMilliseconds.map { $0 - Self.millisecondsPerDay }
    }
    lastTimeOfDay = timeOfDay
    return dayMilliseconds.map { $0 + timeOfDay }
  }

  /// The time of a `B` record in milliseconds since midnight; nil if it is not one.
  private func timeOfDay(_ line: Span<UInt8>) -> Int64? {
    guard let hours = Self.digits(line, 1..<3), let minutes = Self.digits(line, 3..<5),
      let seconds = Self.digits(line, 5..<7), hours < 24, minutes < 60, seconds <= 60
    else { return nil }
    var milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000
    if let range = extensions.time, 1...3 ~= range.count, let part = Self.digits(line, range) {
      milliseconds += part * [0, 100, 10, 1][range.count]
    }
    return milliseconds
  }

  /// Parses degrees, minutes in thousandths and the hemisphere; `moreDigits` extends the minutes.
  private func degrees(
    _ line: Span<UInt8>, _ range: Range<Int>, _ positive: Unicode.Scalar,
    _ negative: Unicode.Scalar, _ moreDigits: Range<Int>?
  ) -> Double? {
    let end = range.upperBound
    guard let degrees = Self.digits(line, range),
      let thousandths = Self.digits(line, end..<(end + 5)), thousandths < 60_000
    else { return nil }
    let letter = line[end + 5]
    guard letter == UInt8(ascii: positive) || letter == UInt8(ascii: negative) else { return nil }
    // Uses integers until the one division, so that it rounds only once.
    var parts = degrees * 60_000 + thousandths
    var unit: Int64 = 60_000
    if let moreDigits, let more = Self.digits(line, moreDigits) {
      for _ in 0..<min(6, moreDigits.count) {
        parts *= 10
        unit *= 10
      }
      parts += moreDigits.count <= 6 ? more : 0
    }
    let value = Double(parts) / Double(unit)
    return letter == UInt8(ascii: negative) ? -value : value
  }

  /// Parses an unsigned integer; nil if the line is too short.
  private static func digits(_ line: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    guard range.upperBound <= line.count, 1...9 ~= range.count else { return nil }
    var value: Int64 = 0
    for index in range {
      let digit = line[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value * 10 + Int64(digit)
    }
    return value
  }
}
