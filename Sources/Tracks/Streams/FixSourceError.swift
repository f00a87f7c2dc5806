public import FencepostFiles
import FencepostFormats

/// Why a file or other source could not be read to its end.
public struct FixSourceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What went wrong.
  public enum Cause: Sendable, Equatable {
    /// The bytes could not be read.
    case source(ByteSourceError)
    /// The bytes are damaged or not a track.
    case contents(DecodeError)
    /// The temporary file needed for reading from the end cannot be written or read.
    case spool(ByteSourceError)
  }

  /// The name for messages: the path, or the source's name.
  public var name: String
  /// What went wrong.
  public var cause: Cause

  /// Creates an error.
  package init(name: String, cause: Cause) {
    self.name = name
    self.cause = cause
  }

  /// Whether reading ended because the program was interrupted.
  package var isInterruption: Bool {
    if case .source(let error) = cause { return error.kind == .interrupted }
    return false
  }

  /// The message, with the name and, if known, the line or byte: `walk.gpx: line 12: …`.
  public var description: String {
    switch cause {
    case .source(let error), .spool(let error): "\(error)"
    case .contents(let error): "\(name): \(error)"
    }
  }
}
