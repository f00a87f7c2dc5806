/// One track of a stream of many.
package struct TrackFrame: Equatable, Sendable {
  /// What a frame holds.
  package enum Contents: Equatable, Sendable {
    /// The track's bytes, in any form that a file may have.
    case bytes([UInt8])
    /// Why the sender has no bytes to give: a sentence without a full stop.
    case unread(String)
  }

  /// The track's name, which reports give.
  package var track: String
  /// What it holds.
  package var contents: Contents

  /// Makes a frame of its parts.
  package init(track: String, contents: Contents) {
    self.track = track
    self.contents = contents
  }
}
