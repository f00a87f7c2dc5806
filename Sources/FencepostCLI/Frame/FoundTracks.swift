import FencepostAnalysis
import FencepostReporting

extension TrackFiles {
  /// How many files are named one by one.
  private static let mostNamed = 10

  /// Finds the files of tracks that arguments stand for, and names the files of places that were in folders.
  static func expandAndSay(_ arguments: [String]) -> [String] {
    let found = find(arguments)
    for path in found.places.prefix(mostNamed) {
      StandardError.say(
        "\(path): left out: places, not a track; name the file to analyse it all the same")
    }
    if found.places.count > mostNamed {
      let more = ReportNumber.counted(found.places.count - mostNamed, "more file")
      StandardError.say("… and \(more) of places left out")
    }
    return found.tracks
  }
}
