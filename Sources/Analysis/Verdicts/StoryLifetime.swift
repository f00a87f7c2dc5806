import FencepostMonitoring
package import FencepostNotifications

/// The dates between which a story can alert, in milliseconds since 1970.
package struct StoryLifetime: Equatable, Sendable {
  package var publishedMilliseconds: Int64?
  package var expiresMilliseconds: Int64?

  package init(publishedMilliseconds: Int64?, expiresMilliseconds: Int64?) {
    self.publishedMilliseconds = publishedMilliseconds
    self.expiresMilliseconds = expiresMilliseconds
  }

  /// Why the story cannot alert on any of several walks, given when the first and the last begin.
  package func obstacle(to starts: ClosedRange<Int64>) -> SuppressionReason? {
    if let expires = expiresMilliseconds, expires <= starts.lowerBound { return .expired }
    guard let published = publishedMilliseconds else { return nil }
    return published > starts.upperBound ? .notPublished : nil
  }
}

extension StoryIndex {
  /// The dates of the stories that have any.
  var lifetimes: [Int: StoryLifetime] {
    var lifetimes: [Int: StoryLifetime] = [:]
    for story in stories.indices {
      let place = place(of: story)
      guard place.publishedMilliseconds != nil || place.expiresMilliseconds != nil else { continue }
      lifetimes[story] = StoryLifetime(
        publishedMilliseconds: place.publishedMilliseconds,
        expiresMilliseconds: place.expiresMilliseconds)
    }
    return lifetimes
  }
}
