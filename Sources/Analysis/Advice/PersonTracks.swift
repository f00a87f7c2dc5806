import FencepostFixes
import FencepostGeodesy
import FencepostNotifications

/// The tracks of one person in order of time, or a single track without a person.
package struct PersonTracks: Sendable {
  package let person: String?
  /// The tracks, at least one.
  package let tracks: [RecordedTrack]

  package init(person: String?, tracks: [RecordedTrack]) {
    self.person = person
    self.tracks = tracks
  }

  var name: String { person ?? tracks[0].name }

  /// Returns the most alerts that one story can give under a cool-down.
  ///
  /// Two alerts of a story are at least one cool-down apart. If times run backward, the count is
  /// bounded only by a cool-down longer than the whole time span.
  func mostAlerts(under cooldown: Cooldown) -> Int {
    switch cooldown {
    case .none: return Self.unbounded
    case .forever: return 1
    case .seconds(let seconds):
      var (least, greatest, last) = (Int64.max, Int64.min, Int64.min)
      var runsBackwards = false
      for fix in tracks.lazy.flatMap(\.fixes) {
        guard let time = fix.timeMilliseconds else { return Self.unbounded }
        runsBackwards = runsBackwards || time < last
        (least, greatest, last) = (min(least, time), max(greatest, time), time)
      }
      let span = greatest - least
      let cooldown = seconds.multipliedReportingOverflow(by: 1000)
      if cooldown.overflow || span < cooldown.partialValue { return 1 }
      guard cooldown.partialValue > 0, !runsBackwards else { return Self.unbounded }
      return 1 + Int(span / cooldown.partialValue)
    }
  }

  /// More alerts than can occur, but small enough to add up without overflow.
  static let unbounded = 1 << 40
}

extension Coordinate {
  func distanceMeters(to other: Coordinate) -> Double { Geodesic.distanceMeters(self, other) }
}
