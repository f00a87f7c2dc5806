import Fixes
import Foundation
import Notifications

/// The documents that a live session keeps in its state file.
enum LiveDocument {
  /// Whose state it is.
  struct Identity: Codable, Equatable {
    /// The form of these documents that this version writes.
    static let newest = 2

    var version = newest
    /// The engine's rule in words; a set monitored under another rule means nothing.
    var rule: String
    /// Distinguishes the alerts of this state from those of any other.
    var instance: String
  }

  /// Where the session is in its input.
  struct Checkpoint: Codable {
    /// The offset of the first byte of the decoder's context, from 0.
    var contextStart: Int
    /// The header that precedes the context.
    var header: Data
    /// The offset behind the last byte that the sessions have seen.
    var position: Int
    /// The day of the context's first fix, in days since 1970, where it must be told.
    var startDay: Int?
    /// Whether the fix of the last epoch was handed on before the next began.
    var isEpochHandedOn: Bool
    /// The format, where the context is too short to recognise it.
    var format: String?
    /// What hygiene knows.
    var hygiene: FixStream.Hygiene?
  }

  /// One device's session, or that of the whole stream.
  struct Session: Codable {
    /// The offset behind the last byte that the session has seen.
    var position: Int
    /// What the session knows.
    var session: TrackSession.Snapshot
    /// What hygiene knows of a device.
    var filter: FixFilter?
    /// What was rejected of a device.
    var rejected: RejectionCounts?
  }
}

/// Something that is owed to a sink.
struct OwedDelivery: Codable, Sendable {
  /// Its number; those of a session ascend.
  var sequence: Int
  /// The sink's name, as in ``LiveSinkKind``.
  var sink: LiveSinkKind
  /// The event as a line, with its end.
  var line: Data
  /// The event's parts by name, for sinks that need them.
  var fields: [String: String]
}

/// Where events go.
public enum LiveSinkKind: String, Codable, CaseIterable, Sendable {
  /// Standard output, or the file that stands for it.
  case output
  /// A program run for each event.
  case exec
  /// An address that events are posted to.
  case webhook
  /// The desktop.
  case notify
}
