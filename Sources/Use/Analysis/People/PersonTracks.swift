/// The tracks of one person in order of time, or a single track without a person.
package struct PersonTracks: Sendable {
  package let person: String?
  /// The tracks, at least one.
  package let tracks: [RecordedTrack]

  package init(person: String?, tracks: [RecordedTrack]) {
    (self.person, self.tracks) = (person, tracks)
  }
}
