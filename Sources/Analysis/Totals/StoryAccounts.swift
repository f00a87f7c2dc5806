/// The numbers of every story over all tracks, compact for stories that no path entered.
package struct StoryAccounts: RandomAccessCollection, MutableCollection, Equatable, Sendable {
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

  package init(count: Int) { nearest = Array(repeating: Nearest(), count: count) }

  package var startIndex: Int { 0 }
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

  package static func == (a: StoryAccounts, b: StoryAccounts) -> Bool { a.elementsEqual(b) }
}
