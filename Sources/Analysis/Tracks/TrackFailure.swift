import FencepostFiles
public import FencepostFixes
import FencepostFormats

/// Why a track could not be analysed.
public struct TrackFailure: Error, Sendable {
  /// What went wrong.
  public enum Kind: Sendable {
    /// The file could not be read to its end.
    case fixes(FixSourceError)
    /// The store did not answer.
    case store(String)
    /// The file has no accepted fix; the rejected ones are counted by reason.
    case empty(rejected: [String: Int])
  }

  /// The track's file, as messages show it.
  public var path: String
  /// What went wrong.
  public var kind: Kind

  /// Makes a failure of its parts.
  public init(path: String, kind: Kind) {
    self.path = path.shownFileName
    self.kind = kind
  }
}
