import FencepostFormats

/// Inflates gzip data in chunks, with one or more members.
///
/// Memory is bounded by zlib's window and the caller's buffer. Zero bytes after the last member are
/// padding; anything else there is an error.
package struct Gunzip: ~Copyable {
  /// How far compressed data may expand.
  ///
  /// Deflate can expand up to 1032 times; recordings expand 10 to 60 times. A small file must not
  /// become gigabytes, so data is refused once it exceeds both limits.
  package struct Limits: Equatable, Sendable {
    /// The greatest ratio of total output to total input.
    package var maximumRatio: Int
    /// The output, in bytes, to which the ratio does not apply.
    package var freeBytes: Int

    /// Creates limits; the defaults let 64 MiB pass at any ratio.
    package init(maximumRatio: Int = 200, freeBytes: Int = 64 << 20) {
      self.maximumRatio = maximumRatio
      self.freeBytes = freeBytes
    }

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

  /// The compressed bytes consumed so far.
  package private(set) var compressedBytes = 0
  /// The bytes inflated so far.
  package private(set) var inflatedBytes = 0
  /// Whether the last call filled the output, so that more may follow without new input.
  package private(set) var holdsOutput = false
  private let limits: Limits
  private var members = 0
  private var state = State.betweenMembers
  private var inflater: Inflater

  package init(limits: Limits = Limits()) {
    self.limits = limits
    inflater = Inflater(.gzip)
  }

  /// Whether the bytes begin like gzip data (`1f 8b`).
  package static func isGzip(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b
  }

  /// Inflates input and appends at most `maximumBytes`, at least 1, to the output.
  ///
  /// Call it again with the rest of the input until all is consumed.
  ///
  /// - Returns: How many input bytes were consumed; not all if the output filled up.
  /// - Throws: ``GunzipError`` after appending the valid part; later calls throw it again.
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
      case .padding: consumed += try skipPadding(rest)
      case .betweenMembers where members > 0 && rest[0] == 0: state = .padding
      case .betweenMembers, .inMember:
        let produced = output.count
        consumed += try step(rest, into: &output, room: room)
        room -= output.count - produced
      }
    }
    return consumed
  }

  /// Ends the input; throws if the data ends within a member or before the first.
  package mutating func finish() throws(GunzipError) {
    switch state {
    case .failed(let error): throw error
    case .inMember: throw fail(.truncated)
    case .betweenMembers where members == 0: throw fail(.truncated)
    case .betweenMembers, .padding: return
    }
  }

  private mutating func step(
    _ input: Span<UInt8>, into output: inout [UInt8], room: Int
  ) throws(GunzipError) -> Int {
    let before = output.count
    let (consumed, outcome) = inflater.step(input, into: &output, room: room)
    holdsOutput = inflater.holdsOutput
    compressedBytes += consumed
    inflatedBytes += output.count - before
    switch outcome {
    case .end:
      members += 1
      state = .betweenMembers
      guard inflater.reset() else { throw fail(.corrupt) }
    case .more: state = .inMember
    case .outOfMemory: throw fail(.outOfMemory)
    case .damaged(let words):
      let isForeign = members == 0 && inflatedBytes == 0 && words == "incorrect header check"
      throw fail(isForeign ? .notGzip : .corrupt, detail: isForeign ? "" : words)
    }
    guard limits.permits(inflatedBytes, of: compressedBytes) else {
      throw fail(
        .expandsTooFar,
        detail: "to more than \(limits.maximumRatio) times its \(compressedBytes) bytes")
    }
    return consumed
  }

  private mutating func skipPadding(_ input: Span<UInt8>) throws(GunzipError) -> Int {
    for index in input.indices where input[index] != 0 {
      compressedBytes += index
      throw fail(.corrupt, detail: "other data follows the compressed data")
    }
    compressedBytes += input.count
    return input.count
  }

  private mutating func fail(_ reason: GunzipError.Reason, detail: String = "") -> GunzipError {
    let error = GunzipError(reason: reason, compressedByteOffset: compressedBytes, detail: detail)
    state = .failed(error)
    return error
  }
}

/// An error in gzip data.
///
/// Everything that was inflated before it is valid and was handed over.
public struct GunzipError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of error.
  ///
  /// A file that was cut off while copying is ``truncated``.
  public enum Reason: String, Equatable, Sendable {
    /// The data does not begin with a gzip header.
    case notGzip
    /// The data ends within a member.
    case truncated
    /// The data is not a valid deflate stream or fails its checksum.
    case corrupt
    /// The data exceeds the expansion limit.
    case expandsTooFar
    /// Memory for zlib could not be allocated.
    case outOfMemory

    /// The message, without the position or a final period.
    package var sentence: String {
      switch self {
      case .notGzip: "the data is not gzip-compressed"
      case .truncated: "the gzip data ends too early"
      case .corrupt: "the gzip data is damaged"
      case .expandsTooFar: "the gzip data expands too far"
      case .outOfMemory: "there is not enough memory to decompress the gzip data"
      }
    }
  }

  /// The kind of error.
  public var reason: Reason
  /// The number of compressed bytes read before the error.
  package var compressedByteOffset: Int
  /// Details, often from zlib; may be empty.
  package var detail: String

  package init(reason: Reason, compressedByteOffset: Int, detail: String = "") {
    self.reason = reason
    self.compressedByteOffset = compressedByteOffset
    self.detail = detail
  }

  /// The message, without a final period.
  public var description: String {
    let more = detail.isEmpty ? "" : " (\(detail))"
    return "\(reason.sentence) at compressed byte \(compressedByteOffset)\(more)"
  }
}
