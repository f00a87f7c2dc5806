import FencepostFormats

/// A streaming inflater of gzip data with one member or several in a row.
///
/// Memory is bounded by zlib's window and the caller's buffer. Zero bytes after the last member are
/// padding and are skipped; anything else there is an error.
package struct Gunzip: ~Copyable {
  /// How far compressed data may expand.
  ///
  /// Deflate expands up to 1032 times, and recordings some 10 to 60 times. A small file that becomes
  /// gigabytes is an attack or an accident: it is refused once the output is longer than ``freeBytes``
  /// and ``maximumRatio`` times as long as the input.
  package struct Limits: Equatable, Sendable {
    /// The greatest permitted ratio of all output to all input, 200 by default.
    package var maximumRatio: Int
    /// How many bytes of output are exempt from the ratio, 64 MiB by default.
    package var freeBytes: Int

    /// Makes limits.
    package init(maximumRatio: Int = 200, freeBytes: Int = 64 << 20) {
      self.maximumRatio = maximumRatio
      self.freeBytes = freeBytes
    }

    /// Whether so much output of so much input is permitted.
    func permits(_ inflatedBytes: Int, of compressedBytes: Int) -> Bool {
      inflatedBytes <= freeBytes || inflatedBytes / maximumRatio <= compressedBytes
    }
  }

  private enum State {
    case betweenMembers
    case inMember
    case padding
    case failed(GunzipError)
  }

  /// How many compressed bytes have been read.
  package private(set) var compressedBytes = 0
  /// How many bytes have been produced.
  package private(set) var inflatedBytes = 0
  /// Whether the output was full at the last call, so that more may come without more input.
  package private(set) var holdsOutput = false
  private let limits: Limits
  private var members = 0
  private var state = State.betweenMembers
  private var inflater: Inflater

  /// Makes an inflater that has read nothing.
  package init(limits: Limits = Limits()) {
    self.limits = limits
    inflater = Inflater(.gzip)
  }

  /// Whether bytes begin as gzip data does (`1f 8b`).
  package static func isGzip(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b
  }

  /// Inflates some input and appends to a buffer.
  ///
  /// Call it again with the rest of the input until all is consumed.
  /// - Parameters:
  ///   - input: Compressed bytes that follow those already consumed.
  ///   - output: Receives at most `maximumBytes` more bytes.
  ///   - maximumBytes: The most bytes to append, at least 1.
  /// - Returns: How many bytes of the input were consumed: fewer than all if the output was full.
  /// - Throws: ``GunzipError`` after appending what was good, and the same error again from then on.
  package mutating func inflate(
    _ input: Span<UInt8>, into output: inout [UInt8], maximumBytes: Int
  ) throws(GunzipError) -> Int {
    if case .failed(let error) = state { throw error }
    guard inflater.isReady else { throw fail(.outOfMemory) }
    var consumed = 0
    var room = max(1, maximumBytes)
    while consumed < input.count || holdsOutput, room > 0 {
      let rest = input.extracting(consumed..<input.count)
      switch state {
      case .failed(let error): throw error
      case .betweenMembers where rest.isEmpty, .padding where rest.isEmpty:
        holdsOutput = false
        return consumed
      case .padding:
        consumed += try skipPadding(rest)
      case .betweenMembers where members > 0 && rest[0] == 0:
        state = .padding
      case .betweenMembers, .inMember:
        let produced = output.count
        consumed += try step(rest, into: &output, room: room)
        room -= output.count - produced
      }
    }
    return consumed
  }

  /// Ends the input.
  ///
  /// - Throws: ``GunzipError`` if the data ends within a member or there was none.
  package mutating func finish() throws(GunzipError) {
    switch state {
    case .failed(let error): throw error
    case .inMember: throw fail(.truncated)
    case .betweenMembers where members == 0: throw fail(.truncated)
    case .betweenMembers, .padding: return
    }
  }

  /// Calls zlib's `inflate` once.
  private mutating func step(
    _ input: Span<UInt8>, into output: inout [UInt8], room: Int
  ) throws(GunzipError) -> Int {
    let before = output.count
    let (consumed, outcome) = inflater.step(input, into: &output, room: room)
    holdsOutput = inflater.holdsOutput
    compressedBytes += consumed
    inflatedBytes += output.count - before
    try check(outcome)
    return consumed
  }

  private mutating func check(_ outcome: Inflater.Outcome) throws(GunzipError) {
    switch outcome {
    case .end:
      members += 1
      state = .betweenMembers
      guard inflater.reset() else { throw fail(.corrupt) }
    case .more:
      state = .inMember
    case .outOfMemory:
      throw fail(.outOfMemory)
    case .damaged(let words):
      let isForeign = members == 0 && inflatedBytes == 0 && words == "incorrect header check"
      throw fail(isForeign ? .notGzip : .corrupt, detail: isForeign ? "" : words)
    }
    guard !limits.permits(inflatedBytes, of: compressedBytes) else { return }
    let sentence = "more than \(limits.maximumRatio) times its \(compressedBytes) bytes"
    throw fail(.expandsTooFar, detail: sentence)
  }

  private mutating func skipPadding(_ input: Span<UInt8>) throws(GunzipError) -> Int {
    for index in input.indices where input[index] != 0 {
      compressedBytes += index
      throw fail(.corrupt, detail: "something else follows the compressed data")
    }
    compressedBytes += input.count
    return input.count
  }

  private mutating func fail(_ reason: GunzipError.Reason, detail: String = "") -> GunzipError {
    let error = GunzipError(
      reason: reason, compressedByteOffset: compressedBytes, detail: detail)
    state = .failed(error)
    return error
  }
}
