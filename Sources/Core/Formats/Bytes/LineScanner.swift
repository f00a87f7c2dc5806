/// Where a line is in its source, for messages that name it.
///
/// A ``LineScanner`` passes it on with each line.
package struct LinePosition: Equatable, Sendable {
  /// The line number, from 1.
  package var number: Int
  /// The offset of the line's first byte in the source, from 0.
  package var byteOffset: Int
  /// Whether the line exceeded the limit and lost its end.
  package var isCut: Bool

  /// Creates a position, as tests and readers without a scanner do.
  package init(number: Int, byteOffset: Int, isCut: Bool) {
    self.number = number
    self.byteOffset = byteOffset
    self.isCut = isCut
  }
}

/// Splits chunks into lines that end with LF, CR LF or CR.
///
/// A line within one chunk is passed on in place; only a line that spans chunks is copied. Lines
/// exclude their terminators. A CR LF split between chunks still counts as one terminator. The last
/// line needs none; see ``finish(_:)``.
package struct LineScanner: Sendable {
  /// The longest line kept, in bytes; the rest of a longer line is dropped.
  package let maximumLineBytes: Int
  /// The start of a line that has not ended yet.
  private var carried: [UInt8] = []
  private var carriedIsCut = false
  private var hasCarried = false
  private var endedWithCR = false
  private var lineNumber = 1
  private var lineOffset = 0
  private var chunkOffset = 0

  /// Creates a scanner at the start of a source; lines of up to 64 KiB are kept by default.
  package init(maximumLineBytes: Int = 64 * 1024) { self.maximumLineBytes = maximumLineBytes }

  /// Passes on each line that ends in the chunk.
  ///
  /// - Parameters:
  ///   - chunk: The next bytes of the source.
  ///   - body: Receives the line's bytes and position.
  /// - Throws: Rethrows errors from `body`. Do not use the scanner afterward.
  package mutating func scan<Failure: Error>(
    _ chunk: Span<UInt8>, _ body: (Span<UInt8>, LinePosition) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    if endedWithCR, !chunk.isEmpty {
      endedWithCR = false
      if chunk[0] == UInt8(ascii: "\n") { start = 1 }
      lineOffset = chunkOffset + start
    }
    func next(_ byte: UInt8) -> Int { chunk.firstIndex(of: byte, from: start) ?? chunk.count }
    var nextCR = next(UInt8(ascii: "\r"))
    var nextLF = next(UInt8(ascii: "\n"))
    while start < chunk.count {
      let end = min(nextCR, nextLF)
      guard end < chunk.count else { break }
      try emit(chunk.extracting(start..<end), body)
      start = end + 1
      if end == nextCR {
        if start == chunk.count { endedWithCR = true } else if start == nextLF { start += 1 }
        nextCR = next(UInt8(ascii: "\r"))
      }
      if nextLF < start { nextLF = next(UInt8(ascii: "\n")) }
      lineNumber += 1
      lineOffset = chunkOffset + start
    }
    if start < chunk.count { carry(chunk.extracting(start..<chunk.count)) }
    chunkOffset += chunk.count
  }

  /// Passes on the last line if it had no terminator.
  package mutating func finish<Failure: Error>(
    _ body: (Span<UInt8>, LinePosition) throws(Failure) -> Void
  ) throws(Failure) {
    if hasCarried { try emitCarried(body) }
  }

  private mutating func emit<Failure: Error>(
    _ tail: Span<UInt8>, _ body: (Span<UInt8>, LinePosition) throws(Failure) -> Void
  ) throws(Failure) {
    guard hasCarried || tail.count > maximumLineBytes else {
      try body(tail, LinePosition(number: lineNumber, byteOffset: lineOffset, isCut: false))
      return
    }
    carry(tail)
    try emitCarried(body)
  }

  private mutating func emitCarried<Failure: Error>(
    _ body: (Span<UInt8>, LinePosition) throws(Failure) -> Void
  ) throws(Failure) {
    let position = LinePosition(number: lineNumber, byteOffset: lineOffset, isCut: carriedIsCut)
    try carried.withSpan { line throws(Failure) in try body(line, position) }
    carried.removeAll(keepingCapacity: true)
    carriedIsCut = false
    hasCarried = false
  }

  private mutating func carry(_ bytes: Span<UInt8>) {
    hasCarried = true
    let room = maximumLineBytes - carried.count
    if bytes.count > room { carriedIsCut = true }
    carried.append(contentsOf: bytes.extracting(first: min(room, bytes.count)))
  }
}
