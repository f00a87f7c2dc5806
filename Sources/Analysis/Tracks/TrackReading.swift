import Fencepost
public import Fixes
import Formats

/// Why a track has no part in an analysis.
public struct TrackFailure: Error, Sendable {
  /// What went wrong.
  public enum Kind: Sendable {
    /// The file could not be read to its end.
    case fixes(FixSourceError)
    /// The store did not answer.
    case store(String)
    /// There is not one fix in it; what was rejected, by reason.
    case empty(rejected: [String: Int])
  }

  /// The track's file, as people read it.
  public var path: String
  /// What went wrong.
  public var kind: Kind

  /// Makes a failure of its parts.
  public init(path: String, kind: Kind) {
    self.path = path.shownFileName
    self.kind = kind
  }
}

/// Reads a track and hands it on in batches, each prepared once.
struct TrackReading {
  private let options: FixStream.Options
  private let watchesSpeed: Bool

  init(_ options: FixStream.Options, watchesSpeed: Bool) {
    self.options = options
    self.watchesSpeed = watchesSpeed
  }

  /// Reads a track to its end.
  ///
  /// - Parameters:
  ///   - path: Its file.
  ///   - account: Receives its name and the numbers of its fixes.
  ///   - shouldStop: Asked between batches whether to give up.
  ///   - body: Takes the batches.
  /// - Returns: Whether it was read to its end.
  /// - Throws: ``TrackFailure`` where it cannot be, or has no fix.
  func read(
    _ path: String, into account: inout TrackAccount, shouldStop: () -> Bool,
    _ body: (PathBatch) -> Void
  ) throws(TrackFailure) -> Bool {
    do throws(FixSourceError) {
      var reader = try FixReader(path: path, options: options)
      var fixes = FixBatch()
      var batch = PathBatch(watchesSpeed: watchesSpeed)
      while try reader.read(into: &fixes) {
        if shouldStop() { return false }
        batch.prepare(fixes.fixes)
        body(batch)
      }
      account.track = path == "-" ? "stdin" : path.shownFileName
      account.fixes = reader.acceptedCount
      account.rejected = reader.rejectionCounts.total
      account.notices = reader.notices
      account.rejectedByReason = reader.rejectionCounts.byName
    } catch {
      if error.isInterruption { return false }
      throw TrackFailure(path: path, kind: .fixes(error))
    }
    if account.fixes == 0 {
      throw TrackFailure(path: path, kind: .empty(rejected: account.rejectedByReason))
    }
    return true
  }
}
