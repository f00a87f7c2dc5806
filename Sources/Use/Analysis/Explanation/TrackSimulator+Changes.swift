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
      _ change: StoryPrediction.Tried.Change, _ profile: PhoneProfile, _ changed: Story? = nil
    ) -> StoryPrediction.Tried {
      .init(
        change: change, chance: chance(of: number, on: scene, with: profile, changed: changed))
    }
    var tried = StoryPrediction.candidates(besides: story.radiusMeters).map {
      var larger = story
      larger.radiusMeters = $0
      return trial(.radius($0), profile, larger)
    }
    if let nearest {
      let meters = Geodesic.distanceMeters(story.coordinate, nearest)
      var moved = story
      moved.coordinate = nearest
      if meters >= 1 { tried.append(trial(.moved(meters), profile, moved)) }
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
