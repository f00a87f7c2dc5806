import FencepostGeodesy
import FencepostMonitoring
import FencepostPhones

extension TrackSimulator {
  /// The distances between lookups worth trying, in meters.
  private static let lookups = [250.0, 100]

  /// What becomes of a story on a phone with changes of its circle, and on phones that watch it more.
  func tried(
    with profile: PhoneProfile, _ story: Story, _ number: Int, nearest: Coordinate?,
    on scene: TrackScene
  ) -> [StoryPrediction.Tried] {
    func trial(
      _ change: StoryPrediction.Tried.Change, _ profile: PhoneProfile,
      at coordinate: Coordinate? = nil, radiusMeters: Double? = nil
    ) -> StoryPrediction.Tried {
      .init(
        change: change,
        chance: run(
          profile, story: number, at: coordinate ?? story.coordinate,
          radiusMeters: radiusMeters ?? story.radiusMeters, on: scene))
    }
    var tried = StoryPrediction.candidates(besides: story.radiusMeters).map {
      trial(.radius($0), profile, radiusMeters: $0)
    }
    if let nearest {
      let meters = Geodesic.distanceMeters(story.coordinate, nearest)
      if meters >= 1 { tried.append(trial(.moved(meters), profile, at: nearest)) }
    }
    guard profile.limits.regions.value != .none else { return tried }
    for meters in Self.lookups where meters < profile.refresh.distanceMeters.value {
      var earlier = profile
      earlier.refresh.distanceMeters.value = meters
      tried.append(trial(.lookups(meters), earlier))
    }
    var watching = profile
    watching.limits.regions.value = .none
    return tried + [trial(.alwaysWatched, watching)]
  }
}
