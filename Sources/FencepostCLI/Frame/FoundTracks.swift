import FencepostAnalysis
import FencepostPlaces
import FencepostReporting

extension TrackFiles {
  /// How many files are named one by one.
  private static let mostNamed = 10

  /// Finds the files of tracks that arguments stand for, and names the files of places that were in folders.
  ///
  /// - Throws: ``CommandFailure`` if an argument is a list of stories.
  static func expandAndSay(_ arguments: [String]) throws(CommandFailure) -> [String] {
    for argument in arguments { try refuseStories(argument) }
    let found = find(arguments)
    for path in found.places.prefix(mostNamed) {
      let cure =
        PlaceFileProbe.holdsPlaces(path: path, isTable: true)
        ? "" : "; name the file to analyse it all the same"
      StandardError.say("\(path): left out: places, not a track\(cure)")
    }
    if found.places.count > mostNamed {
      let more = ReportNumber.counted(found.places.count - mostNamed, "more file")
      StandardError.say("… and \(more) of places left out")
    }
    return found.tracks
  }

  /// Refuses a list of stories that was given as a track; standard input and pipes are read only once, so not those.
  ///
  /// - Throws: ``CommandFailure`` that says how to import it.
  static func refuseStories(_ path: String) throws(CommandFailure) {
    guard FileUse.isFile(path), PlaceFileProbe.holdsPlaces(path: path, isTable: true)
    else { return }
    throw CommandFailure(
      .inputBad,
      "\(path) looks like a list of stories, not a walk. "
        + "To import it: fencepost places import \(path) --store stories.sqlite")
  }
}
