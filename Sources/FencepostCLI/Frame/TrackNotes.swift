import Fencepost
import FencepostAnalysis
import FencepostPlaces
import FencepostReporting

extension TrackFiles {
  /// How many files to name one by one.
  private static let mostNamed = 10

  /// Finds at least one track file that arguments refer to, and checks that none is an output.
  static func find(_ arguments: [String], _ use: FileUse) throws(CommandFailure) -> [String] {
    let found = try expandAndSay(arguments)
    try use.check(reading: found)
    guard !found.isEmpty || arguments.isEmpty else {
      throw CommandFailure(.inputMissing, "no walks in \(arguments.joined(separator: ", "))")
    }
    return found
  }

  /// Finds the track files that arguments refer to, and names place files found in folders.
  static func expandAndSay(_ arguments: [String]) throws(CommandFailure) -> [String] {
    for argument in arguments { try refuseStories(argument) }
    let found = find(arguments)
    for path in found.places.prefix(mostNamed) {
      let cure =
        PlaceFileProbe.holdsPlaces(path: path, isTable: true)
        ? "" : ". To analyze it anyway, name the file."
      StandardError.say("\(path): skipped, because it contains stories, not a walk\(cure)")
    }
    if found.places.count > mostNamed {
      let more = ReportNumber.counted(found.places.count - mostNamed, "more file")
      StandardError.say("… and skipped \(more) of stories")
    }
    return found.tracks
  }

  /// Refuses a list of stories given as a track; skips standard input and pipes, read only once.
  static func refuseStories(_ path: String) throws(CommandFailure) {
    guard FileUse.isFile(path), PlaceFileProbe.holdsPlaces(path: path, isTable: true)
    else { return }
    throw CommandFailure(
      .inputBad,
      "\(path) looks like a list of stories, not a walk. "
        + "To import it: fencepost places import \(path) --store stories.sqlite")
  }
}

/// Notes about all tracks together, printed once to standard error.
final class TrackNotes {
  private var remote = RemoteTracks()
  private var hasEntry = false
  /// The tracks whose entries escape rules about time.
  private var untimed: [String] = []
  private var rules: RulesWithoutTime = []

  /// Adds a track, and the rules about time that its entries escape.
  func take(_ extent: TrackExtent, of name: String, hasEntry: Bool, rules: RulesWithoutTime) {
    if hasEntry { self.hasEntry = true } else { remote.take(extent, of: name) }
    guard !rules.isEmpty else { return }
    untimed.append(name)
    self.rules.formUnion(rules)
  }

  func take(_ account: TrackAccount) {
    take(
      account.extent, of: account.track, hasEntry: account.counts.entries > 0,
      rules: account.rulesWithoutTime)
  }

  /// Prints the notes, if there are any.
  func conclude(_ store: PlaceStore) throws {
    if let first = untimed.first {
      let tracks =
        untimed.count == 1
        ? "\(first) has"
        : "\(ReportNumber.counted(untimed.count, "walk")), \(first) the first, have"
      StandardError.say(
        "\(tracks) entries without times, so \(rules) cannot apply. To give a walk times, use "
          + "--travel-speed with --date.")
    }
    guard !hasEntry,
      let sentence = try remote.sentence(
        try store.makeReader(), distance: ReportNumber.longDistance)
    else { return }
    StandardError.say(sentence)
  }
}
