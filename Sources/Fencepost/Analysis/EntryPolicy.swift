import Monitoring
import Notifications
import Places

/// The alert policy, fed with entries of stories.
struct EntryPolicy {
  /// An entry that is to be decided.
  struct Entry {
    var story: Int
    var crossing: Crossing
  }

  private let index: StoryIndex
  private var policy: AlertPolicy
  private let watchesSpeed: Bool

  init(_ index: StoryIndex, options: AlertPolicy.Options) {
    self.index = index
    policy = AlertPolicy(options: options)
    watchesSpeed = options.maxAlertSpeedMetersPerSecond != nil
  }

  /// Decides about the entries on the way to one fix, in order along the path, ties by id.
  mutating func decide(_ entries: [Entry], speed: Double?) -> [AlertDecision] {
    policy.decide(enters(entries, speed: speed))
  }

  /// How ``decide(_:speed:)`` would decide now.
  func explain(_ entries: [Entry], speed: Double?) -> [AlertExplanation] {
    policy.explain(enters(entries, speed: speed))
  }

  /// Takes note of the speed at a vertex, after the entries before it.
  mutating func observe(_ batch: PathBatch, at offset: Int) {
    guard watchesSpeed, let time = batch.points[offset].timeMilliseconds else { return }
    policy.observe(speedMetersPerSecond: batch.speeds[offset], atMilliseconds: time)
  }

  private func enters(_ entries: [Entry], speed: Double?) -> [AlertPolicy.Enter] {
    entries.map { entry in
      let place = index.places[entry.story]
      return AlertPolicy.Enter(
        placeID: place.id, center: place.coordinate,
        timeMilliseconds: entry.crossing.timeMilliseconds, speedMetersPerSecond: speed ?? .nan,
        priority: place.priority, publishedMilliseconds: place.publishedMilliseconds,
        expiresMilliseconds: place.expiresMilliseconds)
    }
  }
}
