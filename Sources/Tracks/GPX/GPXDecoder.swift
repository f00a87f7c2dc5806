public import FencepostFixes
import FencepostFormats

/// Decodes GPX 1.0 and 1.1.
///
/// The path consists of the track points of all `trk` and `trkseg`; without any, of the route points;
/// without those too, of the waypoints in file order, as in files for simulators. Elements are recognised by
/// their place and local name, in any namespace or none; `extensions` and all other elements are ignored with
/// everything in them. A point's `lat`, `lon`, `time`, and GPX 1.0's `speed` and `course` are read. The accuracy
/// stays unknown, because a dilution of precision is not a distance. A `trk` or `trkseg` without a fix gets
/// no number.
///
/// A point whose position is missing, not a number or out of range is rejected
/// (`Rejection.Reason.coordinate`). One with an unreadable time is kept without it and counted as
/// `Rejection.Reason.time`. XML that is not well-formed ends the decoding with a ``DecodeError`` after
/// all points before the fault. Entities are never expanded or fetched; a document type that declares
/// one is refused.
///
/// libxml2 reads the structure of the file. A shortcut withholds runs of track points in the usual form from
/// it, which `GPXPointScanner` reads with the same result five times as fast.
///
/// Memory is bounded: at most 524,288 route points and waypoints are held back until the kind of the path is
/// known.
public struct GPXDecoder: FixDecoder, ~Copyable {
  /// The most bytes of a point that is withheld from libxml2.
  private static var maximumPointBytes: Int { 4096 }
  /// How many of the first bytes are kept to determine the encoding.
  private static var headBytes: Int { 256 }

  private var tree = GPXTreeReader()
  private var points = GPXPointScanner()
  /// Whether to look for runs of points.
  private var usesPointScanner: Bool
  /// Whether libxml2 has read everything up to a place between the points of a `trkseg`, and what follows is
  /// withheld from it.
  private var isAmongPoints = false
  /// Whether the next tag begins a point that `GPXPointScanner` cannot read.
  private var isRefused = false
  /// The white space that replaces what was withheld, so that libxml2 counts lines and columns right.
  private var withheld = (lines: 0, columns: 0)
  /// The line of the next byte, from 1.
  private var line = 1
  private var head: [UInt8] = []
  /// Whether the file is in UTF-8, once `head` has told it.
  private var isASCIISuperset: Bool?
  /// The beginning of an incomplete tag or point.
  private var carried = CarriedBytes()

  /// How many points were read without libxml2.
  public private(set) var plainPointCount = 0

  /// Makes a decoder at the beginning of a file.
  public init() { usesPointScanner = true }

  /// Makes a decoder that can leave everything to libxml2, for comparison.
  public init(usesOnlyLibXML2: Bool) { usesPointScanner = !usesOnlyLibXML2 }

  /// Takes the next bytes of the file and appends what they complete to `batch`.
  ///
  /// - Throws: ``DecodeError`` with the line of the fault; everything before it is in `batch`.
  public mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    guard usesPointScanner else { return try tree.decode(bytes, into: &batch) }
    if head.count < Self.headBytes {
      head.append(contentsOf: bytes.extracting(first: min(bytes.count, Self.headBytes)))
    }
    // Moved out of `self`, since the closure changes `self`.
    var carried = CarriedBytes()
    swap(&carried, &self.carried)
    defer { swap(&carried, &self.carried) }
    try carried.feed(bytes, lookAhead: Self.maximumPointBytes) {
      (bytes, goal) throws(DecodeError) in
      try read(bytes, goal: goal, into: &batch)
    }
  }

  /// Ends the file and appends what was still held back to `batch`.
  ///
  /// - Throws: ``DecodeError`` if it ends too early.
  public mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    if isAmongPoints { try leavePoints(into: &batch) }
    let rest = carried.removeAll()
    try tree.decode(rest.span, into: &batch)
    try tree.finish(into: &batch)
  }

  /// Reads points and markup in turn, at least up to a goal.
  ///
  /// - Returns: How many bytes were read; the rest is incomplete.
  private mutating func read(
    _ bytes: Span<UInt8>, goal: Int, into batch: inout FixBatch
  ) throws(DecodeError) -> Int {
    guard usesPointScanner else {
      try tree.decode(bytes, into: &batch)
      return bytes.count
    }
    return try ByteCursor.reading(bytes) { (cursor) throws(DecodeError) in
      var isComplete = true
      let isPlain = cursor.isPlainXML(0..<cursor.count)
      while cursor.index < goal, isComplete {
        isComplete =
          try isAmongPoints
          ? readPoints(&cursor, isPlain: isPlain, into: &batch) : readMarkup(&cursor, into: &batch)
      }
      return cursor.index
    }
  }
}

// MARK: Points

extension GPXDecoder {
  /// Reads points in the usual form; false if more bytes are needed to recognise what follows them.
  private mutating func readPoints(
    _ cursor: inout ByteCursor, isPlain: Bool, into batch: inout FixBatch
  ) throws(DecodeError) -> Bool {
    let (first, firstLine) = (cursor.index, line)
    while true {
      let start = cursor.index
      _ = cursor.skipXMLWhiteSpace()
      let tag = cursor.index
      guard let point = points.scan(&cursor), isPlain || cursor.isPlainXML(tag..<cursor.index)
      else {
        cursor.index = start
        break
      }
      line += cursor.lineFeeds(in: start..<cursor.index)
      plainPointCount += 1
      try tree.assembler.add(point, faults: nil, line: line, into: &batch)
    }
    withhold(cursor, from: first, lines: line - firstLine)
    guard cursor.endsPoint(limit: Self.maximumPointBytes) else { return false }
    try leavePoints(into: &batch)
    return true
  }

