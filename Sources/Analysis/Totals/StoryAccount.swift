/// The numbers of one story over all tracks.
public struct StoryAccount: Equatable, Sendable {
  /// How many tracks had each verdict on it.
  public var tracks = VerdictCounts()
  /// What became of its entries.
  public var counts = EntryCounts()
  /// On how many tracks it alerts where every place is monitored.
  public var oracleTracks = 0
  /// Least distance of any path from its centre in millimetres; nil where no track had a fix.
  public var nearestMillimeters: Int?
  /// The track that came nearest, the first by name of equally near ones.
  public var nearestTrack = ""
  /// How many moments it alerted in.
  public var moments = 0
  /// The sum of its moments' hashes: stories with equal sums, and equally many moments, always
  /// fired together.
  public var signature: UInt64 = 0

  /// Makes an account of zero.
  public init() {}

  /// Notes how near a track came.
  public mutating func note(nearestMillimeters: Int, track: String) {
    if let least = self.nearestMillimeters {
      guard
        nearestMillimeters < least || (nearestMillimeters == least && track < nearestTrack)
      else { return }
    }
    self.nearestMillimeters = nearestMillimeters
    nearestTrack = track
  }

  /// Notes that it alerted in a moment.
  package mutating func add(moment hash: UInt64) {
    moments += 1
    signature &+= hash
  }

  /// Adds the other's numbers.
  public static func += (account: inout StoryAccount, other: StoryAccount) {
    account.tracks += other.tracks
    account.counts += other.counts
    account.oracleTracks += other.oracleTracks
    account.moments += other.moments
    account.signature &+= other.signature
    if let nearest = other.nearestMillimeters {
      account.note(nearestMillimeters: nearest, track: other.nearestTrack)
    }
  }
}
