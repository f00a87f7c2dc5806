import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostTime

/// Decodes IGC, the flight recordings of gliders, paragliders and their apps (FAI technical specification, appendix A).
///
/// A `B` record is a fix, also one that is marked `V` (the receiver had no altitude, or no position); of those in a row at one
/// position, which mean that the receiver had none, the first counts. The day is that of `HFDTE`, and the next one
/// when the time of day goes back by more than twelve hours, until it goes on as before. A date that is repeated changes
/// nothing. `I` records are read for more digits of position and time, and for
/// the accuracy (`FXA`).
struct IGCDecoder: LineDecoder, Sendable {
  /// Where an `I` record says that an extension is in each `B` record.
  private struct Extensions {
    var accuracy: Range<Int>?
    var latitude: Range<Int>?
    var longitude: Range<Int>?
    var time: Range<Int>?
  }

  private static var millisecondsPerDay: Int64 { 86_400_000 }
  /// The most bytes of a line; the specification allows 76.
  private static var maximumLineBytes: Int { 4096 }

  var scanner = LineScanner(maximumLineBytes: IGCDecoder.maximumLineBytes)
  private var extensions = Extensions()
  private var dayMilliseconds: Int64?
  /// The day that the flight's last date stated.
  private var statedDayMilliseconds: Int64?
  private var lastTimeOfDay: Int64?
  /// The last time of day before midnight passed.
  private var timeOfDayBeforeMidnight: Int64?
  private var trackIndex: Int32 = 0
  private var hasFixes = false
  private var lastFix: Fix?
  private var lacksDate = false

  /// Makes a decoder.
  ///
  /// - Parameter startDay: The day of the first fix in days since 1970, for files that do not state it.
  init(startDay: Int32? = nil) {
    dayMilliseconds = startDay.map { Int64($0) * Self.millisecondsPerDay }
  }

  /// That the file states no date, if so.
  var notices: [String] {
    lacksDate ? ["it states no date (HFDTE), so its fixes have no times; --date gives one"] : []
  }

  /// Whether text is IGC: a record `A` of the recorder first, then its date.
  ///
  /// - Returns: Nil if more bytes are needed.
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
      // The second letter says who stated it: F the recorder, O the observer, P the pilot.
      if text[start] == UInt8(ascii: "H"), text.extracting((start + 2)..<(start + 5)).equals("DTE")
      {
        return true
      }
    }
    return nil
  }

  /// Whether a record `A` names a recorder by its code.
  private static func isRecorder(_ line: Span<UInt8>) -> Bool {
    line.count >= 4 && (1..<4).allSatisfy { isCodeByte(line[$0]) }
  }

  private static func isCodeByte(_ byte: UInt8) -> Bool {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
  }

  mutating func take(
    _ whole: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) {
    // Serial lines leave flow control (XON, XOFF) in front of records.
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
    default: batch.reject(.malformed, line: position.number, detail: "no IGC record")
    }
  }

  /// Another recording may follow in the same file.
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

  private mutating func takeHeader(_ line: Span<UInt8>, _ number: Int, into batch: inout FixBatch) {
    guard line.count >= 5, line.extracting(2..<5).equals("DTE") else { return }
    var start = 5
    while start < line.count, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= line[start]) { start += 1 }
    guard let day = Self.digits(line, start..<(start + 2)),
      let month = Self.digits(line, (start + 2)..<(start + 4)),
      let year = Self.digits(line, (start + 4)..<(start + 6))
    else { return batch.reject(.time, line: number, detail: "the date is none") }
    // The first recorders were approved in 1995.
    let date = CivilDate(
      year: Int(year) + (year >= 80 ? 1900 : 2000), month: Int(month), day: Int(day))
    guard date.isValid else { return batch.reject(.time, line: number, detail: "the date is none") }
    let stated = Int64(date.daysSince1970) * Self.millisecondsPerDay
    // Repeated after midnight, it is still the day of the flight's beginning.
    guard stated != statedDayMilliseconds else { return }
    statedDayMilliseconds = stated
    dayMilliseconds = stated
    (lastTimeOfDay, timeOfDayBeforeMidnight) = (nil, nil)
  }

  /// `I`, how many, and for each the first and last byte, from 1, and the code.
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

  /// `B`, hhmmss, ddmmmmm and N or S, dddmmmmm and E or W, A or V, and altitudes.
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
      batch.reject(.time, line: number, detail: "the time is none; the fix is kept without it")
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

  private mutating func date(_ timeOfDay: Int64) -> Int64? {
    let half = Self.millisecondsPerDay / 2
    if let last = lastTimeOfDay, timeOfDay < last - half {
      timeOfDayBeforeMidnight = last
      dayMilliseconds = dayMilliseconds.map { $0 + Self.millisecondsPerDay }
    } else if let last = lastTimeOfDay, let before = timeOfDayBeforeMidnight,
      timeOfDay > last + half, timeOfDay >= before
    {
      // It was not midnight: the records go on where they were.
      timeOfDayBeforeMidnight = nil
      dayMilliseconds = dayMilliseconds.map { $0 - Self.millisecondsPerDay }
    }
    lastTimeOfDay = timeOfDay
    return dayMilliseconds.map { $0 + timeOfDay }
  }

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

  /// Degrees, minutes in thousandths, the hemisphere, and more digits of the minutes elsewhere in the record.
  private func degrees(
    _ line: Span<UInt8>, _ range: Range<Int>, _ positive: Unicode.Scalar,
    _ negative: Unicode.Scalar,
    _ moreDigits: Range<Int>?
  ) -> Double? {
    let end = range.upperBound
    guard let degrees = Self.digits(line, range),
      let thousandths = Self.digits(line, end..<(end + 5)),
      thousandths < 60_000
    else { return nil }
    let letter = line[end + 5]
    guard letter == UInt8(ascii: positive) || letter == UInt8(ascii: negative) else { return nil }
    // Whole numbers until the one division, which rounds once.
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

  /// A number of digits only; nil if the line is too short.
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