  /// Withholds the bytes from a start to the cursor from libxml2.
  private mutating func withhold(_ cursor: ByteCursor, from start: Int, lines: Int) {
    var lineStart = start
    if lines > 0 {
      withheld = (lines: withheld.lines + lines, columns: 0)
      lineStart = cursor.index
      while cursor[lineStart - 1] != UInt8(ascii: "\n") { lineStart -= 1 }
    }
    withheld.columns += cursor.index - lineStart
  }

  /// Gives libxml2 white space in place of what was withheld, and a tag that ends where the last point did.
  private mutating func leavePoints(into batch: inout FixBatch) throws(DecodeError) {
    isAmongPoints = false
    isRefused = true
    guard withheld != (0, 0) else { return }
    let tag = Array("<x/>".utf8)
    let (lines, columns) = withheld
    withheld = (0, 0)
    try feed(UInt8(ascii: "\n"), count: lines, into: &batch)
    // The last line of a point is longer than the tag.
    try feed(UInt8(ascii: " "), count: columns - tag.count, into: &batch)
    try tree.decode(tag.span, into: &batch)
  }

  /// Gives libxml2 a byte many times.
  private mutating func feed(
    _ byte: UInt8, count: Int, into batch: inout FixBatch
  ) throws(DecodeError) {
    let block = [UInt8](repeating: byte, count: min(count, 16 * 1024))
    for start in stride(from: 0, to: count, by: 16 * 1024) {
      try tree.decode(block.span.extracting(first: min(block.count, count - start)), into: &batch)
    }
  }
}

extension ByteCursor {
  /// Whether the remaining bytes suffice to see that they do not begin with a point in the usual form.
  fileprivate func endsPoint(limit: Int) -> Bool {
    guard count - index < limit else { return true }
    var cursor = self
    _ = cursor.skipXMLWhiteSpace()
    guard count - cursor.index >= 7 else { return false }
    guard cursor.skip(literal: "<trkpt") else { return true }
    cursor.skip(to: ">")
    guard !cursor.isAtEnd else { return false }
    guard cursor[cursor.index - 1] != UInt8(ascii: "/") else { return true }
    while !cursor.isAtEnd {
      cursor.skip(to: "<")
      if cursor.skip(literal: "</trkpt>") { return true }
      cursor.index += 1
    }
    return false
  }
}

// MARK: Markup

extension GPXDecoder {
  /// Gives libxml2 everything before a point that may begin a run; false if more bytes are needed.
  private mutating func readMarkup(
    _ cursor: inout ByteCursor, into batch: inout FixBatch
  ) throws(DecodeError) -> Bool {
    let start = cursor.index
    while true {
      cursor.skip(to: "<")
      let tag = cursor.index
      // Enough to recognise `<trkpt ` and `<!--`.
      guard cursor.count - tag >= 7 else {
        try feed(cursor, start..<tag, into: &batch)
        return tag == cursor.count
      }
      if cursor[tag + 1] == UInt8(ascii: "!") || cursor[tag + 1] == UInt8(ascii: "?") {
        isRefused = false
        if cursor.skipCommentOrInstruction() { continue }
        cursor.index = tag
        let isLong = cursor.count - tag >= Self.maximumPointBytes
        if isLong {
          // A document type can change the meaning of tags, and in CDATA they have none. libxml2 reports a
          // fault in a comment differently if a slice ends within it.
          usesPointScanner = false
          cursor.index = cursor.count
        }
        try feed(cursor, start..<cursor.index, into: &batch)
        return isLong
      }
      let isCandidate =
        !isRefused && cursor.skip(literal: "<trkpt") && isXMLWhiteSpace(cursor.next)
      isRefused = false
      cursor.index = tag
      if isCandidate, isInUTF8() {
        try feed(cursor, start..<tag, into: &batch)
        isAmongPoints = try tree.isAmongPoints(into: &batch)
        isRefused = !isAmongPoints
        return true
      }
      cursor.index += 1
    }
  }

  private mutating func feed(
    _ cursor: ByteCursor, _ range: Range<Int>, into batch: inout FixBatch
  ) throws(DecodeError) {
    line += cursor.lineFeeds(in: range)
    var failure: DecodeError?
    cursor.withSpan(range) { bytes in
      do throws(DecodeError) {
        try tree.decode(bytes, into: &batch)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Whether the file is in UTF-8; asked of its first bytes once.
  private mutating func isInUTF8() -> Bool {
    if let isASCIISuperset { return isASCIISuperset }
    let answer = Self.isASCIISuperset(head)
    if head.count >= Self.headBytes { isASCIISuperset = answer }
    return answer
  }

  /// Whether a file is in UTF-8, judging by its first bytes.
  private static func isASCIISuperset(_ head: [UInt8]) -> Bool {
    var text = String(decoding: head, as: UTF8.self).lowercased()[...]
    if text.first == "\u{FEFF}" { text.removeFirst() }
    guard text.hasPrefix("<?xml") else {
      // In UTF-16 and UTF-32, a zero is next to the first character.
      return text.drop { " \t\r\n".unicodeScalars.contains($0.unicodeScalars.first ?? "<") }
        .hasPrefix("<") && !text.contains("\0")
    }
    guard let end = text.firstRange(of: "?>") else { return false }
    let declaration = text[..<end.lowerBound]
    return !declaration.contains("encoding") || declaration.contains("\"utf-8\"")
      || declaration.contains("'utf-8'")
  }
}
