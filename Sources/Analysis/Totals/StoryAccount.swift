package struct StoryAccount: NamedCounts, Equatable, Sendable {
  package var tracks = VerdictCounts()
  package var counts = EntryCounts()
  /// The number of tracks on which the story alerts for the oracle.
  package var oracleTracks = 0
  /// The shortest distance from any path to the center in millimeters; nil if there are no fixes.
  package var nearestMillimeters: Int?
  /// The nearest track; among equally near ones, the first by name.
  package var nearestTrack = ""
  package var moments = 0
  /// The number of persons alerted; a track without a person counts as one.
  package var persons = 0
  /// The number of days with an alert, summed over persons.
  package var personDays = 0
  /// Alerts to persons already alerted before.
  package var repeats = 0
  /// The sum of the hashes of the story's moments.
  ///
  /// Stories with equal sums and equal ``moments`` always alerted together.
  package var signature: UInt64 = 0

  package init() {}

  /// Keeps the distance of a track if it is the nearest so far.
  package mutating func note(nearestMillimeters: Int, track: String) {
    if let least = self.nearestMillimeters {
      guard
        nearestMillimeters < least || (nearestMillimeters == least && track < nearestTrack)
      else { return }
    }
    self.nearestMillimeters = nearestMillimeters
    nearestTrack = track
  }

  package mutating func add(moment hash: UInt64) {
    moments += 1
    signature &+= hash
  }

  package static let ofPersons: [Count<Self>] = [
    ("persons", \.persons), ("personDays", \.personDays), ("repeats", \.repeats),
  ]
  package static let counts =
    [("oracleTracks", \.oracleTracks), ("moments", \.moments)] + ofPersons

  package static func += (account: inout StoryAccount, other: StoryAccount) {
    account.addCounts(of: other)
    account.tracks += other.tracks
    account.counts += other.counts
    account.signature &+= other.signature
    if let nearest = other.nearestMillimeters {
      account.note(nearestMillimeters: nearest, track: other.nearestTrack)
    }
  }
}
