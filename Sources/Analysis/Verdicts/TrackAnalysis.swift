package import FencepostGeodesy
import FencepostNotifications

package struct TrackAnalysis: Sendable {
  /// A point on the path that lies in more circles than the phone can watch.
  package struct Crowd: Equatable, Sendable {
    package var coordinate: Coordinate
    package var circles: Int

    package init(coordinate: Coordinate, circles: Int) {
      self.coordinate = coordinate
      self.circles = circles
    }
  }

  package var account: TrackAccount
  /// Distance from the path to each story's center in meters; empty if not all were measured.
  package var nearestMeters: [Double]
  /// Distance from the path to the centers of the stories in ``crossed``, in meters.
  package var crossedMeters: [Double]
  /// Verdicts on the stories whose circles contain part of the path, ascending.
  package var crossed: [StoryVerdict]
  package var entries: [EntryRecord]
  /// Groups of stories that alerted, or joined another story's alert, within one minute.
  package var moments: [[Int]]
  package var crowds: [Crowd]
  /// The simplified path, one line per unbroken piece; empty if not requested.
  package var lines: [[Coordinate]]
  package var chances: [TrackChances] = []

  /// The stories that alerted this person; filled only on the person's last track.
  package var reached: [StoryReach] = []
  /// The person's days by alerts, over all trials, by profile; filled like ``reached``.
  package var phoneDays: [String: [Int: Int]] = [:]
  /// The path's bounding balls; empty if every story was measured.
  var path: [PathTree] = []

  package init(
    account: TrackAccount, nearestMeters: [Double], crossed: [StoryVerdict],
    entries: [EntryRecord], moments: [[Int]], crowds: [Crowd], lines: [[Coordinate]]
  ) {
    (self.account, self.nearestMeters, self.crossed) = (account, nearestMeters, crossed)
    crossedMeters = nearestMeters.isEmpty ? [] : crossed.map { nearestMeters[$0.story] }
    (self.entries, self.moments, self.crowds, self.lines) = (entries, moments, crowds, lines)
  }
}

extension [EntryRecord] {
  /// Groups of stories that alerted within one minute of the group's first alert.
  ///
  /// Alerts that joined another story's alert count too. Without times, a group is the stories
  /// entered just before the same fix.
  var alertMoments: [[Int]] {
    var moments: [[Int]] = []
    var first: EntryRecord?
    for entry in self where entry.isAlert || entry.suppression == .grouped {
      let isTogether: Bool
      if let start = first?.timeMilliseconds, let time = entry.timeMilliseconds {
        isTogether = time >= start && time - start <= 60_000
      } else {
        isTogether = entry.fix == first?.fix
      }
      if isTogether {
        if !moments[moments.count - 1].contains(entry.story) {
          moments[moments.count - 1].append(entry.story)
        }
      } else {
        moments.append([entry.story])
        first = entry
      }
    }
    return moments
  }
}
