import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring

/// How near a path comes to a story while its circle is watched.
///
/// Applies to fixed lookups that rank by center. A story can be watched after a lookup only if its
/// center, before or after the change, is no farther than the last watched place.
struct WatchedApproach {
  /// Exceeds any rounding error in a distance, in meters.
  private static let slackMeters = 0.01

  let run: PersonRun
  let person: PersonTracks

  /// Returns a lower bound, in meters, for the distance from the story to the watched paths.
  ///
  /// Infinite if the story is watched neither before nor after the change.
  func leastMeters(from place: Place, before: [Place]) -> Double {
    let center = Position(place.coordinate)
    var least = Double.infinity
    for (kept, track) in zip(run.tracks, person.tracks) {
      let renewals = kept.run.renewals
      for (number, renewal) in renewals.enumerated() {
        let isWatched = (before + [place]).contains {
          $0.coordinate.distanceMeters(to: renewal.coordinate)
            <= renewal.influenceMeters + Self.slackMeters
        }
        guard isWatched else { continue }
        let end = number + 1 < renewals.count ? renewals[number + 1].fix : track.fixes.count - 1
        guard renewal.fix <= end else { continue }
        least = min(least, Self.leastMeters(from: center, of: track, renewal.fix...end))
      }
    }
    return least - Self.slackMeters
  }

  /// Returns a lower bound for the distance between a point and part of a track.
  ///
  /// By the triangle inequality, a point between two fixes at distances a and b from the center, c
  /// apart, is at least (a + b - c) / 2 away.
  private static func leastMeters(
    from center: Position, of track: RecordedTrack, _ range: ClosedRange<Int>
  ) -> Double {
    var last = Position(track.fixes[range.lowerBound].coordinate)
    var lastMeters = Geodesic.distanceMeters(center, last)
    var least = lastMeters
    for fix in track.fixes[range].dropFirst() {
      let position = Position(fix.coordinate)
      let meters = Geodesic.distanceMeters(center, position)
      let way = Geodesic.distanceMeters(last, position)
      least = min(least, (lastMeters + meters - way) / 2)
      (last, lastMeters) = (position, meters)
    }
    return least
  }
}
