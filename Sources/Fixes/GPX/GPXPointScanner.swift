import FencepostFormats

/// Reads one point element of GPX's plain form from its `<` to the `>` of its end tag.
///
/// It knows no more of XML than it must, and says `unusual` to everything else; what it accepts,
/// the full XML reader accepts with the same result.
struct GPXPointScanner: Sendable {
  /// The point that was read last.
  private(set) var point = GPXPoint()
  /// What is wrong with it, or nil.
  private(set) var faults: GPXFaults?
  private var clock = DayClock()
  private var latitude = 0..<0
  private var longitude = 0..<0
  /// The text that should be a time and is none, or nil.
  private(set) var faultyTime: Range<Int>?
  /// The index after the start tag.
  private(set) var startTagEnd = 0
  /// The names of the open elements within a child that is passed.
  private var open: [Range<Int>] = []
  private var seen: (time: Bool, speed: Bool, course: Bool) = (false, false, false)

  /// Reads the element.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that hold it.
  ///   - start: The index of its `<`.
  ///   - name: The range of its name, which is known already.
  ///   - kind: What kind of point it is.
  /// - Returns: The index after the element, where it is complete and plain.
  @inline(__always)
  mutating func scan(
    _ bytes: GPXBytes, at start: Int, name: Range<Int>, kind: GPXPointKind
  ) -> GPXScan {
    point = GPXPoint()
    point.kind = kind
    latitude = 0..<0
    longitude = 0..<0
    faultyTime = nil
    if faults != nil { faults = nil }
    seen = (false, false, false)
    switch scanStartTag(bytes, from: name.upperBound) {
    case .complete(let end) where bytes[end - 2] == UInt8(ascii: "/"):
      startTagEnd = end
      finishPosition(bytes)
      return .complete(end)
    case .complete(let end):
      startTagEnd = end
      finishPosition(bytes)
      return scanChildren(bytes, from: end, name: name, kind: kind)
    case .incomplete: return .incomplete
    case .unusual: return .unusual
    }
  }

  // MARK: The start tag

  /// Reads the attributes, to the index after `>`.
  @inline(__always)
  private mutating func scanStartTag(_ bytes: GPXBytes, from start: Int) -> GPXScan {
    if let end = scanUsualStartTag(bytes, from: start) { return .complete(end) }
    return scanAnyStartTag(bytes, from: start)
  }

  /// Reads ` lat="…" lon="…">`; the index behind it, nil, without a step, where it stands not so.
  @inline(__always)
  private mutating func scanUsualStartTag(_ bytes: GPXBytes, from start: Int) -> Int? {
    guard bytes.has(.latitude, at: start),
      let north = PlainDecimal.scan(bytes.chunk, from: start + 6),
      bytes.has(.longitude, at: north.end),
      let east = PlainDecimal.scan(bytes.chunk, from: north.end + 7),
      east.end + 1 < bytes.count, bytes[east.end] == UInt8(ascii: "\""),
      bytes[east.end + 1] == UInt8(ascii: ">")
    else { return nil }
    latitude = (start + 6)..<north.end
    longitude = (north.end + 7)..<east.end
    point.latitudeDegrees = north.value
    point.longitudeDegrees = east.value
    return east.end + 2
  }

