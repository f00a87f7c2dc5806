/// The numbers of one story over all tracks.
package struct StoryAccount: Equatable, Sendable {
  /// The number of tracks by verdict.
  package var tracks = VerdictCounts()
  /// The counts of its entries.
  package var counts = EntryCounts()
  /// The number of tracks on which it alerts for the oracle.
  package var oracleTracks = 0
  /// The least distance of any path from its centre in millimetres; nil without a fix.
  package var nearestMillimeters: Int?
  /// The nearest track, of equally near ones the first by name.
  package var nearestTrack = ""
  /// The number of moments in which it alerted.
  package var moments = 0
  /// Number of persons whom it reached; a track of nobody in particular counts as one.
  package var persons = 0
  /// Number of person-days on which it alerted.
  package var personDays = 0
  /// Alerts to persons whom it had reached before.
  package var repeats = 0
  /// The sum of its moments' hashes: stories with equal sums and equally many moments always fired together.
  package var signature: UInt64 = 0

  /// Makes an account of zero.
  package init() {}

  /// Records how near a track came.
  package mutating func note(nearestMillimeters: Int, track: String) {
    if let least = self.nearestMillimeters {
      guard
        nearestMillimeters < least || (nearestMillimeters == least && track < nearestTrack)
      else { return }
    }
    self.nearestMillimeters = nearestMillimeters
    nearestTrack = track
  }

  /// Records an alert in a moment.
  package mutating func add(moment hash: UInt64) {
    moments += 1
    signature &+= hash
  }

  /// Adds the other's numbers.
  package static func += (account: inout StoryAccount, other: StoryAccount) {
    account.tracks += other.tracks
    account.counts += other.counts
    account.oracleTracks += other.oracleTracks
    account.moments += other.moments
    account.persons += other.persons
    account.personDays += other.personDays
    account.repeats += other.repeats
    account.signature &+= other.signature
    if let nearest = other.nearestMillimeters {
      account.note(nearestMillimeters: nearest, track: other.nearestTrack)
    }
  }
}
