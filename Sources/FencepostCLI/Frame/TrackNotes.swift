import Fencepost
import FencepostAnalysis
import FencepostPlaces
import FencepostReporting

/// What there is to say of all tracks together, once, on standard error.
final class TrackNotes {
  private var remote = RemoteTracks()
  private var hasEntry = false
  /// The tracks whose entries escape rules about time.
  private var untimed: [String] = []
  private var rules: RulesWithoutTime = []

  /// Takes a track.
  ///
  /// - Parameters:
  ///   - extent: Where its fixes are.
  ///   - name: The track's name.
  ///   - hasEntry: Whether the path came into a circle.
  ///   - rules: The rules about time that its entries escape.
  func take(
    _ extent: TrackExtent, of name: String, hasEntry: Bool, rules: RulesWithoutTime
  ) {
    if hasEntry { self.hasEntry = true } else { remote.take(extent, of: name) }
    guard !rules.isEmpty else { return }
    untimed.append(name)
    self.rules.formUnion(rules)
  }

  /// Takes an analysed track.
  func take(_ account: TrackAccount) {
    take(
      account.extent, of: account.track, hasEntry: account.counts.entries > 0,
      rules: account.rulesWithoutTime)
  }

  /// Says it, if there is anything.
  ///
  /// - Throws: The store's error.
  func conclude(_ store: PlaceStore) throws {
    if let first = untimed.first {
      let tracks =
        untimed.count == 1
        ? "\(first) has"
        : "\(ReportNumber.counted(untimed.count, "track")), \(first) the first, have"
      StandardError.say(
        "\(tracks) entries without times, to which \(rules) cannot apply; --travel-speed with --date gives a "
          + "track times")
    }
    guard !hasEntry, let sentence = try remote.sentence(try store.makeReader()) else { return }
    StandardError.say(sentence)
  }
}
