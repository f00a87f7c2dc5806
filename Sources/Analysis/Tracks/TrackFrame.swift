/// One track in a stream of many.
package struct TrackFrame: Equatable, Sendable {
  package enum Contents: Equatable, Sendable {
    /// The track's bytes, in any file format.
    case bytes([UInt8])
    /// The path of the file that holds the track.
    case file(String)
    /// Why the sender has no bytes, without a final period.
    case unread(String)
  }

  package var track: String
  package var contents: Contents

  package init(track: String, contents: Contents) {
    self.track = track
    self.contents = contents
  }
}