  /// Reads `lat="…" lon="…"` in any order, to the index after `>`.
  private mutating func scanAnyStartTag(_ bytes: GPXBytes, from start: Int) -> GPXScan {
    var index = start
    while true {
      let next = bytes.skipWhiteSpace(from: index)
      // The longest thing that is looked at in one go is `lat="`.
      guard next + 5 <= bytes.count else { return .incomplete }
      let byte = bytes[next]
      if byte == UInt8(ascii: ">") { return .complete(next + 1) }
      if byte == UInt8(ascii: "/") {
        return bytes[next + 1] == UInt8(ascii: ">") ? .complete(next + 2) : .unusual
      }
      guard next > index, byte == UInt8(ascii: "l"), bytes[next + 3] == UInt8(ascii: "=") else {
        return .unusual
      }
      let quote = bytes[next + 4]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return .unusual }
      let isLatitude = bytes[next + 1] == UInt8(ascii: "a") && bytes[next + 2] == UInt8(ascii: "t")
      let isLongitude = bytes[next + 1] == UInt8(ascii: "o") && bytes[next + 2] == UInt8(ascii: "n")
      guard isLatitude ? latitude.isEmpty : isLongitude && longitude.isEmpty else {
        return .unusual
      }
      var degrees = Double.nan
      guard let end = scanValue(bytes, from: next + 5, quote: quote, &degrees) else {
        return .incomplete
      }
      guard end >= 0 else { return .unusual }
      if isLatitude {
        latitude = (next + 5)..<end
        point.latitudeDegrees = degrees
      } else {
        longitude = (next + 5)..<end
        point.longitudeDegrees = degrees
      }
      index = end + 1
    }
  }

  /// Reads a coordinate up to its closing quote.
  ///
  /// - Returns: The index of the quote; `-1` where the value is unusual, nil where it does not end.
  @inline(__always)
  private func scanValue(
    _ bytes: GPXBytes, from start: Int, quote: UInt8, _ degrees: inout Double
  ) -> Int? {
    if let number = PlainDecimal.scan(bytes.chunk, from: start), number.end < bytes.count,
      bytes[number.end] == quote
    {
      degrees = number.value
      return number.end
    }
    return scanLongValue(bytes, from: start, quote: quote, &degrees)
  }

  @inline(never)
  private func scanLongValue(
    _ bytes: GPXBytes, from start: Int, quote: UInt8, _ degrees: inout Double
  ) -> Int? {
    let limit = min(bytes.count, start + 100)
    var index = start
    while index < limit, bytes[index] != quote {
      if bytes[index] == UInt8(ascii: "<") { return -1 }
      index += 1
    }
    guard index < limit else { return limit == bytes.count ? nil : -1 }
    // An empty value would look like a missing attribute here.
    guard index > start, bytes.isLiteral(start..<index) else { return -1 }
    degrees = bytes.withSpan(start..<index) { text in
      DecimalNumber.double(parsing: text.extracting(text.trimmedRange)) ?? .nan
    }
    return index
  }

  @inline(__always)
  private mutating func finishPosition(_ bytes: GPXBytes) {
    if abs(point.latitudeDegrees) <= 90, abs(point.longitudeDegrees) <= 180 { return }
    let detail = point.setPosition(
      latitude: latitude.isEmpty ? nil : bytes.copy(latitude),
      longitude: longitude.isEmpty ? nil : bytes.copy(longitude))
    if let detail { faults = GPXFaults(position: detail) }
  }

  // MARK: The children

  @inline(__always)
  private mutating func scanChildren(
    _ bytes: GPXBytes, from start: Int, name: Range<Int>, kind: GPXPointKind
  ) -> GPXScan {
    var index = start
    while true {
      let isAtTag = index < bytes.count && bytes[index] == UInt8(ascii: "<")
      let tag = isAtTag ? index : bytes.nextTag(from: index)
      // So much follows every child, if only the end tags of the point and the file.
      guard tag + 8 <= bytes.count else { return .incomplete }
      guard bytes.isPlainText(index..<tag) else { return .unusual }
      if kind == .track, bytes.has(.trackPointEnd, at: tag) { return .complete(tag + 8) }
      if bytes[tag + 1] == UInt8(ascii: "/") { return scanEndTag(bytes, at: tag, name: name) }
      let child: GPXScan
      if bytes.has(.elevation, at: tag), let end = skipElevation(bytes, at: tag) {
        child = .complete(end)
      } else if bytes.has(.time, at: tag) {
        child = scanTime(bytes, at: tag)
      } else if let end = skipLeaf(bytes, at: tag) {
        child = .complete(end)
      } else {
        child = scanOther(bytes, at: tag)
      }
      guard case .complete(let end) = child else { return child }
      index = end
    }
  }

  @inline(__always)
  private func scanEndTag(_ bytes: GPXBytes, at tag: Int, name: Range<Int>) -> GPXScan {
    let end = tag + 2 + name.count
    guard end < bytes.count else { return .incomplete }
    guard bytes[end] == UInt8(ascii: ">"),
      bytes.areEqual(tag + 2, name.lowerBound, length: name.count)
    else { return .unusual }
    return .complete(end + 1)
  }

  @inline(__always)
  private mutating func scanTime(_ bytes: GPXBytes, at tag: Int) -> GPXScan {
    let start = tag + 6
    // Nearly all times are of twenty bytes; what can be read as a time has no tag in it.
    if bytes.has(.timeEnd, at: start + 20), !seen.time,
      let milliseconds = bytes.withSpan(start..<start + 20, { clock.milliseconds($0) })
    {
      seen.time = true
      point.rawTimeMilliseconds = milliseconds
      return .complete(start + 27)
    }
    let end = bytes.nextTag(from: start)
    guard end + 8 <= bytes.count else { return .incomplete }
    guard bytes.has(.timeEnd, at: end), end - start <= 128, bytes.isLiteral(start..<end) else {
      return .unusual
    }
    guard !seen.time else { return .complete(end + 7) }
    seen.time = true
    if let milliseconds = bytes.withSpan(start..<end, { clock.milliseconds($0) }) {
      point.rawTimeMilliseconds = milliseconds
    } else {
      readTrimmedTime(bytes, start..<end)
    }
    return .complete(end + 7)
  }

  @inline(never)
  private mutating func readTrimmedTime(_ bytes: GPXBytes, _ range: Range<Int>) {
    let trimmed = bytes.withSpan(range) { $0.trimmedRange }
    guard !trimmed.isEmpty else { return }
    let text = (range.lowerBound + trimmed.lowerBound)..<(range.lowerBound + trimmed.upperBound)
    if let milliseconds = bytes.withSpan(text, { clock.milliseconds($0) }) {
      point.rawTimeMilliseconds = milliseconds
    } else {
      faultyTime = range
      var faults = self.faults ?? GPXFaults()
      faults.time = bytes.withSpan(text) { GPXFaults.quoted($0) }
      self.faults = faults
    }
  }

  /// The index after `<ele>text</ele>`, which most points have; nil where that is not all.
  @inline(__always)
  private func skipElevation(_ bytes: GPXBytes, at tag: Int) -> Int? {
    let end = bytes.nextTag(from: tag + 5)
    guard bytes.has(.elevationEnd, at: end), bytes.isPlainText((tag + 5)..<end) else { return nil }
    return end + 6
  }

  /// The index after `<name>text</name>`, where the name is not that of a field and nothing is
  /// unusual; else nil.
  @inline(__always)
  private func skipLeaf(_ bytes: GPXBytes, at tag: Int) -> Int? {
    let nameEnd = bytes.skipName(from: tag + 1)
    let length = nameEnd - tag - 1
    guard length > 0, length != 5, length != 6, nameEnd < bytes.count,
      bytes[nameEnd] == UInt8(ascii: ">"), bytes[tag + 1] != UInt8(ascii: "t")
    else { return nil }
    let end = bytes.nextTag(from: nameEnd + 1)
    guard end + length + 3 <= bytes.count, bytes[end + 1] == UInt8(ascii: "/"),
      bytes.areEqual(end + 2, tag + 1, length: length),
      bytes[end + 2 + length] == UInt8(ascii: ">"), bytes.isPlainText((nameEnd + 1)..<end)
    else { return nil }
    // A name with a prefix is looked at more closely.
    for index in (tag + 1)..<nameEnd where bytes[index] == UInt8(ascii: ":") { return nil }
    return end + length + 3
  }

  /// Any other child: speed, course, an empty element, one with attributes or elements inside.
  private mutating func scanOther(_ bytes: GPXBytes, at start: Int) -> GPXScan {
    if bytes[start + 1] == UInt8(ascii: "!") {
      guard start + 4 <= bytes.count else { return .incomplete }
      return bytes.matches("<!--", at: start) ? bytes.scanComment(at: start) : .unusual
    }
    var tag = GPXTag()
    guard case .complete(let end) = tag.scan(bytes, at: start) else {
      return tag.scan(bytes, at: start)
    }
    let field = bytes.withSpan(tag.localName) { GPXField($0) }
    guard let field else {
      return tag.isEmpty ? .complete(end) : skipElement(bytes, from: end, name: tag.name)
    }
    guard tag.colon == nil, tag.attributeCount == 0, !tag.isEmpty, field != .time else {
      return .unusual
    }
    return scanField(field, bytes, from: end, name: tag.name)
  }

  private mutating func scanField(
    _ field: GPXField, _ bytes: GPXBytes, from start: Int, name: Range<Int>
  ) -> GPXScan {
    let end = bytes.nextTag(from: start)
    guard end + 1 < bytes.count else { return .incomplete }
    guard bytes[end + 1] == UInt8(ascii: "/"), end - start <= 128, bytes.isLiteral(start..<end)
    else { return .unusual }
    bytes.withSpan(start..<end) { text in
      let number = text.extracting(text.trimmedRange)
      if field == .speed, !seen.speed { point.setSpeed(number) }
      if field == .course, !seen.course { point.setCourse(number) }
    }
    if field == .speed { seen.speed = true } else { seen.course = true }
    return scanEndTag(bytes, at: end, name: name)
  }

  /// Passes all that an element contains, and its end tag.
  private mutating func skipElement(
    _ bytes: GPXBytes, from start: Int, name: Range<Int>
  ) -> GPXScan {
    open.removeAll(keepingCapacity: true)
    open.append(name)
    var index = start
    while let innermost = open.last {
      let next = bytes.nextTag(from: index)
      guard next + 2 < bytes.count else { return .incomplete }
      guard bytes.isPlainText(index..<next), open.count < 64 else { return .unusual }
      var scan: GPXScan
      if bytes[next + 1] == UInt8(ascii: "/") {
        scan = scanEndTag(bytes, at: next, name: innermost)
        open.removeLast()
      } else {
        var tag = GPXTag()
        scan = tag.scan(bytes, at: next)
        if !tag.isEmpty { open.append(tag.name) }
      }
      guard case .complete(let end) = scan else { return scan }
      index = end
    }
    return .complete(index)
  }

  // MARK: Lines

  /// Tells the lines of the faults, for messages.
  mutating func setLines(start: Int, time: Int) {
    faults?.positionLine = start
    faults?.timeLine = time
  }
}
