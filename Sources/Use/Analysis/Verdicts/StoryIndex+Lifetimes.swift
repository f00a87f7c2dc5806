import FencepostMonitoring
import FencepostNotifications

extension StoryIndex {
  /// The dates of the stories that have any.
  var lifetimes: [Int: StoryLifetime] {
    var lifetimes: [Int: StoryLifetime] = [:]
    for story in stories.indices {
      let place = place(of: story)
      guard place.publishedMilliseconds != nil || place.expiresMilliseconds != nil else { continue }
      lifetimes[story] = place.lifetime
    }
    return lifetimes
  }
}
