package import FencepostGeodesy
import FencepostNotifications

/// The analysis of one track: its numbers, verdicts and entries.
package struct TrackAnalysis: Sendable {
  /// A spot on the path where the device was in more circles than can be monitored.
  package struct Crowd: Equatable, Sendable {
    /// Where most circles contained the device.
    package var coordinate: Coordinate
    /// How many did.
    package var circles: Int

    /// Makes a crowd of its parts.
    package init(coordinate: Coordinate, circles: Int) {
      self.coordinate = coordinate
      self.circles = circles
    }
  }

  /// The numbers.
  package var account: TrackAccount
  /// Distance of the path from each story's centre in metres, by story; empty if not every story was measured.
  package var nearestMeters: [Double]
  /// Distance of the path from the centres of the stories of ``crossed``, in metres.
  package var crossedMeters: [Double]
  /// The verdicts on the stories whose circle the path was inside, ascending by story.
  package var crossed: [StoryVerdict]
  /// All entries, in order along the path.
  package var entries: [EntryRecord]
  /// Stories that alerted within a minute of one another, themselves or in another's group.
  package var moments: [[Int]]
  /// Where the device was in more circles than can be monitored, in order along the path.
  package var crowds: [Crowd]
  /// The path to draw: each unbroken piece, simplified; empty if none was asked for.
  package var lines: [[Coordinate]]
  /// The trials of each profile; empty if no phone was simulated.
  package var chances: [TrackChances] = []

  /// The stories that reached the person of this track, on the last of the person's tracks; else empty.
  package var reached: [StoryReach] = []
  /// The path in stretches; empty if every story was measured.
  var path: [PathTree] = []

  /// Makes an analysis of its parts.
  package init(
    account: TrackAccount, nearestMeters: [Double], crossed: [StoryVerdict],
    entries: [EntryRecord], moments: [[Int]], crowds: [Crowd], lines: [[Coordinate]]
  ) {
    self.account = account
    self.nearestMeters = nearestMeters
    self.crossed = crossed
    crossedMeters = nearestMeters.isEmpty ? [] : crossed.map { nearestMeters[$0.story] }
    self.entries = entries
    self.moments = moments
    self.crowds = crowds
    self.lines = lines
  }
}

extension [EntryRecord] {
  /// The stories that alerted within a minute of a moment's first alert, themselves or in another's group;
  /// without times, those that were entered on the way to the same fix.
  var alertMoments: [[Int]] {
    var moments: [[Int]] = []
    var first: EntryRecord?
    for entry in self where entry.isAlert || entry.suppression == .grouped {
      if let first, entry.isInMoment(of: first) {
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

extension EntryRecord {
  fileprivate func isInMoment(of first: EntryRecord) -> Bool {
    guard let start = first.timeMilliseconds, let time = timeMilliseconds else {
      return first.fix == fix
    }
    return time >= start && time - start <= 60_000
  }
}
