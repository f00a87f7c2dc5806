import FencepostGeodesy
import FencepostPhones

extension TrackSimulator {
  /// Tries nothing: the page looks for a remedy by itself.
  func tried(
    with profile: PhoneProfile, _ story: Story, _ number: Int, nearest: Coordinate?,
    on scene: TrackScene
  ) -> [StoryPrediction.Tried] { [] }
}
