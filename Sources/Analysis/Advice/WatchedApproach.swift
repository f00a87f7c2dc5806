import FencepostFixes
import FencepostGeodesy
import FencepostMonitoring

/// How near a path comes to a story while its circle is watched, under fixed refreshes that rank by centre.
///
/// An entry that the device reports happens between a refresh whose set has the story and the next one. The
/// set has it only if its centre, as it is or as it was, is no farther than the last one of the set.
struct WatchedApproach {
  /// More than any rounding of a distance, in metres.
  private static let slackMeters = 0.01

  let run: PersonRun
  let person: PersonTracks

  /// How near the watched parts of the paths may come to a story.
  ///
  /// - Parameters:
  ///   - place: The story with its change.
  ///   - before: The stories that the change replaces.
  /// - Returns: A distance in metres that they are never nearer than; infinite without any.
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

  /// By the triangle's inequality no point between two fixes is nearer than half of what their distances exceed
  /// the way between them by.
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
