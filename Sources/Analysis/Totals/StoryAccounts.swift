/// The numbers of every story over all tracks: small for the many stories that no path crossed.
public struct StoryAccounts: RandomAccessCollection, MutableCollection, Equatable, Sendable {
  /// The nearest track of a story.
  private struct Nearest {
    /// `.max` without a track.
    var millimeters = Int.max
    /// Index of its name.
    var name: Int32 = -1
  }

  /// How many tracks there are: those that have no other verdict on a story never crossed it.
  package var trackCount = 0
  /// The accounts that hold more than how near a track came, without that and without the tracks that never crossed.
  private var crossed: [Int: StoryAccount] = [:]
  private var nearest: [Nearest]
  private var names: [String] = []
  private var numbers: [String: Int32] = [:]

  /// Makes accounts of zero.
  ///
  /// - Parameter count: How many stories there are.
  public init(count: Int) {
    nearest = Array(repeating: Nearest(), count: count)
  }

  /// The first story.
  public var startIndex: Int { 0 }
  /// How many stories there are.
  public var endIndex: Int { nearest.count }

  /// The numbers of a story; how many tracks never crossed it follows from the other verdicts.
  public subscript(story: Int) -> StoryAccount {
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

  /// The stories that a path was inside of, or that alerted, ascending.
  public var crossedStories: [Int] { crossed.keys.sorted() }

  /// Adds a story.
  public mutating func append(_ account: StoryAccount) {
    nearest.append(Nearest())
    self[nearest.count - 1] = account
  }

  /// How near a track came to a story, in millimetres; nil without a track.
  func nearestMillimeters(of story: Int) -> Int? {
    nearest[story].name >= 0 ? nearest[story].millimeters : nil
  }

  /// Records how near a track came to a story; of equally near ones the first by name counts.
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

  /// Whether all stories have the same numbers.
  public static func == (a: StoryAccounts, b: StoryAccounts) -> Bool { a.elementsEqual(b) }
}

/// The numbers of one story over all tracks.
public struct StoryAccount: Equatable, Sendable {
  /// The number of tracks by verdict.
  public var tracks = VerdictCounts()
  /// The counts of its entries.
  public var counts = EntryCounts()
  /// The number of tracks on which it alerts for the oracle.
  public var oracleTracks = 0
  /// The least distance of any path from its centre in millimetres; nil without a fix.
  public var nearestMillimeters: Int?
  /// The nearest track, of equally near ones the first by name.
  public var nearestTrack = ""
  /// The number of moments in which it alerted.
  public var moments = 0
  /// Number of persons whom it reached; a track of nobody in particular counts as one.
  public var persons = 0
  /// Number of person-days on which it alerted.
  public var personDays = 0
  /// Alerts to persons whom it had reached before.
  public var repeats = 0
  /// The sum of its moments' hashes: stories with equal sums and equally many moments always fired together.
  public var signature: UInt64 = 0

  /// Makes an account of zero.
  public init() {}

  /// Records how near a track came.
  public mutating func note(nearestMillimeters: Int, track: String) {
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
  public static func += (account: inout StoryAccount, other: StoryAccount) {
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
