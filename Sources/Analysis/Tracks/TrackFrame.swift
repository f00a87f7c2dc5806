package struct TrackFrame: Equatable, Sendable {
  package enum Contents: Equatable, Sendable {
    case bytes([UInt8])
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
