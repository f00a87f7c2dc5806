import Fencepost
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications

/// Lost entries, and moments when the phone was found inside a circle without an alert.
struct StoryHappenings {
  struct TrackNumber: Hashable {
    var person: Int
    var track: Int
  }

  /// The tracks with a late or missed entry, by story id.
  private(set) var lostTracks: [String: Set<TrackNumber>] = [:]
  /// Distances to the center when a lookup or the first fix found the phone inside, by story id.
  private(set) var insideMeters: [String: [Double]] = [:]
  /// When entries that the story's dates held back met those dates, in milliseconds since 1970.
  private(set) var heldBackTimes: [String: [Int64]] = [:]
  /// When the quiet hours held back an entry, in milliseconds since 1970.
  private(set) var quietTimes: [Int64] = []

  init(_ stand: AdviceStand) {
    let stories = stand.trial.stories
    for (person, run) in stand.runs.enumerated() {
      for (number, track) in run.tracks.enumerated() {
        let run = track.run
        quietTimes += run.entries.lazy.filter { $0.suppression == .quietHours }
          .compactMap(\.timeMilliseconds)
        for entry in run.entries
        where entry.suppression == .notPublished || entry.suppression == .expired {
          guard
            let met = stand.trial.options.alerts.dateMilliseconds(ofEntryAt: entry.timeMilliseconds)
          else { continue }
          heldBackTimes[stories.stories[entry.story].id, default: []].append(met)
        }
        for entry in run.entries where entry.cause == .late || entry.cause == .missed {
          let story = stories.stories[entry.story]
          lostTracks[story.id, default: []].insert(.init(person: person, track: number))
          guard let found = entry.foundFix,
            let renewal = run.renewals.first(where: { $0.fix == found })
          else { continue }
          insideMeters[story.id, default: []].append(
            story.coordinate.distanceMeters(to: renewal.coordinate))
        }
        guard let first = run.renewals.first else { continue }
        for story in run.insideAtStart.map({ stories.stories[$0] }) {
          insideMeters[story.id, default: []].append(
            story.coordinate.distanceMeters(to: first.coordinate))
        }
      }
    }
  }
}
