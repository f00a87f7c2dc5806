/// An error in a zip archive.
package struct ZipError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: String, Equatable, Sendable {
    /// The data does not have the structure of an archive.
    case notZip
    case truncated
    case encrypted
    /// An entry uses an unsupported method, and its size is unknown, so it cannot be skipped.
    case method
    /// The data is damaged or fails its checksum.
    case corrupt
    /// The archive exceeds the expansion limit.
    case expandsTooFar
    case outOfMemory
  }

  package var reason: Reason
  /// The offset in the archive where the error was found, from 0.
  package var byteOffset: Int
  /// Details; may be empty.
  package var detail = ""

  /// The message, without position or final period.
  package var sentence: String {
    let cause =
      switch reason {
      case .notZip: "the zip archive is damaged"
      case .truncated: "the zip archive ends too early"
      case .encrypted: "the zip archive is encrypted; unpack it with its password first (7z x FILE)"
      case .method: "the zip archive uses an unsupported compression; unpack it first (7z x FILE)"
      case .corrupt: "the zip archive is damaged"
      case .expandsTooFar: "the zip archive expands too far"
      case .outOfMemory: "there is not enough memory to unpack the zip archive"
      }
    return detail.isEmpty ? cause : "\(cause) (\(detail))"
  }

  package var description: String { "\(sentence) at byte \(byteOffset)" }
}
