import FencepostFormats

/// The fast GPX decoder: reads the plain form of XML that nearly all recordings have, and says
/// where it ends.
///
/// It goes by units: the beginning up to the root's start tag, a whole point, a tag, a comment, text
/// up to the next `<`. A unit is taken whole or not at all, so that between two of them the state
/// is the open elements alone, and ``GPXTreeReader`` can go on there. What it takes, the tree
/// reader would take with the same result; whatever it does not know it does not take.
struct GPXScanner: Sendable {
  /// Why a scan stopped.
  enum Stop {
    /// All units up to the wanted place are taken.
    case reached
    /// The bytes end within a unit.
    case incomplete
    /// The unit is for the tree reader.
    case unusual
  }

  private enum Phase {
    case beginning, content, epilog
  }

  /// What has been assembled of the units taken.
  var assembler = GPXAssembler()
  private var phase = Phase.beginning
  private var points = GPXPointScanner()
  private var tag = GPXTag()
  /// The open elements from the root on.
  private var elements: [GPXElement] = []
  /// The names of the open elements, one after the other, and where each ends.
  private var names: [UInt8] = []
  private var nameEnds: [Int] = []
  /// The lines where the start tags of the open elements end.
  private(set) var openLines: [Int] = []
  /// The root's start tag on one line, or as much as is needed of it.
  private var rootTag: [UInt8] = []

  /// The line of the byte at `lineIndex`, from 1.
  private(set) var line = 1
  /// The column, in characters from 1, of the byte after the last unit taken.
  private(set) var column = 1
  private var lineIndex = 0

  /// Takes units from an index on.
  ///
  /// - Parameters:
  ///   - bytes: The bytes; the first one is the one after the last unit taken.
  ///   - goal: No unit is begun at or after this index.
  ///   - batch: Receives the fixes and rejections.
  /// - Returns: Why it stopped, and the index after the last unit taken.
  /// - Throws: `DecodeError` when too many points would have to be held back.
  mutating func scan(
    _ bytes: GPXBytes, goal: Int, into batch: inout FixBatch
  ) throws(DecodeError) -> (stop: Stop, index: Int) {
    var index = 0
    lineIndex = 0
    while index < goal {
      let scan = try scanUnit(bytes, at: index, into: &batch)
      guard case .complete(let end) = scan else {
        settle(bytes, at: index)
        if case .incomplete = scan { return (.incomplete, index) }
        return (.unusual, index)
      }
      index = end
    }
    settle(bytes, at: index)
    return (.reached, index)
  }

  /// Whether the file may end here.
  var isComplete: Bool { phase == .epilog }

  /// Tags on one line that open what is open, for the tree reader, and how many these are; nil
  /// where nothing of the file has been taken.
  var prefix: (tags: [UInt8], count: Int)? {
    guard phase != .beginning else { return nil }
    var tags = rootTag
    var start = nameEnds.first ?? 0
    for end in nameEnds.dropFirst() {
      tags.append(UInt8(ascii: "<"))
      tags += names[start..<end]
      tags.append(UInt8(ascii: ">"))
      start = end
    }
    guard phase == .epilog else { return (tags, nameEnds.count) }
    return (tags + Array("</gpx>".utf8), 2)
  }

  // MARK: Units

  @inline(__always)
  private mutating func scanUnit(
    _ bytes: GPXBytes, at index: Int, into batch: inout FixBatch
  ) throws(DecodeError) -> GPXScan {
    switch phase {
    case .beginning: return scanBeginning(bytes, at: index)
    case .epilog: return scanEpilog(bytes, at: index)
    case .content: break
    }
    guard bytes[index] == UInt8(ascii: "<") else { return scanText(bytes, at: index) }
    if elements.last == .segment, bytes.has(.trackPoint, at: index) {
      return try scanPoint(
        bytes, at: index, name: (index + 1)..<(index + 6), kind: .track, into: &batch)
    }
    return try scanMarkup(bytes, at: index, into: &batch)
  }

  private func scanText(_ bytes: GPXBytes, at index: Int) -> GPXScan {
    let end = bytes.nextTag(from: index)
    guard end < bytes.count else { return .incomplete }
    return bytes.isPlainText(index..<end) ? .complete(end) : .unusual
  }

  @inline(__always)
  private mutating func scanPoint(
    _ bytes: GPXBytes, at index: Int, name: Range<Int>, kind: GPXPointKind,
    into batch: inout FixBatch
  ) throws(DecodeError) -> GPXScan {
    let scan = points.scan(bytes, at: index, name: name, kind: kind)
    guard case .complete(let end) = scan else { return scan }
    if points.faults != nil {
      countLines(bytes, upTo: points.startTagEnd)
      let startLine = line
      if let time = points.faultyTime { countLines(bytes, upTo: time.upperBound) }
      points.setLines(start: startLine, time: line)
    }
    countLines(bytes, upTo: end)
    try assembler.add(points.point, faults: points.faults, line: line, into: &batch)
    return scan
  }

