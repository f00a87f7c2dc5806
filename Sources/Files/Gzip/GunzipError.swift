/// An error in gzip data.
public struct GunzipError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of error.
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

  /// Creates an error.
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
