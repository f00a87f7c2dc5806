import FencepostFixes
import FencepostGeodesy
import FencepostNotifications

/// The tracks of one person in time's order, or one track that stays alone.
package struct PersonTracks: Sendable {
  /// The person; nil for a track of nobody in particular.
  package let person: String?
  /// The tracks, at least one.
  package let tracks: [RecordedTrack]

  /// Makes a person's tracks.
  package init(person: String?, tracks: [RecordedTrack]) {
    self.person = person
    self.tracks = tracks
  }

  /// The person's name, or that of the track.
  var name: String { person ?? tracks[0].name }

  /// Most alerts of one story that the cool-down allows, whatever happens.
  ///
  /// Any two alerts of a story are at least the cool-down apart. Where the times run backwards between
  /// tracks, only a cool-down that is longer than all of them together bounds anything.
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

  /// More alerts than there can be, and few enough to be added up.
  static let unbounded = 1 << 40
}

extension Coordinate {
  /// The distance along the ellipsoid in metres.
  func distanceMeters(to other: Coordinate) -> Double { Geodesic.distanceMeters(self, other) }
}
