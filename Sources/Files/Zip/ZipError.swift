/// A fault in a zip archive, with its place.
package struct ZipError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with the archive.
  package enum Reason: String, Equatable, Sendable {
    /// The bytes do not begin, or go on, as an archive does.
    case notZip
    /// The archive ends too early.
    case truncated
    /// An entry is encrypted.
    case encrypted
    /// An entry is packed by a method that is not read, and its end cannot be found.
    case method
    /// The packed data is damaged or fails its checksum.
    case corrupt
    /// The archive expands beyond the permitted ratio.
    case expandsTooFar
    /// There is no memory for the inflater.
    case outOfMemory
  }

  /// What is wrong.
  package var reason: Reason
  /// The offset in the archive where it was noticed, from 0.
  package var byteOffset: Int
  /// More about it, or empty.
  package var detail: String

  /// Makes an error of its parts.
  package init(reason: Reason, byteOffset: Int, detail: String = "") {
    self.reason = reason
    self.byteOffset = byteOffset
    self.detail = detail
  }

  /// The fault as one sentence without its place and without a full stop.
  package var sentence: String {
    let cause =
      switch reason {
      case .notZip: "the zip archive is damaged"
      case .truncated: "the zip archive ends too early"
      case .encrypted: "the zip archive is encrypted; unpack it with its password first (7z x FILE)"
      case .method:
        "the zip archive is packed in a way that is not read; unpack it first (7z x FILE)"
      case .corrupt: "the zip archive is damaged"
      case .expandsTooFar: "the zip archive expands beyond all measure"
      case .outOfMemory: "no memory is left to inflate the zip archive"
      }
    return detail.isEmpty ? cause : "\(cause) (\(detail))"
  }

  /// The fault with its place.
  package var description: String { "\(sentence) at byte \(byteOffset)" }
}
