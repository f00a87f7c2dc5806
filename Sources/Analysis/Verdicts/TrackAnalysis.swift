package import FencepostGeodesy
import FencepostNotifications

package struct TrackAnalysis: Sendable {
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
  package var crowds: [CrowdedSpot]
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
    entries: [EntryRecord], moments: [[Int]], crowds: [CrowdedSpot], lines: [[Coordinate]]
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

/// A point of a path inside more circles than a phone can watch, on one track or over all.
package struct CrowdedSpot: Equatable, Sendable {
  /// A cell of 0.001° that identifies a spot, with its edges in thousandths of a degree.
  package struct Cell: Hashable, Comparable, Sendable {
    package var south: Int
    package var west: Int

    package init(_ coordinate: Coordinate) {
      south = Int((coordinate.latitudeDegrees * 1000).rounded(.down))
      west = Int((coordinate.longitudeDegrees * 1000).rounded(.down))
    }

    package static func < (a: Cell, b: Cell) -> Bool { (a.south, a.west) < (b.south, b.west) }
  }

  package var coordinate: Coordinate
  package var circles: Int
  package var tracks: Int

  package init(coordinate: Coordinate, circles: Int, tracks: Int = 1) {
    (self.coordinate, self.circles, self.tracks) = (coordinate, circles, tracks)
  }

  package mutating func join(_ other: CrowdedSpot) {
    tracks += other.tracks
    // Break ties by position, so that the result does not depend on the order of tracks.
    let isBetter =
      (other.circles, -other.coordinate.latitudeDegrees, -other.coordinate.longitudeDegrees)
      > (circles, -coordinate.latitudeDegrees, -coordinate.longitudeDegrees)
    guard isBetter else { return }
    circles = other.circles
    coordinate = other.coordinate
  }
}
