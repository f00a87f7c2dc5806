/// The numbers of every story over all tracks, compact for stories that no path entered.
///
/// Indices are those of the stories in the analysis. A store may have a million stories, and most
/// tracks come near few of them, so only a crossed story takes more than its nearest track.
package struct StoryAccounts: RandomAccessCollection, MutableCollection, Equatable, Sendable {
  /// The track that came nearest to a story, in little memory.
  private struct Nearest {
    /// `.max` without a track.
    var millimeters = Int.max
    /// An index into `names`; -1 without a track.
    var name: Int32 = -1
  }

  /// The number of tracks; those without any other verdict on a story never crossed it.
  package var trackCount = 0
  /// Accounts with more than a nearest track, stored without the nearest track and `neverCrossed`.
  private var crossed: [Int: StoryAccount] = [:]
  private var nearest: [Nearest]
  private var names: [String] = []
  private var numbers: [String: Int32] = [:]

  /// Creates accounts for stories that no track has met.
  package init(count: Int) { nearest = Array(repeating: Nearest(), count: count) }

  /// The first story, always 0.
  package var startIndex: Int { 0 }
  /// The number of stories.
  package var endIndex: Int { nearest.count }

  /// A story's numbers; the number of tracks that never crossed it is derived.
  package subscript(story: Int) -> StoryAccount {
    get {
      var account = crossed[story] ?? StoryAccount()
      account.tracks[.neverCrossed] = trackCount - account.tracks.crossedCount
      if nearest[story].name >= 0 {
        account.nearestMillimeters = nearest[story].millimeters
        account.nearestTrack = names[Int(nearest[story].name)]
      }
      return account
    }
    set {
      nearest[story] = Nearest()
      if let millimeters = newValue.nearestMillimeters {
        nearest[story] = Nearest(millimeters: millimeters, name: number(of: newValue.nearestTrack))
      }
      var account = newValue
      account.nearestMillimeters = nil
      account.nearestTrack = ""
      account.tracks[.neverCrossed] = 0
      crossed[story] = account == StoryAccount() ? nil : account
    }
  }

  /// The stories that contained part of a path or that alerted, ascending.
  package var crossedStories: [Int] { crossed.keys.sorted() }

  /// Adds a story at the end.
  package mutating func append(_ account: StoryAccount) {
    nearest.append(Nearest())
    self[nearest.count - 1] = account
  }

  func nearestMillimeters(of story: Int) -> Int? {
    nearest[story].name >= 0 ? nearest[story].millimeters : nil
  }

  /// Keeps a track if it is the nearest so far; among equally near ones, the first by name.
  mutating func note(nearestMillimeters millimeters: Int, track: String, of story: Int) {
    let known = nearest[story]
    guard
      millimeters < known.millimeters
        || (millimeters == known.millimeters && known.name >= 0 && track < names[Int(known.name)])
    else { return }
    nearest[story] = Nearest(millimeters: millimeters, name: number(of: track))
  }

  private mutating func number(of name: String) -> Int32 {
    if let number = numbers[name] { return number }
    let number = Int32(names.count)
    names.append(name)
    numbers[name] = number
    return number
  }

  /// Compares the numbers of each story, whatever the order in which tracks were added.
  package static func == (a: StoryAccounts, b: StoryAccounts) -> Bool { a.elementsEqual(b) }
}

/// The numbers of one story over all tracks.
///
/// They add up exactly in any order, so that parts of an analysis can be merged.
package struct StoryAccount: NamedCounts, Equatable, Sendable {
  /// The number of tracks with each verdict on the story.
  package var tracks = VerdictCounts()
  /// The entries and alerts on all tracks.
  package var counts = EntryCounts()
  /// The number of tracks on which an alert of the story is due.
  package var dueTracks = 0
  /// The shortest distance from any path to the center in millimeters; nil if there are no fixes.
  package var nearestMillimeters: Int?
  /// The nearest track; among equally near ones, the first by name.
  package var nearestTrack = ""
  /// The number of moments at which it alerted, alone or with others; alerts within a minute are
  /// one.
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

  /// Creates the account of a story without tracks.
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

  /// Notes that the story alerted at a moment, which all stories alerting then must note by the
  /// same hash.
  package mutating func add(moment hash: UInt64) {
    moments += 1
    signature &+= hash
  }

  /// The counts of persons, by their names in documents.
  package static let ofPersons: [Count<Self>] = [
    ("persons", \.persons), ("personDays", \.personDays), ("repeats", \.repeats),
  ]
  /// The counts of tracks, moments and persons, by their names in documents.
  package static let counts =
    [("oracleTracks", \.dueTracks), ("moments", \.moments)] + ofPersons

  /// Adds the numbers on other tracks, and keeps the nearer of the two.
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
