public import FencepostFormats

/// Why a file or other source could not be read to its end, with its name.
public struct FixSourceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What went wrong.
  public enum Cause: Sendable, Equatable {
    /// The bytes could not be had.
    case source(ByteSourceError)
    /// The bytes are no track, or a damaged one.
    case contents(DecodeError)
    /// The temporary file that it takes to read from the end cannot be written or read.
    case spool(ByteSourceError)
  }

  /// The path as the user gave it, or what messages call the source.
  public var name: String
  /// What went wrong.
  public var cause: Cause

  /// Makes an error of its parts.
  public init(name: String, cause: Cause) {
    self.name = name
    self.cause = cause
  }

  /// Whether reading ended only because the program was asked to end.
  public var isInterruption: Bool {
    if case .source(let error) = cause { return error.kind == .interrupted }
    return false
  }

  /// One sentence with the name and, where known, line or byte: `walk.gpx: line 12: …`.
  public var description: String {
    switch cause {
    case .source(let error), .spool(let error): "\(error)"
    case .contents(let error): "\(name): \(error)"
    }
  }
}
