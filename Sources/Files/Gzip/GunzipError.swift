/// A fault in gzip-compressed bytes, with its place.
public struct GunzipError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with the bytes.
  public enum Reason: String, Equatable, Sendable {
    /// The first bytes are not those of a gzip member.
    case notGzip
    /// The bytes end within a member.
    case truncated
    /// The bytes are not a deflate stream, or fail their checksum.
    case corrupt
    /// The bytes expand beyond the permitted ratio.
    case expandsTooFar
    /// There is no memory for the inflater.
    case outOfMemory

    /// It as a sentence without a full stop.
    package var sentence: String {
      switch self {
      case .notGzip: "the data is not gzip-compressed"
      case .truncated: "the gzip data ends too early"
      case .corrupt: "the gzip data is damaged"
      case .expandsTooFar: "the gzip data expands beyond all measure"
      case .outOfMemory: "no memory is left to inflate the gzip data"
      }
    }
  }

  /// What is wrong with the bytes.
  public var reason: Reason
  /// How many compressed bytes were read before the fault was noticed.
  public var compressedByteOffset: Int
  /// More about it, often zlib's own words, or empty.
  public var detail: String

  /// Makes an error of its parts.
  public init(reason: Reason, compressedByteOffset: Int, detail: String = "") {
    self.reason = reason
    self.compressedByteOffset = compressedByteOffset
    self.detail = detail
  }

  /// The fault as one sentence without a full stop.
  public var description: String {
    let more = detail.isEmpty ? "" : " (\(detail))"
    return "\(reason.sentence) at compressed byte \(compressedByteOffset)\(more)"
  }
}