  private mutating func scanMarkup(
    _ bytes: GPXBytes, at index: Int, into batch: inout FixBatch
  ) throws(DecodeError) -> GPXScan {
    guard index + 4 <= bytes.count else { return .incomplete }
    switch bytes[index + 1] {
    case UInt8(ascii: "/"): return scanEndTag(bytes, at: index)
    case UInt8(ascii: "!"):
      return bytes.matches("<!--", at: index) ? bytes.scanComment(at: index) : .unusual
    default: break
    }
    let scan = tag.scan(bytes, at: index)
    guard case .complete(let end) = scan, let parent = elements.last else { return scan }
    let element = bytes.withSpan(tag.localName) { parent.child($0) }
    if element != .other, tag.colon != nil || tag.declaresNamespace { return .unusual }
    if element == .point {
      return try scanPoint(bytes, at: index, name: tag.name, kind: parent.pointKind, into: &batch)
    }
    guard elements.count < 64 else { return .unusual }
    if element == .track || element == .route { assembler.beginTrack() }
    if element == .segment { assembler.beginSegment() }
    if !tag.isEmpty {
      countLines(bytes, upTo: end)
      push(element, bytes, tag.name)
    }
    return .complete(end)
  }

  private mutating func scanEndTag(_ bytes: GPXBytes, at index: Int) -> GPXScan {
    let nameEnd = nameEnds.last ?? 0
    let nameStart = nameEnds.count > 1 ? nameEnds[nameEnds.count - 2] : 0
    let length = nameEnd - nameStart
    let end = index + 2 + length
    guard end < bytes.count else { return .incomplete }
    guard bytes[end] == UInt8(ascii: ">") else { return .unusual }
    for offset in 0..<length where names[nameStart + offset] != bytes[index + 2 + offset] {
      return .unusual
    }
    names.removeLast(length)
    nameEnds.removeLast()
    openLines.removeLast()
    elements.removeLast()
    if elements.isEmpty { phase = .epilog }
    return .complete(end + 1)
  }

  private mutating func push(_ element: GPXElement, _ bytes: GPXBytes, _ name: Range<Int>) {
    elements.append(element)
    for index in name { names.append(bytes[index]) }
    nameEnds.append(names.count)
    openLines.append(line)
  }

  // MARK: Beginning and end

  /// Takes a byte order mark, the XML declaration, comments and the root's start tag as one unit.
  private mutating func scanBeginning(_ bytes: GPXBytes, at start: Int) -> GPXScan {
    var index = start
    if bytes[index] == 0xEF {
      guard index + 3 <= bytes.count else { return .incomplete }
      guard bytes.matches("\u{FEFF}", at: index) else { return .unusual }
      index += 3
      // The mark takes no column.
      column = 0
    }
    switch XMLDeclaration.scan(bytes, at: index) {
    case .complete(let end): index = end
    case .incomplete: return .incomplete
    case .unusual: return .unusual
    }
    while true {
      index = bytes.skipWhiteSpace(from: index)
      guard index + 4 <= bytes.count else { return .incomplete }
      guard bytes.matches("<!--", at: index) else { break }
      guard case .complete(let end) = bytes.scanComment(at: index) else {
        return bytes.scanComment(at: index)
      }
      index = end
    }
    return scanRoot(bytes, at: index)
  }

  private mutating func scanRoot(_ bytes: GPXBytes, at index: Int) -> GPXScan {
    guard bytes[index] == UInt8(ascii: "<") else { return .unusual }
    let scan = tag.scan(bytes, at: index)
    guard case .complete(let end) = scan else { return scan }
    guard !tag.isEmpty, tag.colon == nil, bytes.withSpan(tag.name, { $0.equals("gpx") }) else {
      return .unusual
    }
    countLines(bytes, upTo: end)
    push(.gpx, bytes, tag.name)
    // A line end within a tag means no more than a space.
    rootTag = bytes.copy(index..<end).map { isXMLWhiteSpace($0) ? 0x20 : $0 }
    phase = .content
    return scan
  }

  private func scanEpilog(_ bytes: GPXBytes, at start: Int) -> GPXScan {
    let index = bytes.skipWhiteSpace(from: start)
    if index > start { return .complete(index) }
    guard index + 4 <= bytes.count else { return .incomplete }
    return bytes.matches("<!--", at: index) ? bytes.scanComment(at: index) : .unusual
  }

  // MARK: Lines

  /// Brings line and column to an index at which the scan stops.
  private mutating func settle(_ bytes: GPXBytes, at index: Int) {
    countLines(bytes, upTo: index)
    let lineStart = bytes.lastLineFeed(before: index).map { $0 + 1 }
    column = (lineStart == nil ? column : 1) + bytes.characters(in: (lineStart ?? 0)..<index)
  }

  @inline(__always)
  private mutating func countLines(_ bytes: GPXBytes, upTo index: Int) {
    line += bytes.lineFeeds(in: lineIndex..<index)
    lineIndex = index
  }
}
