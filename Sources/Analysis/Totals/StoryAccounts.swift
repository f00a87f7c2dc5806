/// The numbers of every story over all tracks: small for the many stories that no path crossed.
package struct StoryAccounts: RandomAccessCollection, MutableCollection, Equatable, Sendable {
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
  package init(count: Int) {
    nearest = Array(repeating: Nearest(), count: count)
  }

  /// The first story.
  package var startIndex: Int { 0 }
  /// How many stories there are.
  package var endIndex: Int { nearest.count }

  /// The numbers of a story; how many tracks never crossed it follows from the other verdicts.
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

  /// The stories that a path was inside of, or that alerted, ascending.
  package var crossedStories: [Int] { crossed.keys.sorted() }

  /// Adds a story.
  package mutating func append(_ account: StoryAccount) {
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
  package static func == (a: StoryAccounts, b: StoryAccounts) -> Bool { a.elementsEqual(b) }
}
