import Fencepost
import Fixes
package import Foundation
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
    /// Rejections of lines that name no device, in a stream of several.
    var unattributed: RejectionCounts?
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
package struct OwedDelivery: Codable, Equatable, Sendable {
  /// Its number; those of a session ascend.
  package var sequence: Int
  /// The sink's name, as in ``LiveSinkKind``.
  package var sink: LiveSinkKind
  /// The event as a line, with its end.
  package var line: Data
  /// The event's parts by name, for sinks that need them.
  package var fields: [String: String]
  /// Since when it is owed, in milliseconds since 1970; nil where that does not matter, or was not noted.
  package var owedSinceMilliseconds: Int64?

  /// Makes a delivery of its parts.
  package init(
    sequence: Int, sink: LiveSinkKind, line: Data, fields: [String: String],
    owedSinceMilliseconds: Int64? = nil
  ) {
    self.sequence = sequence
    self.sink = sink
    self.line = line
    self.fields = fields
    self.owedSinceMilliseconds = owedSinceMilliseconds
  }
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
