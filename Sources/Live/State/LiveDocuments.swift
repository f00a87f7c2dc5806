import FencepostTracks
import Fencepost
import FencepostFixes
import Foundation

/// The documents of a live session's state file.
enum LiveDocument {
  /// What the state belongs to.
  struct Identity: Codable, Equatable {
    /// The version of the documents that this program writes.
    static let newest = 2

    var version = newest
    /// The engine's rule in words; a set monitored under another rule is void.
    var rule: String
    /// Distinguishes the alerts of this state from those of any other.
    var instance: String
    /// The settings that it was saved under; nil if an older version saved it.
    var settings: [LiveSetting]?
  }

  /// The session's position in its input.
  struct Checkpoint: Codable {
    /// The offset of the first byte of the decoder's context, from 0.
    var contextStart: Int
    /// The header that precedes the context.
    var header: Data
    /// The offset behind the last byte that the sessions have seen.
    var position: Int
    /// The day of the context's first fix in days since 1970, if the context itself has no date.
    var startDay: Int?
    /// Whether the last epoch's fix was emitted before the next epoch began.
    var isEpochHandedOn: Bool
    /// The format, if the context is too short to recognise it.
    var format: String?
    /// The state of fix hygiene.
    var hygiene: FixStream.Hygiene?
    /// Rejections of lines that name no device, in a stream of several.
    var unattributed: RejectionCounts?

    /// Whether the stream has several devices.
    var hasDevices: Bool { unattributed != nil }
  }

  /// The session of one device or of the whole stream.
  struct Session: Codable {
    /// The offset behind the last byte that the session has seen.
    var position: Int
    /// The session's state.
    var session: TrackSession.Snapshot
    /// The state of fix hygiene, for one device of several.
    var filter: FixFilter?
    /// The device's rejections, for one device of several.
    var rejected: RejectionCounts?
  }
}
